import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { createEgress } from './index.ts'
import { fails, localEgress, namesResolveTo, serve, serveRaw } from '#fixtures/egress.ts'

const timeoutMs = 5_000

test('egress: a request arrives unchanged, and the response is complete', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.writeHead(418, { 'set-cookie': ['a=1', 'b=2'], 'x-one': '1' }).end('short and stout')
  })
  const answer = await localEgress(t).send({
    method: 'PATCH',
    url: `${server.url}/a%20b?q=1#part`,
    headers: { 'X-Custom': 'yes' },
    body: '{"a":1}',
    timeoutMs,
  })
  assert.equal(answer.status, 418)
  assert.equal(answer.body.toString(), 'short and stout')
  assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2'])
  assert.equal(answer.url, `${server.url}/a%20b?q=1#part`)
  const { method, url, headers, body } = server.seen[0]!
  assert.deepEqual({ method, url, body }, { method: 'PATCH', url: '/a%20b?q=1', body: '{"a":1}' })
  assert.deepEqual(
    [headers['x-custom'], headers['user-agent'], headers['content-length']],
    ['yes', 'patchbay', '7'],
  )
})

test('egress: user-agent and accept-encoding of the caller are not changed', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.end()
  })
  await localEgress(t).send({
    method: 'GET',
    url: server.url,
    headers: { 'User-Agent': 'mine', 'ACCEPT-ENCODING': 'identity' },
    timeoutMs,
  })
  assert.deepEqual(
    [server.seen[0]!.headers['user-agent'], server.seen[0]!.headers['accept-encoding']],
    ['mine', 'identity'],
  )
})

test('egress: connections are reused', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.end('ok')
  })
  const egress = localEgress(t)
  for (let i = 0; i < 10; i++) await egress.send({ method: 'GET', url: server.url, timeoutMs })
  // Two, as undici rests a connection for one turn of the event loop, in case the server closes it after all.
  assert.equal(server.connections(), 2)
  assert.deepEqual([egress.stats().origins, egress.stats().connections], [1, 2])
})

test('egress: at most maxConnectionsPerOrigin connections are opened, and other requests wait', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.end('ok')
  })
  const egress = localEgress(t, { maxConnectionsPerOrigin: 3 })
  await Promise.all(
    Array.from({ length: 20 }, () => egress.send({ method: 'GET', url: server.url, timeoutMs })),
  )
  assert.equal(server.connections(), 3)
})

test('egress: a response without a body has an empty one', async (t) => {
  const server = await serve(t, (request, response) => {
    if (request.method === 'HEAD')
      response.writeHead(200, { 'content-length': 99_999_999, 'content-encoding': 'gzip' }).end()
    else response.writeHead(204).end()
  })
  const egress = localEgress(t)
  const head = await egress.send({ method: 'HEAD', url: server.url, timeoutMs })
  assert.deepEqual([head.status, head.body.length, head.headers['content-length']], [200, 0, '99999999'])
  const gone = await egress.send({ method: 'DELETE', url: server.url, timeoutMs })
  assert.deepEqual([gone.status, gone.body.length], [204, 0])
})

test('egress: interim responses are skipped', async (t) => {
  const url = await serveRaw(t, (socket) => {
    socket.once('data', () =>
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
      ),
    )
  })
  const answer = await localEgress(t).send({ method: 'GET', url, timeoutMs })
  assert.deepEqual([answer.status, answer.body.toString(), answer.headers['link']], [200, 'ok', undefined])
})

test('egress: an invalid URL or one with credentials is rejected without showing it', async (t) => {
  const egress = localEgress(t)
  for (const url of [
    'ftp://a.example/s3cret',
    'file:///s3cret',
    'no url s3cret',
    '',
    'http://user:s3cret@a.example/',
    'http://s3cret@a.example/',
    'javascript:s3cret',
    'http://a b/s3cret',
  ]) {
    await assert.rejects(
      egress.send({ method: 'GET', url, timeoutMs }),
      fails('refused_url', /./, ['s3cret']),
      url,
    )
  }
})

test('egress: headers and paths cannot inject into a request', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.end()
  })
  const egress = localEgress(t)
  const tries: { method?: string; headers?: Record<string, string> }[] = [
    { headers: { a: 's3cret\r\nb: c' } },
    { headers: { 'a\r\nb': 'c' } },
    { headers: { 'a b': 'c' } },
    { headers: { a: 's3cret\0' } },
    { headers: { 'transfer-encoding': 'chunked' } },
    { headers: { upgrade: 'h2c' } },
    { headers: { expect: '100-continue' } },
    { headers: { 'content-length': '5' } },
    { headers: { host: 'other.example' } },
    { method: 'GET / HTTP/1.1\r\nx: y\r\n\r\nGET' },
    { method: 'CONNECT' },
  ]
  for (const part of tries) {
    await assert.rejects(
      egress.send({ method: 'POST', url: server.url, body: '{"a":1}', timeoutMs, ...part }),
      fails('protocol', /^127\.0\.0\.1:\d+: /, ['s3cret']),
      JSON.stringify(part),
    )
  }
  assert.deepEqual(server.seen, [])
  await egress.send({
    method: 'GET',
    url: server.url,
    headers: { Host: new URL(server.url).host },
    timeoutMs,
  })
})

test('egress: failed connections, unknown names and broken connections are different errors', async (t) => {
  const egress = localEgress(t, { lookup: namesResolveTo({}) })
  const closedPort = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
  await assert.rejects(
    egress.send({ method: 'GET', url: `http://127.0.0.1:${closedPort}/?s3cret`, timeoutMs }),
    fails('connect', /the connection was refused/, ['s3cret']),
  )
  await assert.rejects(
    egress.send({ method: 'GET', url: 'http://nowhere.example/', timeoutMs }),
    fails('dns', /^nowhere\.example: the name does not resolve\.$/),
  )
  const breaks = await serveRaw(t, (socket) => {
    socket.once('data', () => socket.destroy())
  })
  await assert.rejects(egress.send({ method: 'GET', url: breaks, timeoutMs }), fails('reset'))
  const breaksHard = await serveRaw(t, (socket) => {
    socket.once('data', () => socket.resetAndDestroy())
  })
  await assert.rejects(egress.send({ method: 'GET', url: breaksHard, timeoutMs }), fails('reset'))
  const breaksLater = await serveRaw(t, (socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'))
  })
  await assert.rejects(egress.send({ method: 'GET', url: breaksLater, timeoutMs }), fails('reset'))
})

test('egress: a response that is not HTTP is a protocol error', async (t) => {
  const egress = localEgress(t)
  for (const bytes of [
    'SSH-2.0-OpenSSH_9.6\r\n',
    'HTTP/1.1 abc\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`,
  ]) {
    const url = await serveRaw(t, (socket) => {
      socket.once('data', () => socket.write(bytes))
    })
    await assert.rejects(
      egress.send({ method: 'GET', url, timeoutMs }),
      fails('protocol'),
      bytes.slice(0, 40),
    )
  }
})

test('egress: closing finishes requests in progress and rejects new ones', async (t) => {
  let release = (): void => {}
  const arrived = Promise.withResolvers<void>()
  const server = await serve(t, (_request, response) => {
    release = () => response.end('finished')
    arrived.resolve()
  })
  const egress = createEgress({ allow: [{ kind: 'range', address: '127.0.0.1', bits: 32 }] })
  const underWay = egress.send({ method: 'GET', url: server.url, timeoutMs })
  await arrived.promise
  const closed = egress.close()
  await assert.rejects(egress.send({ method: 'GET', url: server.url, timeoutMs }), fails('aborted'))
  release()
  assert.equal((await underWay).body.toString(), 'finished')
  await closed
})

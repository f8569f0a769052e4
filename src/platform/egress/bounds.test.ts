import assert from 'node:assert/strict'
import type { LookupFunction, Socket } from 'node:net'
import { test } from 'node:test'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { fails, localEgress, serve, serveRaw } from '#fixtures/egress.ts'

const timeoutMs = 5_000
const megabyte = 1024 * 1024

test('egress limits: a slow server times out after timeoutMs, in headers and body', async (t) => {
  const drip = (start: string, socket: Socket): void => {
    socket.write(start)
    const timer = setInterval(() => socket.write('x'), 5)
    socket.on('close', () => clearInterval(timer))
  }
  for (const start of [
    'HTTP/1.1 200 OK\r\nx-endless: ',
    'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n',
  ]) {
    const gone = Promise.withResolvers<void>()
    const url = await serveRaw(t, (socket) => {
      socket.once('data', () => drip(start, socket))
      socket.once('close', () => gone.resolve())
    })
    await assert.rejects(
      localEgress(t).send({ method: 'GET', url: `${url}/?s3cret`, timeoutMs: 100 }),
      fails('timeout', /no complete answer within 100 ms/, ['s3cret']),
    )
    await gone.promise // The connection is not kept.
  }
})

test('egress limits: the timeout covers all redirects', async (t) => {
  const server = await serve(t, (_request, response) => {
    setTimeout(() => response.writeHead(302, { location: '/' }).end(), 30)
  })
  await assert.rejects(
    localEgress(t).send({ method: 'GET', url: server.url, maxRedirects: 1000, timeoutMs: 150 }),
    fails('timeout'),
  )
})

test('egress limits: a silent resolver or host times out after connectTimeoutMs', async (t) => {
  const lookup = (() => {}) as LookupFunction
  await assert.rejects(
    localEgress(t, { lookup, connectTimeoutMs: 50 }).send({
      method: 'GET',
      url: 'http://a.example/',
      timeoutMs,
    }),
    fails('connect', /^a\.example: no connection in time\.$/),
  )
})

test('egress limits: a request that waits for a connection times out unsent', async (t) => {
  const firstRequest = Promise.withResolvers<() => void>()
  const server = await serve(t, (request, response) => {
    if (request.url === '/first') firstRequest.resolve(() => response.end())
    else response.end()
  })
  const egress = localEgress(t, { maxConnectionsPerOrigin: 1 })
  const first = egress.send({ method: 'GET', url: `${server.url}/first`, timeoutMs })
  const release = await firstRequest.promise
  await assert.rejects(
    egress.send({ method: 'POST', url: `${server.url}/second`, timeoutMs: 50 }),
    fails('timeout'),
  )
  release()
  await first
  await egress.send({ method: 'GET', url: `${server.url}/third`, timeoutMs })
  assert.deepEqual(
    server.seen.map(({ url }) => url),
    ['/first', '/third'],
  )
})

test('egress limits: the caller can abort before and during a request', async (t) => {
  const control = new AbortController()
  const server = await serve(t, () => control.abort())
  const egress = localEgress(t)
  await assert.rejects(
    egress.send({ method: 'GET', url: server.url, timeoutMs, signal: control.signal }),
    fails('aborted'),
  )
  await assert.rejects(
    egress.send({ method: 'GET', url: server.url, timeoutMs, signal: control.signal }),
    fails('aborted'),
  )
  assert.equal(server.seen.length, 1)
})

test('egress limits: a body of bytesMax is read, and one byte more is an error', async (t) => {
  const server = await serve(t, (request, response) => {
    if (request.url === '/announced') response.writeHead(200, { 'content-length': 10 * megabyte + 1 })
    response.write(Buffer.alloc(10 * megabyte))
    response.end(request.url === '/exact' ? '' : '.')
  })
  const egress = localEgress(t)
  assert.equal(
    (await egress.send({ method: 'GET', url: `${server.url}/exact`, timeoutMs })).body.length,
    10 * megabyte,
  )
  for (const path of ['/announced', '/chunked'])
    await assert.rejects(
      egress.send({ method: 'GET', url: server.url + path, timeoutMs }),
      fails('too_large', /10485760 bytes/),
    )
})

test('egress compression: responses are decompressed and lose their encoding headers', async (t) => {
  const text = 'a'.repeat(30_000) + Math.random()
  const bodies: Record<string, Buffer> = {
    gzip: gzipSync(text),
    'x-gzip': gzipSync(text),
    br: brotliCompressSync(text),
    deflate: deflateSync(text),
    'identity, Deflate': deflateRawSync(text),
    'gzip, br': brotliCompressSync(gzipSync(text)),
  }
  const server = await serve(t, (request, response) => {
    const encoding = decodeURIComponent(request.url!.slice(1))
    response.writeHead(200, { 'content-encoding': encoding }).end(bodies[encoding])
  })
  for (const encoding of Object.keys(bodies)) {
    const answer = await localEgress(t).send({
      method: 'GET',
      url: `${server.url}/${encodeURIComponent(encoding)}`,
      timeoutMs,
    })
    assert.equal(answer.body.toString(), text, encoding)
    assert.equal(answer.headers['content-encoding'], undefined)
    assert.equal(answer.headers['content-length'], undefined)
  }
})

test('egress compression: a small body that becomes large within the limit is complete', async (t) => {
  const text = 'a'.repeat(2 * megabyte)
  const server = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text))
  })
  assert.equal(
    (await localEgress(t).send({ method: 'GET', url: server.url, timeoutMs })).body.toString(),
    text,
  )
})

test('egress compression: an unknown encoding stays, and a damaged one is a protocol error', async (t) => {
  const server = await serve(t, (request, response) => {
    if (request.url === '/zstd') response.writeHead(200, { 'content-encoding': 'zstd' }).end('abc')
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('abcdefgh').subarray(0, 20))
    else if (request.url === '/deep')
      response.writeHead(200, { 'content-encoding': 'gzip,gzip,gzip,gzip' }).end('abc')
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')
  })
  const egress = localEgress(t)
  const answer = await egress.send({ method: 'GET', url: `${server.url}/zstd`, timeoutMs })
  assert.deepEqual([answer.body.toString(), answer.headers['content-encoding']], ['abc', 'zstd'])
  for (const path of ['/cut', '/plain', '/deep'])
    await assert.rejects(
      egress.send({ method: 'GET', url: server.url + path, timeoutMs }),
      fails('protocol'),
      path,
    )
})

test('egress compression: a compression bomb is too large, in any layer', async (t) => {
  const huge = Buffer.alloc(32 * megabyte)
  const bombs: Record<string, Buffer> = {
    gzip: gzipSync(huge),
    br: brotliCompressSync(huge, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    deflate: deflateSync(huge),
    'gzip,gzip': gzipSync(gzipSync(huge)),
  }
  const server = await serve(t, (request, response) => {
    const encoding = decodeURIComponent(request.url!.slice(1))
    response.writeHead(200, { 'content-encoding': encoding }).end(bombs[encoding])
  })
  const egress = localEgress(t)
  for (const encoding of Object.keys(bombs)) {
    await assert.rejects(
      egress.send({ method: 'GET', url: `${server.url}/${encodeURIComponent(encoding)}`, timeoutMs }),
      fails('too_large'),
      encoding,
    )
  }
})

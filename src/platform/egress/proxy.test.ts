import assert from 'node:assert/strict'
import { createServer, request as forward } from 'node:http'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { parseAllowRules } from './index.ts'
import { fails, listening, localEgress, namesResolveTo, serve, serveRaw, serveTls } from '#fixtures/egress.ts'
import { selfSignedCert } from '#fixtures/certificate.ts'

const timeoutMs = 5_000

/**
 * A proxy that takes every name for this machine, tunnels CONNECT and forwards the rest; `seen` is what it
 * was asked.
 */
async function proxy(
  t: TestContext,
  refusal?: number,
): Promise<{ url: string; port: number; seen: string[]; auth: (string | undefined)[] }> {
  const seen: string[] = []
  const auth: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    auth.push(request.headers['proxy-authorization'])
    if (refusal) return void response.writeHead(refusal).end()
    const { port, pathname } = new URL(request.url!)
    forward({ port, host: '127.0.0.1', path: pathname, method: request.method }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    }).end()
  })
  server.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`)
    auth.push(request.headers['proxy-authorization'])
    socket.on('error', () => {})
    if (refusal) return void socket.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`)
    const upstream = connect(Number(request.url!.split(':').pop()), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    t.after(() => upstream.destroy())
  })
  const port = await listening(t, server)
  return { url: `http://127.0.0.1:${port}`, port, seen, auth }
}

test('egress proxy: https uses a tunnel, http is forwarded, and the proxy resolves names', async (t) => {
  const tls = await serveTls(t, (_request, response) => {
    response.end('through the tunnel')
  })
  const plain = await serve(t, (_request, response) => {
    response.end('forwarded')
  })
  const through = await proxy(t)
  const egress = localEgress(t, {
    allow: parseAllowRules(`127.0.0.1:${through.port}`),
    ca: selfSignedCert,
    lookup: namesResolveTo({}),
  })
  const asked = { method: 'GET', timeoutMs, proxy: { url: through.url, authKey: 'pk_1' } }
  assert.equal(
    (await egress.send({ ...asked, url: `https://tls.test:${tls}/` })).body.toString(),
    'through the tunnel',
  )
  assert.equal(
    (await egress.send({ ...asked, url: `http://plain.test:${plain.port}/a` })).body.toString(),
    'forwarded',
  )
  assert.deepEqual(through.seen, [`CONNECT tls.test:${tls}`, `GET http://plain.test:${plain.port}/a`])
  assert.deepEqual(through.auth, ['Bearer pk_1', 'Bearer pk_1'])
  assert.equal(plain.seen[0]!.headers['proxy-authorization'], undefined)
})

test("the key is sent as it is when it names a scheme; credentials in the proxy's URL are Basic", async (t) => {
  const plain = await serve(t, (_request, response) => {
    response.end()
  })
  const through = await proxy(t)
  const egress = localEgress(t, { allow: parseAllowRules(`127.0.0.1:${through.port}`) })
  const url = `http://plain.test:${plain.port}/`
  await egress.send({ method: 'GET', url, timeoutMs, proxy: { url: through.url, authKey: 'Digest abc' } })
  await egress.send({
    method: 'GET',
    url,
    timeoutMs,
    proxy: { url: `http://us%20er:p%40ss@127.0.0.1:${through.port}` },
  })
  await egress.send({ method: 'GET', url, timeoutMs, proxy: { url: through.url } })
  assert.deepEqual(through.auth, [
    'Digest abc',
    `Basic ${Buffer.from('us er:p@ss').toString('base64')}`,
    undefined,
  ])
})

test('egress proxy: a proxy with a denied address is rejected, by address and by name', async (t) => {
  const through = await proxy(t)
  const egress = localEgress(t, { allow: [], lookup: namesResolveTo({ 'proxy.test': ['127.0.0.1'] }) })
  for (const host of ['127.0.0.1', 'localhost', 'proxy.test']) {
    for (const url of ['https://a.test/', 'http://a.test/']) {
      await assert.rejects(
        egress.send({ method: 'GET', url, timeoutMs, proxy: { url: `http://${host}:${through.port}` } }),
        fails('refused_address'),
        host,
      )
    }
  }
  assert.deepEqual(through.seen, [])
})

test('egress proxy: a target that is a denied address is rejected', async (t) => {
  const through = await proxy(t)
  const redirecting = await serve(t, (_request, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  })
  const egress = localEgress(t, { allow: parseAllowRules(`127.0.0.1:${through.port}`) })
  for (const url of ['http://10.0.0.1/', 'https://[::1]/', 'http://localhost/', 'http://2130706433/']) {
    await assert.rejects(
      egress.send({ method: 'GET', url, timeoutMs, proxy: { url: through.url } }),
      fails('refused_address'),
      url,
    )
  }
  assert.deepEqual(through.seen, [])
  await assert.rejects(
    egress.send({
      method: 'GET',
      url: `http://a.test:${redirecting.port}/`,
      timeoutMs,
      proxy: { url: through.url },
    }),
    fails('refused_address'),
  )
})

test('egress proxy: a proxy that rejects the request is the reason, without its key', async (t) => {
  const through = await proxy(t, 407)
  const egress = localEgress(t)
  const asked = { method: 'GET', timeoutMs, proxy: { url: through.url, authKey: 's3cret' } }
  await assert.rejects(
    egress.send({ ...asked, url: 'https://a.test/' }),
    fails('connect', /proxy/, ['s3cret']),
  )
  await assert.rejects(
    egress.send({ ...asked, url: 'http://a.test/' }),
    fails('protocol', /Proxy Authentication Required/, ['s3cret']),
  )
})

test('egress proxy: a silent proxy times out after connectTimeoutMs', async (t) => {
  const url = await serveRaw(t, (socket) => {
    socket.resume()
  })
  const egress = localEgress(t, { connectTimeoutMs: 50 })
  await assert.rejects(
    egress.send({ method: 'GET', url: 'https://a.test/', timeoutMs, proxy: { url } }),
    fails('connect', /the proxy made no connection in time/),
  )
})

test('an invalid URL of a proxy is rejected', async (t) => {
  for (const url of ['socks5://127.0.0.1:1', 'nothing', 'file:///etc']) {
    await assert.rejects(
      localEgress(t).send({ method: 'GET', url: 'http://a.test/', timeoutMs, proxy: { url } }),
      fails('refused_url', /the proxy/),
      url,
    )
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails, localEgress, serve } from '#fixtures/egress.ts'

const timeoutMs = 5_000

test('egress redirects: a GET follows up to five redirects and reports the final URL', async (t) => {
  const server = await serve(t, (request, response) => {
    const count = Number(request.url!.slice(1))
    if (count > 0) response.writeHead(302, { location: `${count - 1}` }).end('moved')
    else response.end('here')
  })
  const egress = localEgress(t)
  const answer = await egress.send({ method: 'GET', url: `${server.url}/5`, timeoutMs })
  assert.deepEqual([answer.body.toString(), answer.url], ['here', `${server.url}/0`])
  await assert.rejects(
    egress.send({ method: 'GET', url: `${server.url}/6`, timeoutMs }),
    fails('too_many_redirects'),
  )
  await assert.rejects(
    egress.send({ method: 'GET', url: `${server.url}/2`, maxRedirects: 1, timeoutMs }),
    fails('too_many_redirects'),
  )
})

test('egress redirects: without redirects to follow, the redirect is the response', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.writeHead(302, { location: '/there' }).end('moved')
  })
  const egress = localEgress(t)
  for (const request of [{ method: 'POST' }, { method: 'GET', maxRedirects: 0 }]) {
    const answer = await egress.send({ url: server.url, timeoutMs, ...request })
    assert.deepEqual(
      [answer.status, answer.headers['location'], answer.body.toString()],
      [302, '/there', 'moved'],
    )
  }
  assert.equal(server.seen.length, 2)
})

test('egress redirects: method and body follow RFC 9110, section 15.4', async (t) => {
  const server = await serve(t, (request, response) => {
    const status = Number(request.url!.slice(1))
    if (status) response.writeHead(status, { location: '/' }).end()
    else response.end()
  })
  const egress = localEgress(t)
  const cases = [
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
  ] as const
  for (const [status, method, expected] of cases) {
    server.seen.length = 0
    const body = method === 'HEAD' ? undefined : '{"a":1}'
    await egress.send({
      method,
      url: `${server.url}/${status}`,
      headers: { 'Content-Type': 'application/json', accept: 'a/b' },
      ...(body && { body }),
      maxRedirects: 3,
      timeoutMs,
    })
    const { method: then, body: arrived, headers } = server.seen[1]!
    assert.equal(then, expected, `${status} ${method}`)
    assert.equal(arrived, expected === method && body ? body : '', `${status} ${method}`)
    assert.equal(headers['content-type'], expected === method ? 'application/json' : undefined)
    assert.equal(headers.accept, 'a/b')
  }
})

test('egress redirects: credentials are not sent to another origin', async (t) => {
  const other = await serve(t, (_request, response) => {
    response.end()
  })
  const first = await serve(t, (request, response) => {
    if (request.url === '/same') response.writeHead(307, { location: '/end' }).end()
    else if (request.url === '/other') response.writeHead(307, { location: other.url }).end()
    else response.end()
  })
  const headers = {
    Authorization: 'Bearer t',
    cookie: 'c=1',
    'X-API-Key': 'k',
    'X-Tenant-Token': 's',
    host: `127.0.0.1:${first.port}`,
    'x-plain': 'p',
  }
  const request = { method: 'GET', headers, sensitiveHeaders: ['x-tenant-token'], timeoutMs }
  const egress = localEgress(t)
  await egress.send({ ...request, url: `${first.url}/other` })
  const there = other.seen[0]!.headers
  assert.deepEqual(
    [
      there.authorization,
      there.cookie,
      there['x-api-key'],
      there['x-tenant-token'],
      there['x-plain'],
      there.host,
    ],
    [undefined, undefined, undefined, undefined, 'p', `127.0.0.1:${other.port}`],
  )
  await egress.send({ ...request, url: `${first.url}/same` })
  assert.equal(first.seen[2]!.headers.authorization, 'Bearer t')
  assert.equal(first.seen[2]!.headers['x-tenant-token'], 's')
})

test('egress redirects: a redirect to a denied URL is rejected', async (t) => {
  const locations = ['ftp://a.example/', 'file:///etc/passwd', 'http://user:pw@a.example/', 'http://']
  const server = await serve(t, (request, response) => {
    response.writeHead(302, { location: locations[Number(request.url!.slice(1))]! }).end()
  })
  const egress = localEgress(t)
  for (const index of locations.keys())
    await assert.rejects(
      egress.send({ method: 'GET', url: `${server.url}/${index}`, timeoutMs }),
      fails('refused_url', /./, ['pw', 'passwd']),
    )
})

test('egress redirects: a 3xx without a location is the response', async (t) => {
  const server = await serve(t, (_request, response) => {
    response.writeHead(302).end('nowhere')
  })
  assert.equal(
    (await localEgress(t).send({ method: 'GET', url: server.url, timeoutMs })).body.toString(),
    'nowhere',
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { fails, localEgress, serve } from '#fixtures/egress.ts'

const timeoutMs = 5_000

test('egress streaming: the body is received while it arrives, and the connection can be closed early', async (t) => {
  const gone = Promise.withResolvers<void>()
  const server = await serve(t, (_request, response) => {
    response.writeHead(200, { 'x-kind': 'endless' })
    response.on('close', () => gone.resolve())
    const drip = () => {
      response.write('0123456789')
      if (!response.destroyed) setImmediate(drip)
    }
    drip()
  })
  let received = ''
  const answer = await localEgress(t).send({
    method: 'POST',
    url: server.url,
    timeoutMs,
    onBody: (status, headers) =>
      status === 200 && headers['x-kind'] === 'endless'
        ? (chunk) => (received += chunk.toString()).length >= 30
        : undefined,
  })
  assert.deepEqual(
    [answer.status, answer.body.length, received.slice(0, 30)],
    [200, 0, '0123456789'.repeat(3)],
  )
  await gone.promise
})

test('egress streaming: other responses are read into memory', async (t) => {
  const server = await serve(t, (request, response) => {
    if (request.url === '/refused') response.writeHead(400).end('no')
    else if (request.url === '/gzip')
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'))
    else response.end('plain')
  })
  const egress = localEgress(t)
  const read = async (path: string, withSink: boolean) => {
    let asked = 0
    const { body } = await egress.send({
      method: 'GET',
      url: `${server.url}${path}`,
      timeoutMs,
      onBody: () => {
        asked++
        return withSink ? () => false : undefined
      },
    })
    return [body.toString(), asked]
  }
  assert.deepEqual(
    [await read('/refused', true), await read('/gzip', true), await read('/', false), await read('/', true)],
    [
      ['no', 0],
      ['packed', 0],
      ['plain', 1],
      ['', 1],
    ],
  )
})

test('egress streaming: size and time limits apply, and the caller can abort', async (t) => {
  const server = await serve(t, (request, response) => {
    response.write('x'.repeat(1_000))
    if (request.url === '/big') response.end('x'.repeat(100_000))
  })
  const egress = localEgress(t)
  const take = () => () => false
  await assert.rejects(
    egress.send({ method: 'GET', url: `${server.url}/big`, timeoutMs, bytesMax: 50_000, onBody: take }),
    fails('too_large'),
  )
  await assert.rejects(
    egress.send({ method: 'GET', url: server.url, timeoutMs: 50, onBody: take }),
    fails('timeout'),
  )
  const stop = new AbortController()
  await assert.rejects(
    egress.send({
      method: 'GET',
      url: server.url,
      timeoutMs,
      signal: stop.signal,
      onBody: () => () => {
        stop.abort()
        return false
      },
    }),
    fails('aborted'),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { fails, localEgress, serve } from '#fixtures/egress.ts'
import { EgressError } from './errors.ts'

const MEGABYTE = 1024 * 1024
const timeoutMs = 20_000

test('response budget: 24 large responses at once never exceed it, and it is free again afterwards', async (t) => {
  const body = Buffer.alloc(MEGABYTE, 'x')
  const compressed = brotliCompressSync(body)
  const server = await serve(t, ({ url }, response) =>
    url === '/br'
      ? response.writeHead(200, { 'content-encoding': 'br' }).end(compressed)
      : response.end(body),
  )
  const egress = localEgress(t, { responseBytesMax: 4 * MEGABYTE })
  for (const path of ['/', '/br']) {
    const calls = Array.from({ length: 24 }, () => {
      const lease = egress.lease()
      const request = { method: 'GET', url: `${server.url}${path}`, timeoutMs, lease }
      return { lease, sent: egress.send(request).catch((error: unknown) => error) }
    })
    const results = await Promise.all(calls.map(({ sent }) => sent))
    const received = results.filter((result) => !(result instanceof EgressError))
    assert.ok(received.length >= 1 && received.length <= 4, `${received.length} of 24`)
    for (const result of results)
      if (result instanceof EgressError) assert.ok(['busy', 'over_budget'].includes(result.kind), result.kind)
    await assert.rejects(
      egress.send({ method: 'GET', url: server.url, timeoutMs }),
      fails('busy', /Nothing was sent/),
    )
    const { length } = server.seen
    for (const { lease } of calls) lease.release()
    assert.equal((await egress.send({ method: 'GET', url: server.url, timeoutMs })).body.length, MEGABYTE)
    assert.equal(server.seen.length, length + 1, 'the rejected request was not sent')
  }
})

test('response budget: a request without a lease gives its bytes back when it ends, also with an error', async (t) => {
  const server = await serve(t, ({ url }, response) => {
    response.writeHead(200, { 'content-length': 3 * MEGABYTE })
    if (url === '/broken') response.write(Buffer.alloc(2 * MEGABYTE), () => response.destroy())
    else response.end(Buffer.alloc(3 * MEGABYTE))
  })
  const egress = localEgress(t, { responseBytesMax: 4 * MEGABYTE })
  for (const path of ['/', '/broken', '/', '/broken', '/']) {
    const sent = egress.send({ method: 'GET', url: server.url + path, timeoutMs })
    if (path === '/broken') await assert.rejects(sent, fails('reset'))
    else assert.equal((await sent).body.length, 3 * MEGABYTE)
  }
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Type } from '../../../contract/schema-type.ts'
import { route } from '../../../contract/route.ts'
import { createLog } from '../../log.ts'
import { until } from '#fixtures/until.ts'
import { closeIfUnread } from './client-disconnect.ts'
import { createServer } from './server.ts'
import { createBranding } from '../branding/branding.ts'

const slow = route({
  id: 'test.slow',
  method: 'POST',
  path: '/slow',
  summary: 'Takes its time',
  description: 'Takes its time.',
  audience: 'public',
  body: Type.Object({ text: Type.String() }),
  reply: Type.Object({ done: Type.Boolean() }),
})

/** Creates a server that accepts every caller. */
const createOpenServer = () =>
  createServer({
    log: createLog('silent'),
    brand: createBranding('service'),
    authenticate: () => ({}),
    limit: () => ({}),
    audit: { reject: async () => {}, begin: async () => async () => {} },
  })

/** A server on a port whose one operation is answered when the test says so. */
async function server(t: TestContext) {
  const { app, api } = createOpenServer()
  const started = Promise.withResolvers<AbortSignal>()
  const answer = Promise.withResolvers<void>()
  api.on(slow, async ({ signal }) => {
    started.resolve(signal)
    await answer.promise
    return { done: true }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(async () => {
    answer.resolve()
    await app.close()
  })
  const call = request({
    port: (app.server.address() as AddressInfo).port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/v3/slow',
    headers: { 'content-type': 'application/json' },
  })
  call.on('error', () => {}) // a call that the test destroys ends with one
  call.end(JSON.stringify({ text: 'x'.repeat(100_000) }))
  return { call, signal: await started.promise, answer: () => answer.resolve() }
}

test('a call: all of its own properties are values, and its signal is made once', async (t) => {
  const { app, api } = createOpenServer()
  t.after(() => app.close())
  const accessors: string[] = []
  const signals: AbortSignal[] = []
  api.on(slow, async (call) => {
    // An accessor of its own would keep all of the request in memory until the next major garbage collection.
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(call)))
      if (get) accessors.push(name)
    signals.push(call.signal, call.signal)
    return { done: true }
  })
  const reply = await app.inject({ method: 'POST', url: '/api/v3/slow', payload: { text: 'x' } })
  assert.equal(reply.statusCode, 200, reply.body)
  assert.deepEqual(accessors, [])
  assert.equal(signals[0], signals[1])
})

test('client disconnect: the signal does not fire while the caller waits', async (t) => {
  const { call, signal, answer } = await server(t)
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  assert.equal(signal.aborted, false)
  answer()
  const [response] = await once(call, 'response')
  response.resume()
  await once(response, 'close')
  assert.deepEqual([response.statusCode, signal.aborted], [200, false])
})

test('client disconnect: the signal fires when the caller leaves', async (t) => {
  const { call, signal } = await server(t)
  const abort = once(signal, 'abort')
  call.destroy()
  await abort
  assert.equal(signal.aborted, true)
})

/** No pause of a caller that reads is as long, however busy the machine is. */
const READER_MS = 60_000

test('client disconnect: a connection whose caller reads nothing is closed', async (t) => {
  const sockets: { closed: boolean }[] = []
  const web = createHttpServer((_request, response) => {
    closeIfUnread(response, sockets.length === 0 ? READER_MS : 1_000)
    const connection = { closed: false }
    sockets.push(connection)
    response.socket?.once('close', () => {
      connection.closed = true
    })
    response.end(Buffer.alloc(64_000_000))
  })
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  t.after(() => {
    web.closeAllConnections()
    web.close()
  })
  const { port } = web.address() as AddressInfo
  const reader = request({ port, host: '127.0.0.1' })
  reader.end()
  const [answer] = await once(reader, 'response')
  let bytes = 0
  for await (const chunk of answer) bytes += (chunk as Buffer).length
  assert.equal(bytes, 64_000_000)
  const sleeper = connect(port, '127.0.0.1')
  t.after(() => sleeper.destroy())
  sleeper.on('error', () => {})
  sleeper.pause()
  sleeper.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await until('the connection ends', () => sockets[1]?.closed)
})

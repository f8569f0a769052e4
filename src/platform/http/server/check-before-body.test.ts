import assert from 'node:assert/strict'
import { Agent, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { once } from 'node:events'
import { type AddressInfo, connect, type Server } from 'node:net'
import { json } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { route } from '../../../contract/route.ts'
import { Type } from '../../../contract/schema-type.ts'
import { ApiError } from '../api-error.ts'
import { createLog } from '../../log.ts'
import { createBranding } from '../branding/branding.ts'
import type { Principals } from '../call.ts'
import { createServer } from './server.ts'

const operation = route({
  id: 'test.store',
  method: 'POST',
  path: '/store',
  summary: 'Test',
  description: 'Test.',
  audience: 'project',
  body: Type.Object({ text: Type.String() }),
  reply: Type.Object({ length: Type.Integer() }),
})

/** A server that rejects calls of the project `full` before their body is read, and a client with one connection. */
async function start(t: TestContext) {
  const { app, api } = createServer({
    log: createLog('silent'),
    brand: createBranding('service'),
    authenticate: (_audience, _permission, { headers }) =>
      ({ projectId: headers['x-api-key'], settings: {} }) as unknown as Principals['project'],
    limit: () => ({}),
    audit: { reject: async () => {}, begin: async () => async () => {} },
  })
  api.on(operation, async ({ body }) => ({ length: body.text.length }), {
    checkBeforeBody({ projectId }) {
      if (projectId === 'full') throw new ApiError('HTTP_TooManyRequests', 'The project is full.')
    },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(async () => {
    agent.destroy()
    await app.close()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const call = async (project: string, body: string, headers: OutgoingHttpHeaders = {}) => {
    const sent: ClientRequest = request({
      ...{ agent, port, host: '127.0.0.1', method: 'POST', path: '/api/v3.1/store' },
      headers: { 'content-type': 'application/json', 'x-api-key': project, ...headers },
    })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const { length, error } = (await json(response)) as { length?: number; error?: { message: string } }
    return { status: response.statusCode, length, error: error?.message, isReused: sent.reusedSocket }
  }
  return { call, port, server: app.server }
}

test('a check before the body: its rejection is sent instead of those of the body', async (t) => {
  const { call } = await start(t)
  assert.deepEqual(await call('full', 'no JSON'), {
    status: 429,
    length: undefined,
    error: 'The project is full.',
    isReused: false,
  })
  assert.equal((await call('free', 'no JSON')).status, 400)
})

test('a check before the body: a large body of a rejected call is discarded, and the connection serves the next call', async (t) => {
  const { call } = await start(t)
  const large = JSON.stringify({ text: 'x'.repeat(3_000_000) })
  const length = Buffer.byteLength(large)
  for (const headers of [{ 'content-length': length }, { 'transfer-encoding': 'chunked' }]) {
    assert.equal((await call('full', large, headers)).status, 429)
    const next = await call('free', '{"text":"abc"}')
    assert.deepEqual([next.status, next.length, next.isReused], [200, 3, true])
  }
})

test('a check before the body: a client that disconnects before its body is discarded leaves no connection', async (t) => {
  const { call, port, server } = await start(t)
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'POST /api/v3.1/store HTTP/1.1\r\nhost: a\r\nx-api-key: full\r\ncontent-type: application/json\r\n' +
      `content-length: 3000000\r\n\r\n${'x'.repeat(200_000)}`,
  )
  assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 429 /)
  assert.equal(await connectionsOf(server), 1)
  socket.destroy()
  while ((await connectionsOf(server)) > 0) await setImmediate()
  assert.equal((await call('free', '{"text":"abc"}')).status, 200)
})

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { createEgress, parseAllowRules } from '../../platform/egress/index.ts'
import { sql } from '../../platform/db/sql.ts'
import { startConnectedAccountsApp, API_KEY } from '#fixtures/connected-accounts.ts'
import { CREATE, keyed } from '#fixtures/logged-calls.ts'

test('log: a call that cannot be logged is not sent', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], tools: [CREATE] })
  await keyed(s)
  await s.app.db.run(sql`alter table tool_executions rename to gone`)
  const { status } = await s.callTool({ arguments: { item: 'tea' } }, 'SHOP_CREATE_ORDER')
  assert.deepEqual([status, s.stub.requests.length], [500, 0])
})

test('execute: a timeout is 504, and a response over the limit of the tool fails with 413', async (t) => {
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  const bounds: number[] = []
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    app: {
      egress: {
        ...egress,
        send: (one) => {
          bounds.push(one.timeoutMs)
          return egress.send(one.url.toString().endsWith('/slow') ? { ...one, timeoutMs: 50 } : one)
        },
      },
    },
    toolkit: { request: { timeout_seconds: 20 } },
    tools: [
      sampleTool({
        slug: 'SHOP_SLOW',
        input: { type: 'object', properties: {} },
        request: { method: 'GET', path: '/slow', timeout_seconds: 5 },
      }),
      sampleTool({
        slug: 'SHOP_BIG',
        limits: { response_bytes: 10_000 },
        input: { type: 'object', properties: {} },
        request: { method: 'GET', path: '/big' },
      }),
    ],
    answer: ({ path }) => (path === '/slow' ? new Promise(() => {}) : { text: 'x'.repeat(10_001) }),
  })
  await keyed(s)
  const slow = await s.callTool({ arguments: {} }, 'SHOP_SLOW')
  assert.deepEqual([slow.status, slow.body.error.code, slow.headers['x-should-retry']], [504, 1842, 'false'])
  const big = await s.callTool({ arguments: {} }, 'SHOP_BIG')
  assert.deepEqual(
    [big.status, big.body.successful, big.body.data['status_code' as never]],
    [200, false, 413],
  )
  assert.match(String(big.body.error), /is larger than/)
  assert.deepEqual([[...new Set(bounds.slice(0, -1))], bounds.at(-1)], [[5_000], 20_000])
  assert.equal((await s.executionRows()).length, 2)
})

test('execute: a client that disconnects ends the request to the provider, and the row is written', async (t) => {
  let closed: Promise<unknown> | undefined
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  await keyed(s)
  const provider = createServer((incoming) => {
    closed = once(incoming.socket, 'close')
    provider.emit('asked')
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  t.after(() => {
    provider.closeAllConnections()
    provider.close()
  })
  await s.app.http.listen({ port: 0, host: '127.0.0.1' })
  const body = JSON.stringify({
    arguments: { id: '7' },
    custom_auth_params: { base_url: `http://127.0.0.1:${(provider.address() as AddressInfo).port}` },
  })
  const asked = once(provider, 'asked')
  const caller = request({
    port: (s.app.http.server.address() as AddressInfo).port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/v3/tools/execute/SHOP_GET_ORDER',
    headers: {
      'content-type': 'application/json',
      'x-api-key': s.keys.projectApiKey,
      'content-length': Buffer.byteLength(body),
    },
  })
  caller.on('error', () => {})
  caller.end(body)
  await asked
  caller.destroy()
  await closed
  let rows = await s.executionRows()
  while (!rows.length) rows = await s.executionRows()
  assert.deepEqual(
    rows.map((row) => row['successful']),
    [false],
  )
})

test('execute: a call in one packet does not count as disconnected', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  await keyed(s)
  await s.app.http.listen({ port: 0, host: '127.0.0.1' })
  const body = JSON.stringify({ user_id: 'u1', arguments: { id: '7' } })
  const socket = connect((s.app.http.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(
    `POST /api/v3/tools/execute/SHOP_GET_ORDER HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: ` +
      `${s.keys.projectApiKey}\r\ncontent-type: application/json\r\ncontent-length: ` +
      `${body.length}\r\n\r\n${body}`,
  )
  assert.match(await text(socket), /^HTTP\/1\.1 200 .*"successful":true/s)
})

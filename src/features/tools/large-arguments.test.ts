import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { startConnectedAccountsApp, API_KEY } from '#fixtures/connected-accounts.ts'
import { keyed } from '#fixtures/logged-calls.ts'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { readLog } from '../../contract/logs/index.ts'
import { createPolicy } from '../../contract/policies/index.ts'
import { unparsedMember } from '../../platform/json-outline/index.ts'

const put = (slug: string, more: object = {}) =>
  sampleTool({
    slug,
    effect: 'update',
    input: {
      type: 'object',
      properties: { id: { type: 'string' }, data: { type: 'object', ...more } },
      required: ['id', 'data'],
      additionalProperties: false,
    },
    request: { method: 'PUT', path: '/orders/{id}', body: { $: 'data' } },
  })
const ROWS = Array.from({ length: 9_000 }, (_, n) => ({ n, text: 'é'.repeat(15), ok: true }))

async function start(t: Parameters<typeof startConnectedAccountsApp>[0]) {
  /** The arguments of the latest execution, as the handler received them. */
  let latest: Record<string, { rows: object }> = {}
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: [
      put('SHOP_PUT'),
      put('SHOP_PUT_ROWS', { properties: { rows: { type: 'array', maxItems: 9_000 } } }),
    ],
    app: {
      observeCall: (_route, call) => {
        latest = (call.body as { arguments?: typeof latest } | undefined)?.arguments ?? latest
        return call
      },
    },
  })
  await keyed(s)
  const send = (body: object, tool = 'SHOP_PUT', headers: Record<string, string> = {}) =>
    s.app.http.inject({
      method: 'POST',
      url: `/api/v3.1/tools/execute/${tool}`,
      headers: { 'x-api-key': s.keys.projectApiKey, 'content-type': 'application/json', ...headers },
      payload: JSON.stringify({ user_id: 'u1', arguments: body }, undefined, 1),
    })
  const isUnparsed = () => unparsedMember(latest['data']!, 'rows') !== undefined
  const sent = () => s.stub.requests.at(-1)!.body
  return { ...s, send, isUnparsed, sent }
}

test('execute: large arguments that nothing reads are never parsed, and the application receives them', async (t) => {
  const s = await start(t)
  const reply = await s.send({ id: '7', data: { rows: ROWS } })
  assert.deepEqual([reply.statusCode, reply.json().successful, s.isUnparsed()], [200, true, true])
  assert.equal(s.sent(), JSON.stringify({ rows: ROWS }))
  const { body: log } = await s.call(readLog, { params: { id: reply.json().log_id } })
  const { arguments: logged } = (log.data as { request: { arguments: { truncated: string } } }).request
  assert.equal(logged.truncated, JSON.stringify({ id: '7', data: { rows: ROWS } }).slice(0, 16_384))
})

test('execute: large arguments that a schema, a policy or an idempotency key reads are parsed before', async (t) => {
  const s = await start(t)
  const checked = await s.send({ id: '7', data: { rows: [...ROWS, {}] } }, 'SHOP_PUT_ROWS')
  assert.match(checked.json().error, /must NOT have more than 9000 items/)
  const keyedCall = await s.send({ id: '7', data: { rows: ROWS } }, 'SHOP_PUT', { 'idempotency-key': 'k' })
  assert.deepEqual([keyedCall.json().successful, s.isUnparsed()], [true, false])
  const again = await s.send({ id: '7', data: { rows: ROWS.toReversed() } }, 'SHOP_PUT', {
    'idempotency-key': 'k',
  })
  assert.equal(again.json().error.slug, 'ActionExecute_IdempotencyKeyReused')
  await s.call(createPolicy, {
    body: {
      name: 'last row',
      outcome: 'deny',
      when: { arguments: [{ path: 'data.rows[8999].n', equals: 8_999 }] },
    } as never,
  })
  const denied = await s.send({ id: '7', data: { rows: ROWS } })
  assert.deepEqual([denied.json().error?.slug, s.isUnparsed()], ['ActionExecute_PolicyRefused', false])
})

test('execute: large bodies have the errors of small ones', async (t) => {
  const s = await start(t)
  const nested = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as unknown
  for (const data of [{ a: 'x\0' }, { a: nested }, { ['__proto__']: 1 }]) {
    const errors = async (rows: object) =>
      (await s.send({ id: '7', data: { ...data, rows } })).json().error?.errors
    const expected = await errors([])
    assert.ok(expected, JSON.stringify(data).slice(0, 50))
    assert.deepEqual(await errors(ROWS), expected)
  }
  const wrong = await s.send({ id: 7, data: { rows: ROWS } })
  assert.match(wrong.json().error, /Invalid arguments: .*id/)
  const unknown = await s.send({ id: '7', data: {}, rows: ROWS })
  assert.match(unknown.json().error, /Invalid arguments: .*rows/)
})

test('attack: bodies that are announced and never sent do not keep others of the project from being read', async (t) => {
  const s = await start(t)
  await s.app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = s.app.http.server.address() as AddressInfo
  let started = 0
  s.app.http.server.on('request', () => started++)
  const sockets = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  for (const socket of sockets)
    socket.write(
      'POST /api/v3.1/tools/execute/SHOP_PUT HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
        `x-api-key: ${s.keys.projectApiKey}\r\ncontent-length: 400000\r\n\r\n{"arguments":`,
    )
  while (started < 4) await new Promise((resolve) => setImmediate(resolve))
  const reply = await s.send({ id: '7', data: { rows: ROWS } })
  assert.deepEqual([reply.statusCode, s.isUnparsed()], [200, false])
  for (const socket of sockets) socket.destroy()
  do assert.equal((await s.send({ id: '7', data: { rows: ROWS } })).statusCode, 200)
  while (!s.isUnparsed())
})

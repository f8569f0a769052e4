import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_KEY, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { readProviderResponse, toProviderResponse } from './provider-response.ts'

const reply = (body: Buffer, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body,
  url: 'https://api.example.com/',
})
const rows = Array.from({ length: 10_000 }, (_, n) => ({ id: n, name: `row ${n} é` }))
const LARGE = { rows, total: rows.length, '2': [] }
const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value))

test('response: large JSON of a result that is sent as it is stays unparsed until a property is read', async () => {
  const response = await readProviderResponse(reply(bytesOf(LARGE)), 'project')
  const body = response.body as Record<string, unknown>
  const isUnread = () => Object.getOwnPropertyDescriptor(body, 'rows')?.get !== undefined
  assert.deepEqual([response.isUnparsed, body['total'], isUnread()], [true, rows.length, true])
  assert.deepEqual(body, LARGE)
  assert.equal(isUnread(), false)
})

test('response: failures, lists, invalid texts and short bodies are parsed as for any other call', async () => {
  const bodies = [bytesOf(rows), Buffer.from(`${'x'.repeat(300_000)}`), bytesOf({ a: 1 })]
  for (const one of [...bodies.map((body) => reply(body)), reply(bytesOf(LARGE), 500)]) {
    const response = await readProviderResponse(one, 'project')
    assert.equal(response.isUnparsed, undefined)
    assert.deepEqual(response.body, toProviderResponse(one).body)
  }
  const nested = reply(Buffer.from(`{"a":"${'x'.repeat(300_000)}","b":${'['.repeat(200)}${']'.repeat(200)}}`))
  assert.equal((await readProviderResponse(nested, 'project')).body?.constructor.name, 'FileBytes')
})

test('execute: a large response reaches the caller as the application sent it', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], answer: () => ({ json: LARGE }) })
  await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { status: 'ACTIVE', api_key: 'k' })
  const { status, body } = await s.callTool()
  assert.deepEqual([status, body.successful, body.data], [200, true, LARGE])
})

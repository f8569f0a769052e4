import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { API_KEY, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { measureProcessorTime } from '#fixtures/processor-time.ts'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import { proxyExecute } from '../../contract/tools/index.ts'

const LEVELS = 4_000_000
const BRACKETS = '['.repeat(LEVELS) + ']'.repeat(LEVELS)
const compressed = (text: string) => ({
  headers: { 'content-type': 'application/json', 'content-encoding': 'br' },
  bytes: brotliCompressSync(text),
})

test('hostile response: 8 MB of brackets in a few bytes become a file, and are not parsed', async (t) => {
  let status = 200
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    tools: [
      sampleTool({ slug: 'SHOP_ANY', input: { type: 'object' }, request: { method: 'GET', path: '/x' } }),
    ],
    answer: () => ({ status, ...compressed(BRACKETS) }),
  })
  const account = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', {
    generic_api_key: 'the-key',
  })
  let body!: Awaited<ReturnType<typeof s.callTool>>['body']
  const processorTime = await measureProcessorTime(async () => {
    ;({ body } = await s.callTool({ arguments: {} }, 'SHOP_ANY'))
  })
  const file = (body.data as { file: { mimetype: string; size: number } }).file
  assert.deepEqual([body.successful, file.mimetype, file.size], [true, 'application/json', BRACKETS.length])
  // JSON.parse takes more than 200 units for this text.
  assert.ok(processorTime < 100, `${processorTime} units`)

  const proxied = await s.call(proxyExecute, {
    body: { connected_account_id: account, method: 'GET', endpoint: '/x' },
  })
  assert.deepEqual([proxied.body.data, proxied.body.binary_data?.size], [undefined, BRACKETS.length])

  status = 400
  const failed = (await s.callTool({ arguments: {} }, 'SHOP_ANY')).body
  assert.equal(failed.successful, false)
  assert.match(failed.error ?? '', /^400 Client Error: Bad Request/)
})

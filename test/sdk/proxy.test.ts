import assert from 'node:assert/strict'
import { test } from 'node:test'
import { upstream } from '../fixtures/upstream.ts'
import { connectParse, stockSdk } from './stock-sdk.ts'

test('a request of the caller is sent with the account, and the response is returned as it was', async (t) => {
  const sdk = await stockSdk(t)
  const parse = await upstream(t, ({ path }) =>
    path === '/config' ? { json: {} } : { status: 201, json: { is_composio_managed: 'service' } },
  )
  const { request } = await connectParse(sdk, parse.url, 'ada')
  const answer = await sdk.composio.tools.proxyExecute({
    endpoint: '/schemas/Game',
    method: 'POST',
    body: { fields: { score: 'Number' } },
    connectedAccountId: request.id,
    parameters: [
      { in: 'query', name: 'limit', value: 2 },
      { in: 'header', name: 'X-Trace', value: 't1' },
    ],
  })
  assert.deepEqual([answer.status, answer.data], [201, { is_composio_managed: 'service' }])
  const { method, url, headers, body } = parse.requests.at(-1) ?? assert.fail()
  assert.deepEqual(
    [method, url, headers['x-trace'], headers['x-parse-rest-api-key'], JSON.parse(body)],
    ['POST', '/schemas/Game?limit=2', 't1', 'rest-key-1234', { fields: { score: 'Number' } }],
  )
})

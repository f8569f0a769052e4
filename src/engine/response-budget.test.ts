import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localEgress } from '#fixtures/egress.ts'
import { API_KEY, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'

const MEGABYTE = 1024 * 1024

test('response budget: a call beyond it returns 503 with Retry-After before anything is sent', async (t) => {
  const egress = localEgress(t, { responseBytesMax: MEGABYTE })
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY], app: { egress } })
  await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { status: 'ACTIVE', api_key: 'k' })
  const others = egress.lease()
  assert.ok(others.add(0.9 * MEGABYTE))
  const rejected = await s.callTool()
  assert.deepEqual(
    [rejected.status, rejected.body.error.slug, rejected.headers['retry-after'], s.stub.requests.length],
    [503, 'HTTP_ServiceUnavailable', '1', 0],
  )
  others.release()
  for (let call = 0; call < 3; call++) assert.equal((await s.callTool()).status, 200)
  assert.ok(others.add(MEGABYTE), 'calls that ended hold nothing')
})

test('response budget: a response that does not fit is dropped, and the result says so', async (t) => {
  const egress = localEgress(t, { responseBytesMax: MEGABYTE })
  const s = await startConnectedAccountsApp(t, {
    auth: [API_KEY],
    app: { egress },
    answer: () => ({ json: { text: 'x'.repeat(0.7 * MEGABYTE) } }),
  })
  await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', { status: 'ACTIVE', api_key: 'k' })
  const others = egress.lease()
  assert.ok(others.add(0.6 * MEGABYTE))
  const { status, body } = await s.callTool()
  assert.deepEqual([status, body.successful], [200, false])
  assert.match(body.error ?? '', /too many large responses in memory, and dropped this one/)
  others.release()
  assert.equal((await s.callTool()).body.successful, true)
})

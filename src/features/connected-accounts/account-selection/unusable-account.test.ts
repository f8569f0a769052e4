import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_KEY, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { setAuthConfigStatus } from '../../../contract/auth-configs/index.ts'
import { setConnectedAccountStatus } from '../../../contract/connected-accounts/index.ts'
import { sql } from '../../../platform/db/sql.ts'

test('execute: an account that expired or was disabled is reported with its reason, also by user_id', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: () => [API_KEY] })
  const config = await s.addAuthConfig('API_KEY')
  const add = () => s.addAccount(config, 'API_KEY', { generic_api_key: 'kkkkkkkk' })
  const run = async (body: Record<string, unknown> = { user_id: 'u1' }) => {
    const { status, body: reply } = await s.callTool(body)
    return [status, reply.error?.slug ?? null, reply.error?.message ?? null]
  }
  assert.deepEqual((await run()).slice(0, 2), [404, 'ActionExecute_ConnectedAccountNotFound'])
  const id = await add()
  const set = (enabled: boolean) =>
    s.call(setConnectedAccountStatus, { params: { nanoid: id }, body: { enabled } })
  await set(false)
  assert.deepEqual(await run(), [
    422,
    'ActionExecute_ConnectedAccountNotActive',
    `The connected account ${id} is in INACTIVE state, not ACTIVE: Changed by the user.`,
  ])
  assert.deepEqual(await run(), await run({ user_id: 'u1', connected_account_id: id }))
  await set(true)
  await s.call(setAuthConfigStatus, { params: { nanoid: config, status: 'DISABLED' } })
  assert.match(String((await run())[2]), /^The auth config ac_\w+ of the account ca_\w+ is disabled\.$/)
  await s.call(setAuthConfigStatus, { params: { nanoid: config, status: 'ENABLED' } })
  await s.app.db.run(
    sql`update connected_accounts set status = 'EXPIRED', status_reason = 'The grant ended.' where id = ${id}`,
  )
  assert.deepEqual(await run(), [
    410,
    'ActionExecute_ConnectedAccountExpired',
    `The connected account ${id} is in EXPIRED state: The grant ended.`,
  ])
  assert.deepEqual((await run({ user_id: 'u2' })).slice(0, 2), [
    404,
    'ActionExecute_ConnectedAccountNotFound',
  ])
  await add()
  assert.equal((await run())[0], 200)
  assert.equal(s.stub.requests.length, 1)
})

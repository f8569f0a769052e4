import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { setAuthConfigStatus } from '../../../contract/auth-configs/index.ts'
import { setConnectedAccountStatus } from '../../../contract/connected-accounts/index.ts'
import type { Catalog } from '../../../catalog/index.ts'
import type { EngineAccount } from '../../../engine/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { API_KEY, connectedAccountHelpers, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { testApp } from '#fixtures/app.ts'
import { createAccountCache } from './account-cache.ts'

/** An account that two servers on one database have in memory, and calls of both. */
async function startTwoServers(t: TestContext) {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const other = await testApp(t, { catalog: s.catalog, sameDatabaseAs: s })
  const config = await s.addAuthConfig('API_KEY')
  const id = await s.addAccount(config, 'API_KEY', { generic_api_key: 'kkkkkkkk' })
  const calls = [s.callTool, connectedAccountHelpers(other, other.call).callTool]
  const statuses = async () => {
    const replies = calls.flatMap((call) => [call(), call({ connected_account_id: id })])
    return (await Promise.all(replies)).map(({ status }) => status)
  }
  return { s, config, id, statuses }
}
const ALLOWED = [200, 200, 200, 200]
const REJECTED = [422, 422, 422, 422]

test('accounts in memory: a change has effect for the next call on every server', async (t) => {
  const { s, id, config, statuses } = await startTwoServers(t)
  assert.deepEqual(await statuses(), ALLOWED)
  for (let round = 0; round < 10; round++) {
    for (const enabled of [false, true]) {
      await s.call(setConnectedAccountStatus, { params: { nanoid: id }, body: { enabled } })
      assert.deepEqual(await statuses(), enabled ? ALLOWED : REJECTED)
    }
    for (const status of ['DISABLED', 'ENABLED'] as const) {
      await s.call(setAuthConfigStatus, { params: { nanoid: config, status } })
      assert.deepEqual(await statuses(), status === 'ENABLED' ? ALLOWED : REJECTED)
    }
  }
})

test('accounts in memory: a server that missed reports of changes reads accounts again', async (t) => {
  const { s, id, statuses } = await startTwoServers(t)
  const setStatus = (status: string) => sql`update connected_accounts set status = ${status} where id = ${id}`
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(await statuses(), ALLOWED)
    await s.app.db.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'patchbay-listen-changes' and datname = current_database()`)
    await s.app.db.run(setStatus('INACTIVE'))
    assert.deepEqual(await statuses(), REJECTED)
    await s.app.db.run(setStatus('ACTIVE'))
    assert.deepEqual(await statuses(), ALLOWED)
  }
})

const REPORTED = {
  user_id: sql`'u2'`,
  toolkit_slug: sql`'mail'`,
  auth_scheme: sql`'BASIC'`,
  status: sql`'EXPIRED'`,
  status_reason: sql`'because'`,
  credentials: sql`'\\x00'`,
  credentials_version: sql`credentials_version + 1`,
  token_expires_at: sql`now()`,
  auth_failures: sql`auth_failures + 1`,
  account_type: sql`'SHARED'`,
  acl: sql`'{"allow_all_users": true}'`,
  connected_at: sql`now()`,
  deleted_at: sql`now()`,
}

test('accounts in memory: the database reports each change that calls read, and no lease of a refresh', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [API_KEY] })
  const config = await s.addAuthConfig('API_KEY')
  await s.addAccount(config, 'API_KEY', { generic_api_key: 'kkkkkkkk' })
  const reports: unknown[] = []
  const client = new pg.Client({ connectionString: s.databaseUrl })
  client.on('error', () => {}) // a failed test leaves it open
  await client.connect()
  client.on('notification', ({ payload }) => reports.push(JSON.parse(payload ?? '')))
  await client.query('listen changes')
  const reportsOf = async (text: string) => {
    await client.query(text)
    return reports.splice(0).map((report) => (report as { userId: unknown }).userId)
  }
  for (const [column, { sql: value }] of Object.entries(REPORTED)) {
    const seen = await reportsOf(`update connected_accounts set ${column} = ${value}`)
    assert.deepEqual([column, seen], [column, column === 'user_id' ? [null, 'u2'] : ['u2']])
  }
  assert.deepEqual(await reportsOf("update connected_accounts set user_id = 'u1'"), [null, 'u1'])
  assert.deepEqual(
    await reportsOf("update connected_accounts set refresh_lease = 'l', refresh_lease_until = now()"),
    [],
  )
  assert.deepEqual(await reportsOf("update auth_configs set status = 'DISABLED'"), [null])
  // A payload has no room for a long user id. Equal messages of a transaction are sent once.
  assert.deepEqual(await reportsOf("update connected_accounts set user_id = repeat('u', 1001)"), [null])
  await client.end()
})

const CATALOG = {} as Catalog
const accountOf = (userId: string) => ({
  account: { id: `ca_${userId}`, userId } as EngineAccount,
  catalog: CATALOG,
  revision: 1,
})
const nameOf = (userId: string, projectId = 'p1') => ({ projectId, userId, toolkit: 'shop' })

test('account cache: a report removes the accounts of its user, or of all users of its project', async () => {
  const cache = createAccountCache(async () => true)
  const names = [nameOf('a'), nameOf('b'), nameOf('a', 'p2'), { projectId: 'p1', id: 'ca_a' }]
  const fill = () => {
    for (const name of names) cache.prepareAdd()(name, accountOf('userId' in name ? name.userId : 'a'))
  }
  const known = async () =>
    (await Promise.all(names.map((name) => cache.find(name)))).map((one) => one !== undefined)
  fill()
  assert.deepEqual(await known(), [true, true, true, true])
  cache.forget('p1', 'a')
  assert.deepEqual(await known(), [false, true, true, false])
  fill()
  cache.forget('p1', null)
  assert.deepEqual(await known(), [false, false, true, false])
  fill()
  cache.forgetAll()
  assert.deepEqual(await known(), [false, false, false, false])
})

test('account cache: an account that was read before a report is not added after it', async () => {
  const cache = createAccountCache(async () => true)
  const add = cache.prepareAdd()
  cache.forget('p1', 'another user')
  add(nameOf('a'), accountOf('a'))
  assert.equal(await cache.find(nameOf('a')), undefined)
})

test('account cache: an account is not used without a confirmation, and not if it changed until then', async () => {
  const confirmations: ((isConfirmed: boolean) => void)[] = []
  const cache = createAccountCache(() => new Promise((resolve) => confirmations.push(resolve)))
  const found = () => {
    cache.prepareAdd()(nameOf('a'), accountOf('a'))
    return cache.find(nameOf('a'))
  }
  const unconfirmed = found()
  confirmations[0]?.(false)
  assert.equal(await unconfirmed, undefined)
  const changed = found()
  cache.forget('p1', 'a')
  confirmations[1]?.(true)
  assert.equal(await changed, undefined)
  const valid = found()
  confirmations[2]?.(true)
  assert.equal((await valid)?.account.id, 'ca_a')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../platform/db/sql.ts'
import { startRefreshableAccount } from '#fixtures/token-refresh.ts'

test('keep-alive: an idle grant is refreshed at half of its lifetime, by one of several replicas', async (t) => {
  const s = await startRefreshableAccount(t, { refresh: { max_idle_seconds: 86_400 } })
  const sweep = async () => {
    await Promise.all(
      s.app.schedules
        .filter(({ task }) => task === 'connectedAccounts.refreshIdle')
        .flatMap((one) => [one.run(), one.run(), one.run()]),
    )
  }
  const rested = (hours: number) =>
    s.app.db.run(
      sql`update connected_accounts set refreshed_at = now() - make_interval(hours => ${hours}),
          refresh_attempted_at = null`,
    )
  await rested(11)
  await sweep()
  assert.equal(s.tokenRequests().length, 0)
  await rested(13)
  await sweep()
  await sweep()
  assert.equal(s.tokenRequests().length, 1)
  assert.equal((await s.storedCredentials())['access_token'], 'access-2')
  await s.app.db.run(sql`update connected_accounts set status = 'INACTIVE'`)
  await rested(24)
  await sweep()
  assert.equal(s.tokenRequests().length, 1)
})

const abandoned = (s: Awaited<ReturnType<typeof startRefreshableAccount>>) =>
  Promise.all(
    s.app.schedules
      .filter(({ task }) => task === 'connectedAccounts.refreshOrphanedLeases')
      .flatMap((one) => [one.run(), one.run()]),
  )

test('orphaned leases: a refresh of a killed server is repeated once, by one replica; a live one stays', async (t) => {
  const s = await startRefreshableAccount(t, { refresh: { rotates: 'always', reuse_grace_seconds: 600 } })
  const lease = (until: string) =>
    s.app.db.run(
      sql`update connected_accounts set refresh_lease = 'of-a-server',
          refresh_lease_until = now() + ${until}::interval`,
    )
  await lease('2 seconds')
  await abandoned(s)
  assert.equal(s.tokenRequests().length, 0)
  await lease('-1 second')
  s.clock.advance(7_200_000)
  await abandoned(s)
  await abandoned(s)
  assert.equal(s.tokenRequests().length, 1)
  const { refresh_lease: left, status } = await s.accountRow(s.id)
  assert.deepEqual(
    [(await s.storedCredentials())['refresh_token'], left, status],
    ['refresh-2', null, 'ACTIVE'],
  )
})

test('keep-alive: an account that fails does not block others, and a disabled one is skipped', async (t) => {
  const s = await startRefreshableAccount(t, { refresh: { rotates: 'always', reuse_grace_seconds: 600 } })
  const config = (await s.readAccount(s.id)).auth_config.id
  const broken = await s.addAccount(
    config,
    'OAUTH2',
    { status: 'ACTIVE', access_token: 'a', refresh_token: 'r', expires_in: 3600 },
    { user_id: 'u2' },
  )
  const off = await s.addAccount(
    config,
    'OAUTH2',
    { status: 'ACTIVE', access_token: 'b', refresh_token: 'off', expires_in: 3600 },
    { user_id: 'u3' },
  )
  await s.app.db.run(
    sql`update connected_accounts set refresh_lease = 'of-a-server', refresh_lease_until = now() - interval '1 second'`,
  )
  await s.app.db.run(sql`update connected_accounts set credentials = '\\x00' where id = ${broken}`)
  await s.app.db.run(sql`update connected_accounts set status = 'INACTIVE' where id = ${off}`)
  await abandoned(s)
  assert.deepEqual(
    s.tokenRequests().map(({ body }) => new URLSearchParams(body).get('refresh_token')),
    ['refresh-1'],
  )
})

test('keep-alive: a failed refresh is retried after one hour, and a rejection expires the account', async (t) => {
  const s = await startRefreshableAccount(t, { refresh: { max_idle_seconds: 86_400 } })
  const sweep = () =>
    Promise.all(
      s.app.schedules.filter(({ task }) => task === 'connectedAccounts.refreshIdle').map((one) => one.run()),
    )
  await s.app.db.run(
    sql`update connected_accounts set refreshed_at = now() - interval '20 hours',
        token_expires_at = now() - interval '19 hours'`,
  )
  s.provider.token = () => ({ status: 503 })
  await sweep()
  const asked = s.tokenRequests().length
  await sweep()
  assert.deepEqual([s.tokenRequests().length, (await s.accountRow(s.id))['status']], [asked, 'ACTIVE'])
  await s.app.db.run(sql`update connected_accounts set refresh_attempted_at = now() - interval '2 hours'`)
  s.provider.token = () => ({ status: 400, json: { error: 'invalid_grant' } })
  s.clock.advance(60_000)
  await sweep()
  assert.equal((await s.accountRow(s.id))['status'], 'EXPIRED')
})

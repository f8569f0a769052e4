import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteAuthConfig } from '../../../../contract/auth-configs/index.ts'
import {
  deleteConnectedAccount,
  readConnectedAccount,
} from '../../../../contract/connected-accounts/index.ts'
import { sql } from '../../../../platform/db/sql.ts'
import { setAccountStatus } from '#fixtures/triggers.ts'
import { startRegistrations, type Registrations } from '#fixtures/registrations.ts'
import { storedEvents, storedTriggerLogs } from '#fixtures/events.ts'

test('webhook triggers: refresh and removal of registrations', async (t) => {
  const fixture = await startRegistrations(t)
  await t.test(
    'an application that calls the URL before it responds receives a response, and the values that it sends are ' +
      'stored once',
    () => checkEarlyCall(fixture),
  )

  await t.test(
    'an expiring registration is renewed, a lost one is created again, and a rejected one disables the trigger',
    () => checkExpiringRegistration(fixture),
  )

  await t.test('an account that expires and is ACTIVE again keeps its registrations', () =>
    checkExpiredAccount(fixture),
  )

  await t.test('a ping creates no event and polls the trigger at once', () => checkPing(fixture))

  await t.test('webhooks are removed at the application before their account is deleted', () =>
    checkAccountDeletion(fixture),
  )

  await t.test('webhooks of all accounts are removed before their auth config is deleted', () =>
    checkAuthConfigDeletion(fixture),
  )
})

async function checkEarlyCall({ s, make, end }: Registrations): Promise<void> {
  const shaken: unknown[] = []
  s.application.answer = async ({ path, method, body }) => {
    if (path !== '/hooks' || method !== 'POST') return undefined
    const { url } = JSON.parse(body) as { url: string }
    for (const secret of ['brought-1', 'brought-2']) {
      const { status, headers } = await s.deliver(url, '', { 'x-hook-secret': secret })
      shaken.push([status, headers['x-hook-secret']])
    }
    return undefined
  }
  const id = await make('ORDER_SHAKEN')
  s.application.answer = undefined
  assert.deepEqual(shaken, [
    [200, 'brought-1'],
    [401, undefined],
  ])
  const hook = { ...s.hook(), secret: 'brought-1' }
  assert.equal((await s.send(hook, 'd-1', { shaken: true })).status, 200)
  assert.deepEqual((await s.payloads()).at(-1), { shaken: true })
  assert.equal((await s.deliver(hook.url, '', { 'x-hook-secret': 'brought-3' })).status, 401)
  await end(id)
}

async function checkExpiringRegistration({ make, s, switched, end }: Registrations): Promise<void> {
  const id = await make('ORDER_LENT')
  const hook = s.hook()
  const nearlyOver = () =>
    s.db.run(
      sql`update trigger_registrations
              set registered_at = now() - interval '50 minutes', expires_at = now() + interval '5 minutes',
              renew_at = now()`,
    )
  const renew = async (isLast = false) => {
    await nearlyOver()
    await s.schedule('triggers.renewRegistrations')
    return s.work(isLast)
  }
  assert.match(String(hook.until), /^\d{4}-.*Z$/)
  await s.schedule('triggers.renewRegistrations')
  assert.equal(await s.work(), 0, 'nothing is renewed before its time')
  assert.equal(await renew(), 1)
  assert.deepEqual(
    s.stub.requests.slice(-1).map(({ method, path }) => [method, path]),
    [['PATCH', `/hooks/${[...s.hooks.keys()][0]}`]],
  )
  const later = await s.db.one<{ ok: boolean }>(
    sql`select expires_at > now() + interval '50 minutes'
            and renew_at > now() + interval '30 minutes' as ok from trigger_registrations`,
  )
  assert.equal(later?.ok, true)
  s.hooks.clear()
  await renew()
  assert.deepEqual([s.hooks.size, s.hook().url === hook.url, (await s.registrations()).length], [1, false, 1])
  s.application.answer = () => ({ status: 500, json: {} })
  await assert.rejects(renew())
  assert.equal((await s.instance(id))['disabled_at'], null, 'what may pass is tried again')
  s.application.answer = () => ({ status: 403, json: { message: 'not allowed' } })
  await renew()
  assert.equal((await s.instance(id))['disabled_reason'], 'subscription_refresh_failure')
  assert.equal(
    (await storedEvents(s.db)).filter(
      ({ type, data }) =>
        type === 'trigger.disabled' && data['disabled_reason'] === 'subscription_refresh_failure',
    ).length,
    1,
  )
  s.application.answer = undefined
  const logged = await storedTriggerLogs(s.db, sql`instance_id = ${id}`)
  assert.deepEqual(
    logged.map(({ kind }) => kind),
    ['gap', 'failure', 'disabled'],
  )
  assert.match(logged[0]?.message ?? '', /did not have the webhook any more\. It was registered again/)
  await s.work()
  assert.equal((await switched(id, 'enable')).status, 200)
  await s.work()
  await end(id)
}

async function checkExpiredAccount({ make, s, account }: Registrations): Promise<void> {
  const id = await make('ORDER_SENT')
  const before = (await s.payloads()).length
  await setAccountStatus(s.db, account, 'EXPIRED')
  await s.work()
  assert.deepEqual([(await s.instance(id))['disabled_reason'], s.hooks.size], ['connection_expired', 1])
  assert.equal((await s.send(s.hook(), 'd-8', {})).status, 200)
  await setAccountStatus(s.db, account, 'ACTIVE')
  await s.work()
  assert.deepEqual([(await s.instance(id))['disabled_at'], s.hooks.size], [null, 1])
  await s.send(s.hook(), 'd-9', { back: true })
  assert.deepEqual((await s.payloads()).slice(before), [{ back: true }])
}

async function checkPing({ make, s }: Registrations): Promise<void> {
  const id = await make('ORDER_PINGED')
  const due = async () =>
    (
      await s.db.one<{ due: boolean }>(
        sql`select next_run <= now() as due from trigger_polls where instance_id = ${id}`,
      )
    )?.due
  const ping = () => s.deliver(s.hook().url, '', { 'x-token': s.hook().secret })
  const before = (await s.payloads()).length
  assert.equal(await due(), false)
  assert.equal((await ping()).status, 200)
  assert.equal(await due(), true)
  await s.db.run(
    sql`update trigger_polls set next_run = now() + interval '30 seconds' where instance_id = ${id}`,
  )
  await ping()
  assert.equal(await due(), false, 'a poll that may be under way is not made twice')
  assert.equal(
    (
      await s.db.rows(
        sql`select 1 from graphile_worker.jobs where task_identifier = 'triggers.wake'
              and run_at > now() + interval '50 seconds'`,
      )
    ).length,
    1,
  )
  assert.equal((await s.payloads()).length, before)
}

async function checkAccountDeletion({ s, account }: Registrations): Promise<void> {
  assert.ok(s.hooks.size > 0)
  assert.equal((await s.call(deleteConnectedAccount, { params: { nanoid: account } })).status, 200)
  await s.work()
  assert.deepEqual([s.hooks.size, await s.registrations()], [0, []])
}

async function checkAuthConfigDeletion({ s }: Registrations): Promise<void> {
  const credentials = { generic_api_key: 'key-1', subdomain: 'acme' }
  const otherConfig = await s.addAuthConfig('API_KEY')
  const other = await s.addAccount(otherConfig, 'API_KEY', credentials, { user_id: 'u1' })
  const [first, second] = [await s.connect(), await s.connect()]
  const read = await s.call(readConnectedAccount, { params: { nanoid: first } })
  const authConfig = read.body.auth_config.id
  for (const id of [first, second, other]) await s.upsert('ORDER_SENT', { connected_account_id: id })
  const before = s.hooks.size
  assert.equal((await s.call(deleteAuthConfig, { params: { nanoid: authConfig } })).status, 200)
  assert.deepEqual(
    [
      before,
      s.hooks.size,
      await s.db.rows(sql`select connected_account_id as id from trigger_registrations`),
    ],
    [3, 1, [{ id: other }]],
    'another auth config keeps its webhooks',
  )
}

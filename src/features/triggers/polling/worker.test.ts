import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#fixtures/until.ts'
import { sampleTrigger } from '#fixtures/sample-toolkits.ts'
import { setTriggerStatus } from '../../../contract/triggers/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { CLIENT, oauth } from '#fixtures/connected-accounts.ts'
import { give, setAccountStatus, triggered } from '#fixtures/triggers.ts'
import { removeOldLogs } from '../logs/store.ts'
import { claimPolls, recoverPolls, releasePolls, storePolls } from './store.ts'

const capacity = { limit: 100, perProject: 10, perBusyProject: new Map<string, number>() }

test('what comes is told in the order it came, once, with its log; nothing new stores nothing', async (t) => {
  const s = await triggered(t)
  s.orders.push({ id: 1 })
  const id = await s.trigger({ trigger_config: { shelf: 'a' } })
  s.app.startPolling()
  give(s.orders, { id: 2 }, { id: 3, kind: 'test' }, { id: 4, shelf: 'b' }, { id: 5, shelf: 'a' })
  await s.polled(id)
  assert.deepEqual(await s.payloads(), [{ order: 5 }], 'of those that fit')
  give(s.orders, { id: 6, shelf: 'a' }, { id: 7, shelf: 'a' })
  await s.polled(id)
  const { state } = (await s.poll(id)) ?? {}
  await s.polled(id)
  assert.deepEqual(
    [await s.payloads(), (await s.poll(id))?.['state']],
    [[{ order: 5 }, { order: 6 }, { order: 7 }], state],
  )
  const [event] = await s.events()
  const [row] = await s.listed()
  assert.deepEqual(
    [
      event?.type,
      event?.data['trigger_slug'],
      event?.data['trigger_id'],
      event?.data['trigger_uuid'],
      event?.data['connected_account_id'],
      event?.data['auth_config_id'],
      event?.data['user_id'],
    ],
    ['trigger.message', 'SHOP_NEW_ORDER', id, row?.uuid, row?.connected_account_id, s.configId, 'u1'],
  )
  assert.deepEqual(
    (await s.logs()).map(({ kind, event_id }) => [kind, event_id !== null]),
    [
      ['event', true],
      ['event', true],
      ['event', true],
    ],
  )
  assert.ok(Date.parse(row?.state.last_ok ?? '') >= Date.parse(row?.state.last_run ?? ''))
})

test('failures are logged and come further apart, a pause that is asked for is kept to, and the next success ends it', async (t) => {
  const s = await triggered(t)
  const id = await s.trigger({ trigger_config: { interval: 1 } })
  s.app.startPolling()
  const away = async () =>
    (
      await s.db.one<{ s: number }>(
        sql`select extract(epoch from next_run - now())::float8 as s from trigger_polls where instance_id = ${id}`,
      )
    )?.s ?? 0
  s.application.answer = () => ({ status: 404, json: { message: 'no shelf, key secret-key-1' } })
  await s.polled(id)
  const first = await away()
  await s.polled(id)
  assert.ok(first > 30 && (await away()) > 1.5 * first, `${first}, then ${await away()}`)
  assert.deepEqual(
    [(await s.listed())[0]?.state.failures, (await s.logs()).map(({ kind }) => kind)],
    [2, ['failure', 'failure']],
  )
  assert.match((await s.logs())[0]?.message ?? '', /^404 .*no shelf/)
  assert.doesNotMatch((await s.logs())[0]?.message ?? '', /secret-key-1/)
  s.application.answer = () => ({ status: 429, json: {}, headers: { 'retry-after': '1200' } })
  await s.polled(id)
  assert.ok((await away()) > 1_190, `${await away()} s`)
  const asked = s.stub.requests.length
  await s.polled(id)
  assert.deepEqual(
    [s.stub.requests.length, (await s.logs()).length],
    [asked, 3],
    'while it is paused nothing is asked, and nothing is said of it',
  )
  s.application.answer = undefined
  s.clock.advance(1_300_000)
  give(s.orders, { id: 9 })
  await s.polled(id)
  assert.deepEqual([(await s.listed())[0]?.state.failures, await s.payloads()], [0, [{ order: 9 }]])
})

test('what fails for good is disabled with its reason and an event, and an account that is refused takes its triggers with it', async (t) => {
  const s = await triggered(t)
  const [id, other] = [await s.trigger(), await s.trigger({ trigger_config: { shelf: 'z' } })]
  s.application.answer = () => ({ status: 403, json: { message: 'not yours' } })
  await s.db.run(
    sql`update trigger_polls set failures = 9, failing_since = now() - interval '2 hours', next_run = now() where instance_id = ${id}`,
  )
  s.app.startPolling()
  await until(
    'it is disabled',
    async () =>
      (await s.listed({ show_disabled: true, trigger_ids: [id] }))[0]?.disabled_reason ===
      'polling_failure_in_service_infra',
  )
  assert.deepEqual(
    [
      (await s.events()).map(({ type, data }) => [type, data['disabled_reason']]),
      (await s.logs()).map(({ kind }) => kind).sort(),
    ],
    [[['trigger.disabled', 'polling_failure_in_service_infra']], ['disabled', 'failure']],
  )
  s.application.answer = undefined
  give(s.orders, { id: 5 })
  await s.call(setTriggerStatus, { params: { trigger_id: id }, body: { status: 'enable' } })
  await until('what came meanwhile is told', async () => (await s.payloads()).length === 1)
  s.application.answer = () => ({ status: 401, json: {} })
  for (let refusal = 1; refusal <= 3; refusal++) {
    if (refusal < 3) await s.polled(other)
    else await s.hurry()
  }
  await until(
    'its account is EXPIRED',
    async () =>
      (await s.listed({ show_disabled: true, trigger_ids: [other] }))[0]?.disabled_reason ===
      'connection_expired',
  )
})

test('a poll is of one worker: who was too slow, or whose trigger was disabled meanwhile, writes nothing', async (t) => {
  const s = await triggered(t)
  const id = await s.trigger()
  await s.hurry()
  const [slow] = await claimPolls(s.db, capacity)
  assert.deepEqual([slow?.id, (await claimPolls(s.db, capacity)).length], [id, 0])
  const outcome = {
    id,
    claim: slow!.claim,
    ok: true,
    delay_s: 60,
    interval_seconds: 60,
    state: null,
    log: null,
  }
  await s.hurry()
  const [quick] = await claimPolls(s.db, capacity)
  assert.deepEqual(await storePolls(s.db, [outcome]), [], 'another has taken it')
  assert.deepEqual(await storePolls(s.db, [{ ...outcome, claim: quick!.claim }]), [id])
  assert.equal(await releasePolls(s.db, [slow!]), 0)
  await s.hurry()
  const [last] = await claimPolls(s.db, capacity)
  await s.call(setTriggerStatus, { params: { trigger_id: id }, body: { status: 'disable' } })
  assert.deepEqual(
    [await storePolls(s.db, [{ ...outcome, claim: last!.claim }]), (await s.poll(id))?.['next_run']],
    [[], null],
  )
})

test('cursor and events are one: when the events cannot be stored, the poll comes again and tells them', async (t) => {
  const s = await triggered(t)
  const id = await s.trigger()
  await s.db.run(
    sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`,
  )
  await s.db.run(sql`create trigger refuse before insert on events for each row execute function refuse()`)
  give(s.orders, { id: 1 }, { id: 2 })
  s.app.startPolling()
  const asked = s.stub.requests.length
  await s.hurry()
  await until('it was asked', () => s.stub.requests.length > asked)
  const { state } = (await s.poll(id)) ?? {}
  await s.db.run(sql`drop trigger refuse on events`)
  await s.polled(id)
  assert.deepEqual(await s.payloads(), [{ order: 1 }, { order: 2 }])
  assert.notDeepEqual((await s.poll(id))?.['state'], state)
})

test('projects take turns, those that are busy take none, and a project whose triggers are off is left alone', async (t) => {
  const s = await triggered(t)
  for (const shelf of ['a', 'b', 'c']) await s.trigger({ trigger_config: { shelf } })
  const call = await s.otherProject()
  const theirs = s.onStage(call)
  const account = await theirs.addAccount(await theirs.addAuthConfig('API_KEY'), 'API_KEY', {
    generic_api_key: 'k',
  })
  await s.upsert({ connected_account_id: account }, 'SHOP_NEW_ORDER', call)
  await s.hurry()
  const few = await claimPolls(s.db, { ...capacity, perProject: 1 })
  assert.equal(new Set(few.map(({ project_id }) => project_id)).size, 2)
  await releasePolls(s.db, few)
  const own = s.keys.projectId
  assert.deepEqual(
    (await claimPolls(s.db, { ...capacity, perBusyProject: new Map([[own, 0]]) })).map(
      ({ project_id }) => project_id === own,
    ),
    [false],
  )
  await s.hurry()
  await s.db.run(sql`update projects set triggers_enabled = false where id = ${own}`)
  assert.equal((await claimPolls(s.db, capacity)).filter(({ project_id }) => project_id === own).length, 0)
})

test('an instance that nobody would poll is brought back, one that is late for long is stalled, old lines of the log go', async (t) => {
  const s = await triggered(t)
  const [lost, far, off] = [
    await s.trigger({ trigger_config: { shelf: 'a' } }),
    await s.trigger({ trigger_config: { shelf: 'b' } }),
    await s.trigger({ trigger_config: { shelf: 'c' } }),
  ]
  await s.call(setTriggerStatus, { params: { trigger_id: off }, body: { status: 'disable' } })
  await s.db.run(
    sql`update trigger_polls set next_run = case when instance_id = ${far} then now() + interval '400 days' end`,
  )
  assert.equal(await recoverPolls(s.db), 2)
  await s.db.run(sql`update trigger_polls set last_ok = now() - interval '1 day'`)
  await s.db.run(sql`update trigger_instances set updated_at = now() - interval '1 day'`)
  assert.deepEqual(
    (await s.listed({ show_disabled: true })).map(({ id, state }) => [id, state.stalled]).sort(),
    [
      [far, true],
      [lost, true],
      [off, false],
    ].sort(),
  )
  await s.db.run(sql`update trigger_logs set created_at = now() - interval '40 days'`)
  assert.deepEqual([await removeOldLogs(s.db, 30), await s.logs()], [false, []])
})

test('a token that ended is renewed for a poll; a grant that is dead disables the trigger, which tells what came meanwhile when the account works again', async (t) => {
  const s = await triggered(t, { auth: (url) => [oauth(url)] })
  const account = await s.addAccount(await s.addAuthConfig('OAUTH2', CLIENT), 'OAUTH2', {
    status: 'ACTIVE',
    access_token: 'access-1',
    refresh_token: 'refresh-1',
    expires_in: 3600,
  })
  const provider = { good: 'access-1', dead: false }
  s.application.answer = (path, { headers }) => {
    if (path === '/token')
      return provider.dead
        ? { status: 400, json: { error: 'invalid_grant' } }
        : {
            json: {
              access_token: (provider.good = 'access-2'),
              refresh_token: 'refresh-2',
              expires_in: 3600,
            },
          }
    return headers['authorization'] === `Bearer ${provider.good}` ? undefined : { status: 401, json: {} }
  }
  const id = (await s.upsert({ connected_account_id: account })).body.trigger_id
  s.app.startPolling()
  s.clock.advance(7_200_000)
  give(s.orders, { id: 1 })
  await s.polled(id)
  assert.deepEqual(await s.payloads(), [{ order: 1 }])
  provider.dead = true
  s.clock.advance(7_200_000)
  await s.hurry()
  await until(
    'it is disabled',
    async () => (await s.listed({ show_disabled: true }))[0]?.disabled_reason === 'connection_expired',
  )
  assert.deepEqual((await s.events()).map(({ type }) => type).sort(), [
    'connected_account.expired',
    'trigger.disabled',
    'trigger.message',
  ])
  give(s.orders, { id: 2 }, { id: 3 })
  provider.dead = false
  await setAccountStatus(s.db, account, 'ACTIVE')
  await until('what came meanwhile is told', async () => (await s.payloads()).length === 3)
  assert.deepEqual(await s.payloads(), [{ order: 1 }, { order: 2 }, { order: 3 }])
})

test('a trigger type that went away is a failure that says so', async (t) => {
  const s = await triggered(t, { triggers: [sampleTrigger(), sampleTrigger({ slug: 'SHOP_OTHER' })] })
  const id = await s.trigger()
  await s.db.run(sql`update trigger_instances set trigger_slug = 'SHOP_GONE' where id = ${id}`)
  s.app.startPolling()
  await s.polled(id)
  assert.match((await s.logs())[0]?.message ?? '', /SHOP_GONE is not in version latest/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#fixtures/until.ts'
import { sampleTrigger } from '#fixtures/sample-toolkits.ts'
import { streamEvents } from '../../../contract/events/index.ts'
import { setTriggerStatus } from '../../../contract/triggers/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { CLIENT, oauth } from '#fixtures/connected-accounts.ts'
import { addOrders, setAccountStatus, startTriggerApp } from '#fixtures/triggers.ts'
import { removeOldLogs } from '../logs/store.ts'
import { claimPolls, extendPolls, recoverPolls, releasePolls, storePolls } from './store.ts'

const capacity = { limit: 100, perProject: 10, perBusyProject: new Map<string, number>() }

test('polling: new items become events once, in order, with a log row; a poll without any stores none', async (t) => {
  const s = await startTriggerApp(t)
  s.orders.push({ id: 1 })
  const id = await s.trigger({ trigger_config: { section: 'a' } })
  s.app.startPolling()
  addOrders(s.orders, { id: 2 }, { id: 3, kind: 'test' }, { id: 4, section: 'b' }, { id: 5, section: 'a' })
  await s.polled(id)
  assert.deepEqual(await s.payloads(), [{ order: 5 }], 'of those that fit')
  addOrders(s.orders, { id: 6, section: 'a' }, { id: 7, section: 'a' })
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

test('polling: failures are logged and delay the next poll, Retry-After counts, and a success resets', async (t) => {
  const s = await startTriggerApp(t)
  const id = await s.trigger({ trigger_config: { interval: 1 } })
  s.app.startPolling()
  const away = async () =>
    (
      await s.db.one<{ s: number }>(
        sql`select extract(epoch from next_run - now())::float8 as s from trigger_polls where instance_id = ${id}`,
      )
    )?.s ?? 0
  s.application.answer = () => ({ status: 404, json: { message: 'no section, key secret-key-1' } })
  await s.polled(id)
  const first = await away()
  await s.polled(id)
  assert.ok(first > 30 && (await away()) > 1.5 * first, `${first}, then ${await away()}`)
  assert.deepEqual(
    [(await s.listed())[0]?.state.failures, (await s.logs()).map(({ kind }) => kind)],
    [2, ['failure', 'failure']],
  )
  assert.match((await s.logs())[0]?.message ?? '', /^404 .*no section/)
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
  addOrders(s.orders, { id: 9 })
  await s.polled(id)
  assert.deepEqual([(await s.listed())[0]?.state.failures, await s.payloads()], [0, [{ order: 9 }]])
})

test('polling: a permanent failure or an expired account disables the trigger, with an event', async (t) => {
  const s = await startTriggerApp(t)
  const [id, other] = [await s.trigger(), await s.trigger({ trigger_config: { section: 'z' } })]
  s.application.answer = () => ({ status: 403, json: { message: 'not yours' } })
  await s.db.run(
    sql`update trigger_polls set failures = 9, failing_since = now() - interval '2 hours', next_run = now()
        where instance_id = ${id}`,
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
  addOrders(s.orders, { id: 5 })
  await s.call(setTriggerStatus, { params: { trigger_id: id }, body: { status: 'enable' } })
  await until('new items became events', async () => (await s.payloads()).length === 1)
  s.application.answer = () => ({ status: 401, json: {} })
  for (let rejection = 1; rejection <= 3; rejection++) {
    if (rejection < 3) await s.polled(other)
    else await s.makeDue()
  }
  await until(
    'its account is EXPIRED',
    async () =>
      (await s.listed({ show_disabled: true, trigger_ids: [other] }))[0]?.disabled_reason ===
      'connection_expired',
  )
})

test('polling: a worker that lost its claim, or whose trigger was disabled, stores no result', async (t) => {
  const s = await startTriggerApp(t)
  const id = await s.trigger()
  await s.makeDue()
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
  await s.makeDue()
  const [quick] = await claimPolls(s.db, capacity)
  assert.deepEqual(await storePolls(s.db, [outcome]), [], 'another has taken it')
  assert.deepEqual(await storePolls(s.db, [{ ...outcome, claim: quick!.claim }]), [id])
  assert.equal(await releasePolls(s.db, [slow!]), 0)
  await s.makeDue()
  const [last] = await claimPolls(s.db, capacity)
  await s.call(setTriggerStatus, { params: { trigger_id: id }, body: { status: 'disable' } })
  assert.deepEqual(
    [await storePolls(s.db, [{ ...outcome, claim: last!.claim }]), (await s.poll(id))?.['next_run']],
    [[], null],
  )
})

test('polling: polls of a killed worker are due after 30 s, and those of a living one are not', async (t) => {
  const s = await startTriggerApp(t)
  const id = await s.trigger()
  await s.makeDue()
  const [poll] = await claimPolls(s.db, capacity)
  const dueIn = async () =>
    (await s.db.one<{ seconds: number }>(
      sql`select extract(epoch from next_run - now())::float8 as seconds from trigger_polls where instance_id = ${id}`,
    ))!.seconds
  const claimed = await dueIn()
  assert.ok(claimed > 25 && claimed <= 30, `${claimed} s`)
  await s.db.run(sql`update trigger_polls set next_run = now() + interval '1 second'`)
  assert.equal(await extendPolls(s.db, [poll!]), 1)
  assert.ok((await dueIn()) > 25, 'extended while the poll is in progress')
  const record = {
    id,
    claim: poll!.claim,
    ok: true,
    delay_s: 600,
    interval_seconds: 600,
    state: null,
    log: null,
  }
  assert.deepEqual(await storePolls(s.db, [record]), [id])
  assert.equal(await extendPolls(s.db, [poll!]), 0, 'a late extension does not move the next poll')
  assert.ok((await dueIn()) > 500)
  await s.db.run(sql`update trigger_polls set next_run = now()`)
  assert.equal((await claimPolls(s.db, capacity)).length, 1)
  assert.equal(await extendPolls(s.db, [poll!]), 0, 'another process has the claim')
})

test('polling: if events cannot be stored, neither is the state, and the next poll publishes them', async (t) => {
  const s = await startTriggerApp(t)
  const id = await s.trigger()
  await s.db.run(
    sql`create function reject_event() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`,
  )
  await s.db.run(
    sql`create trigger reject_event before insert on events for each row execute function reject_event()`,
  )
  addOrders(s.orders, { id: 1 }, { id: 2 })
  s.app.startPolling()
  const asked = s.stub.requests.length
  await s.makeDue()
  await until('it was asked', () => s.stub.requests.length > asked)
  const { state } = (await s.poll(id)) ?? {}
  // Dropping the trigger would lock all partitions, in another order than the inserts of polls: a deadlock.
  await s.db.run(sql`
    create or replace function reject_event() returns trigger language plpgsql as $$ begin return new; end $$`)
  await s.polled(id)
  assert.deepEqual(await s.payloads(), [{ order: 1 }, { order: 2 }])
  assert.notDeepEqual((await s.poll(id))?.['state'], state)
})

test('polling: claims are limited per project, and a project with triggers switched off is not polled', async (t) => {
  const s = await startTriggerApp(t)
  for (const section of ['a', 'b', 'c']) await s.trigger({ trigger_config: { section } })
  const call = await s.otherProject()
  const theirs = s.onStage(call)
  const account = await theirs.addAccount(await theirs.addAuthConfig('API_KEY'), 'API_KEY', {
    generic_api_key: 'k',
  })
  await s.upsert({ connected_account_id: account }, 'SHOP_NEW_ORDER', call)
  await s.makeDue()
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
  await s.makeDue()
  await s.db.run(sql`update projects set triggers_enabled = false where id = ${own}`)
  assert.equal((await claimPolls(s.db, capacity)).filter(({ project_id }) => project_id === own).length, 0)
})

test('polling: instances without a schedule are recovered, late ones stalled, old log rows removed', async (t) => {
  const s = await startTriggerApp(t)
  const [lost, far, off] = [
    await s.trigger({ trigger_config: { section: 'a' } }),
    await s.trigger({ trigger_config: { section: 'b' } }),
    await s.trigger({ trigger_config: { section: 'c' } }),
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
  const before = new Map([[s.keys.projectId, new Date(Date.now() - 30 * 86_400_000)]])
  assert.deepEqual([await removeOldLogs(s.db, before), await s.logs()], [false, []])
})

test('polling: an expired token is refreshed; after a rejected grant it waits for ACTIVE', async (t) => {
  const s = await startTriggerApp(t, { auth: (url) => [oauth(url)] })
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
  addOrders(s.orders, { id: 1 })
  await s.polled(id)
  assert.deepEqual(await s.payloads(), [{ order: 1 }])
  provider.dead = true
  s.clock.advance(7_200_000)
  await s.makeDue()
  await until(
    'it is disabled',
    async () => (await s.listed({ show_disabled: true }))[0]?.disabled_reason === 'connection_expired',
  )
  assert.deepEqual((await s.events()).map(({ type }) => type).sort(), [
    'connected_account.expired',
    'trigger.disabled',
    'trigger.message',
  ])
  addOrders(s.orders, { id: 2 }, { id: 3 })
  provider.dead = false
  await setAccountStatus(s.db, account, 'ACTIVE')
  await until('new items became events', async () => (await s.payloads()).length === 3)
  assert.deepEqual(await s.payloads(), [{ order: 1 }, { order: 2 }, { order: 3 }])
})

test('polling: a trigger type that was removed is a failure with its name', async (t) => {
  const s = await startTriggerApp(t, { triggers: [sampleTrigger(), sampleTrigger({ slug: 'SHOP_OTHER' })] })
  const id = await s.trigger()
  await s.db.run(sql`update trigger_instances set trigger_slug = 'SHOP_GONE' where id = ${id}`)
  s.app.startPolling()
  await s.polled(id)
  assert.match((await s.logs())[0]?.message ?? '', /SHOP_GONE is not in version latest/)
})

test('polling: the reason of a permanent failure has the brand of the wire, in the API and in the event', async (t) => {
  const s = await startTriggerApp(t, { app: { wireBrand: 'acme' } })
  const id = await s.trigger()
  s.application.answer = () => ({ status: 403, json: {} })
  await s.db.run(
    sql`update trigger_polls set failures = 9, failing_since = now() - interval '2 hours', next_run = now()`,
  )
  s.app.startPolling()
  const reason = async () => (await s.listed({ show_disabled: true, trigger_ids: [id] }))[0]?.disabled_reason
  await until('it is disabled', async () => Boolean(await reason()))
  assert.equal(await reason(), 'polling_failure_in_acme_infra')
  const { items } = (
    await s.call(streamEvents, {
      query: { last_event_id: '0', event_types: ['service.trigger.disabled'] } as never,
    })
  ).body
  assert.deepEqual(
    items.map(({ payload }) => (payload as { data: { disabled_reason: string } }).data.disabled_reason),
    ['polling_failure_in_acme_infra'],
  )
})

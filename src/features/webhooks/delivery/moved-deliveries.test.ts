import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#fixtures/until.ts'
import { startWebhookApp } from '#fixtures/webhooks.ts'
import { replayEvents } from '../../../contract/events/index.ts'
import { deleteWebhook } from '../../../contract/webhooks/index.ts'
import { type Pool, sql } from '../../../platform/db/sql.ts'
import { claimDeliveries } from './claim.ts'
import { type DeliveryResult, storeResults } from './results.ts'

const NO_LOAD = { ids: [], claimed: [], prefetch: [] }

/** Resolves when so many statements wait for a lock. */
const untilWaiting = (db: Pool, count: number) =>
  until(
    `${count} statements wait`,
    async () =>
      (
        await db.rows(sql`
        select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)
      ).length === count,
  )

/** An event whose delivery is claimed, and its result. */
async function startClaimed(t: Parameters<typeof startWebhookApp>[0]) {
  const s = await startWebhookApp(t, {}, { waits: true })
  const { id: subscriptionId } = await s.subscribe('/hooks')
  await s.publish(['a'])
  const [claimed] = await claimDeliveries(s.db, { limit: 1, load: NO_LOAD })
  const result: DeliveryResult = {
    ...{ id: claimed!.id, project_id: s.keys.projectId, number: 1, delivered: true, delay_s: null },
    ...{ gone: false, status: 200, latency_ms: 1, error: null, response: 'ok' },
  }
  const attempts = async () => (await s.show('a')).deliveries.map((one) => [one.status, one.log.length])
  return { ...s, subscriptionId, result, attempts }
}

test('delivery: of two processes that store the result of one attempt at once, one does', async (t) => {
  const s = await startClaimed(t)
  const other = Promise.withResolvers<void>()
  const first = s.db.begin(async (tx) => {
    await storeResults({ db: { ...s.db, ...tx }, encryptor: s.encryptor }, [s.result])
    await other.promise
  })
  await until(
    'the first has stored it',
    async () => (await s.db.rows(sql`select 1 from pg_locks where mode = 'RowExclusiveLock'`)).length > 0,
  )
  const second = storeResults(s, [{ ...s.result, delivered: false, delay_s: 5, status: 500 }])
  await untilWaiting(s.db, 1)
  other.resolve()
  await Promise.all([first, second])
  assert.deepEqual(await s.attempts(), [['delivered', 1]])
})

test('delivery: a subscription is deleted while the result of its delivery is stored', async (t) => {
  const s = await startClaimed(t)
  const other = Promise.withResolvers<void>()
  const storing = s.db.begin(async (tx) => {
    await storeResults({ db: { ...s.db, ...tx }, encryptor: s.encryptor }, [s.result])
    await other.promise
  })
  await until(
    'the result is stored',
    async () => (await s.db.rows(sql`select 1 from pg_locks where mode = 'RowExclusiveLock'`)).length > 0,
  )
  const deleting = s.call(deleteWebhook, { params: { id: s.subscriptionId } })
  await untilWaiting(s.db, 1)
  other.resolve()
  await storing
  assert.equal((await deleting).status, 200)
  assert.deepEqual(await s.attempts(), [])
  assert.deepEqual(await s.db.rows(sql`select * from webhook_attempts`), [])
})

test('replay: concurrent replays of one event start one delivery, also for a new subscription', async (t) => {
  const s = await startClaimed(t)
  await storeResults(s, [s.result])
  await s.subscribe('/second')
  const replays = await Promise.all(
    Array.from({ length: 5 }, () => s.call(replayEvents, { body: { event_ids: [s.eventId('a')] } })),
  )
  const started = replays.reduce((sum, { body }) => sum + body.queued, 0)
  assert.equal(started, 2)
  assert.deepEqual((await s.show('a')).deliveries.map(({ status, attempts }) => [status, attempts]).sort(), [
    ['pending', 0],
    ['pending', 1],
  ])
})

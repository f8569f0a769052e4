import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTransaction, untilLocked } from '#fixtures/transactions.ts'
import { startWebhookApp } from '#fixtures/webhooks.ts'
import { replayEvents } from '../../../contract/events/index.ts'
import { deleteWebhook } from '../../../contract/webhooks/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { claimDeliveries } from './claim.ts'
import { type DeliveryResult, storeResults } from './results.ts'

const NO_LOAD = { ids: [], claimed: [], prefetch: [] }

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
  const storeInTransaction = () =>
    openTransaction(s.db, (tx) => storeResults({ db: { ...s.db, ...tx }, encryptor: s.encryptor }, [result]))
  return { ...s, subscriptionId, result, attempts, storeInTransaction }
}

test('delivery: of two processes that store the result of one attempt at once, one does', async (t) => {
  const s = await startClaimed(t)
  const commitFirst = await s.storeInTransaction()
  const second = storeResults(s, [{ ...s.result, delivered: false, delay_s: 5, status: 500 }])
  await untilLocked(s.db)
  await Promise.all([commitFirst(), second])
  assert.deepEqual(await s.attempts(), [['delivered', 1]])
})

test('delivery: a subscription is deleted while the result of its delivery is stored', async (t) => {
  const s = await startClaimed(t)
  const commit = await s.storeInTransaction()
  const deleting = s.call(deleteWebhook, { params: { id: s.subscriptionId } })
  await untilLocked(s.db)
  await commit()
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

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { ageEvents } from '#fixtures/partitions.ts'
import { until } from '#fixtures/until.ts'
import { updateWebhook } from '../../../contract/webhooks/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { publishEvents } from '../../events/index.ts'
import { type ClaimedDelivery, claimDeliveries } from './claim.ts'
import { DeliveryLimiter } from './limiter.ts'
import { type DeliveryResult, storeResults } from './results.ts'
import { startWebhookApp } from '#fixtures/webhooks.ts'

const NO_LOAD = { ids: [], claimed: [], prefetch: [] }
const keys = (count: number) => Array.from({ length: count }, (_, n) => `k${n}`)

async function startDeliveries(t: TestContext) {
  const s = await startWebhookApp(t, {}, { waits: true })
  const { id } = await s.subscribe('/hooks')
  const pending = async () =>
    (
      await s.db.one<{ n: number }>(
        sql`select count(*)::int as n from webhook_deliveries where status = 'pending'`,
      )
    )?.n
  const publishEach = async (all: readonly string[]) => {
    for (const key of all) await s.publish([key], `ti_${key}`)
  }
  return { s, id, publishEach, pending }
}

type Deliveries = Awaited<ReturnType<typeof startDeliveries>>

test('delivery: failure injection', async (t) => {
  const fixture = await startDeliveries(t)

  await t.test(
    'claims respect the limits at once and per second over all processes, and a clock that was set back blocks nothing',
    () => checkLimits(fixture),
  )

  await t.test(
    'after a worker was killed the message is sent again with the same id, and its late result changes nothing',
    () => checkKilledWorker(fixture),
  )

  await t.test('jumps of the process clock do not change deliveries or the retry schedule', () =>
    checkClockJumps(fixture),
  )

  await t.test('retention: attempts are removed with their deliveries', () => checkRetention(fixture))
})

async function checkLimits({ s, id, publishEach }: Deliveries): Promise<void> {
  await s.call(updateWebhook, { params: { id }, body: { max_per_second: 5, max_at_once: 3 } })
  await publishEach(keys(12))
  // now() does not change in a transaction.
  await s.db.begin(async (tx) => {
    const first = await claimDeliveries(tx, { limit: 100, load: NO_LOAD })
    const second = await claimDeliveries(tx, { limit: 100, load: NO_LOAD })
    const third = await claimDeliveries(tx, { limit: 100, load: NO_LOAD })
    assert.deepEqual([first.length, second.length, third.length], [3, 2, 0], 'three at once, five a second')
    await tx.run(sql`update webhook_subscriptions set throttled_until = now() + interval '1 day'`)
    assert.equal((await claimDeliveries(tx, { limit: 100, load: NO_LOAD })).length, 0)
    await tx.run(sql`update webhook_subscriptions set throttled_until = now() - interval '200 milliseconds'`)
    assert.equal((await claimDeliveries(tx, { limit: 100, load: NO_LOAD })).length, 1)
    await tx.run(sql`update webhook_subscriptions set max_per_second = null`)
    assert.equal(
      (await claimDeliveries(tx, { limit: 100, load: { ids: [id], claimed: [2], prefetch: [1] } })).length,
      2,
      'less what is under way, and more for one that is quick',
    )
    await tx.run(sql`update webhook_deliveries set leased_until = now() + interval '1 day'`)
    assert.equal(
      (await claimDeliveries(tx, { limit: 100, load: { ids: [id], claimed: [0], prefetch: [100] } })).length,
      12,
      'nothing is leased for a day',
    )
  })
  await s.call(updateWebhook, { params: { id }, body: { max_per_second: null, max_at_once: 2 } })
  await s.db.run(sql`update webhook_deliveries set leased_until = null`)
  let [now, most] = [0, 0]
  s.answer(async () => {
    most = Math.max(most, ++now)
    await new Promise(setImmediate)
    now--
    return {}
  })
  s.app.startDeliveries()
  await s.ended(12)
  assert.ok(most <= 2, `${most} at once`)
}

async function checkKilledWorker({ s, id, pending }: Deliveries): Promise<void> {
  await s.call(updateWebhook, { params: { id }, body: { max_at_once: 32 } })
  s.answer(() => ({}))
  s.receiver.requests.length = 0
  let killed: ClaimedDelivery[] = []
  await s.db.begin(async (tx) => {
    const event = { id: 'evt_killed', type: 'trigger.message', data: { trigger_slug: 'X' } } as const
    await publishEvents(tx, s.keys.projectId, [event])
    killed = await claimDeliveries(tx, { limit: 1, load: NO_LOAD })
  })
  assert.equal(killed.length, 1)
  await s.publish(['other'])
  await until('the other message arrived', () => s.receiver.requests.length === 1)
  await until('only the leased delivery is left', async () => (await pending()) === 1)
  assert.equal(s.receiver.requests.length, 1)
  await s.db.run(
    sql`update webhook_deliveries set leased_until = now() - interval '1 second' where status = 'pending'`,
  )
  await s.makeDue()
  await until('it came again', () => s.receiver.requests.length === 2)
  await until('it is written down', async () => (await pending()) === 0)
  const late: DeliveryResult = {
    id: killed[0]!.id,
    project_id: s.keys.projectId,
    number: 1,
    delivered: false,
    delay_s: null,
    gone: true,
    status: 410,
    latency_ms: 1,
    error: null,
    response: null,
  }
  await storeResults(s, [late])
  assert.deepEqual(
    await s.db.one(
      sql`select d.status, d.attempts, s.disabled_at, (select count(*)::int from webhook_attempts a
              where a.delivery_id = d.id) as written from webhook_deliveries d
              join webhook_subscriptions s on s.id = d.subscription_id where d.id = ${late.id}`,
    ),
    { status: 'delivered', attempts: 1, disabled_at: null, written: 1 },
  )
  assert.equal(s.receiver.requests.at(-1)?.headers['x-service-delivery-attempt'], '1')
}

async function checkClockJumps({ s }: Deliveries): Promise<void> {
  const DAY_MS = 86_400_000
  for (const jump of [DAY_MS, -2 * DAY_MS]) {
    s.clock.advance(jump)
    let isFailing = true
    s.answer(() => ({ status: isFailing ? 500 : 200 }))
    const key = `jump${jump}`
    await s.publish([key])
    await until('the attempt is written down', async () => (await s.show(key)).deliveries[0]?.attempts === 1)
    const [delivery] = (await s.show(key)).deliveries
    const seconds =
      (Date.parse(delivery?.next_at as string) - Date.parse(delivery?.log[0]?.ended_at as string)) / 1_000
    assert.ok(seconds >= 4 && seconds <= 6, `${seconds} s`)
    isFailing = false
    await s.makeDue()
    await until('it came', async () => (await s.show(key)).deliveries[0]?.status === 'delivered')
  }
  s.clock.advance(DAY_MS)
}

async function checkRetention({ s }: Deliveries): Promise<void> {
  const attempts = (await s.db.one<{ n: number }>(sql`select count(*)::int as n from webhook_attempts`))?.n
  await ageEvents(s.db, 60)
  await s.schedule('partitions.prepare')
  await s.schedule('webhooks.removeOldEvents')
  assert.notEqual(
    (await s.db.one<{ n: number }>(sql`select count(*)::int as n from webhook_attempts`))?.n,
    attempts,
  )
  assert.deepEqual(
    await s.db.one(
      sql`select count(*)::int as n from webhook_attempts a where not exists (select 1
            from webhook_deliveries d where d.id = a.delivery_id)`,
    ),
    { n: 0 },
  )
}

test('limiter: each subscription has its limit, quick receivers prefetch more, and old ones are released', () => {
  let at = 0
  const limiter = new DeliveryLimiter(() => at)
  const due = (subscription_id: string, n: number) =>
    ({ id: `${subscription_id}${n}`, subscription_id, max_at_once: 2 }) as ClaimedDelivery
  for (let n = 0; n < 4; n++) {
    limiter.add(due('a', n))
    limiter.add(due('b', n))
  }
  const ids = (list: readonly ClaimedDelivery[]) => list.map(({ id }) => id)
  assert.deepEqual(ids(limiter.next().start), ['a0', 'a1', 'b0', 'b1'])
  assert.deepEqual(
    [ids(limiter.next().start), limiter.claimed()],
    [[], { ids: ['a', 'b'], claimed: [4, 4], prefetch: [0, 0] }],
  )
  limiter.done(due('a', 0), { delivered: true, latency_ms: 5 })
  limiter.done(due('b', 0), { delivered: true, latency_ms: 900 })
  assert.deepEqual(
    [ids(limiter.next().start), limiter.claimed().prefetch],
    [
      ['a2', 'b2'],
      [4, 0],
    ],
  )
  at = 31_000
  limiter.done(due('a', 1), undefined)
  const { start, expired } = limiter.next()
  assert.deepEqual([ids(start), ids(expired), ids(limiter.clear())], [[], ['a3'], ['b3']])
  for (const [lane, n] of [
    ['a', 2],
    ['b', 1],
    ['b', 2],
  ] as const)
    limiter.done(due(lane, n), { delivered: true, latency_ms: 1 })
  assert.deepEqual(limiter.claimed().ids, [], 'nothing stays of those who are done')
})

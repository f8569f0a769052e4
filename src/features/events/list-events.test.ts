import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Position } from '../../platform/list-page.ts'
import { testApp } from '#fixtures/app.ts'
import type { DeliveryStatus } from '../../contract/events/index.ts'
import { type Db, sql, values } from '../../platform/db/sql.ts'
import { type EventFilter, listEvents } from './store.ts'

const BEGIN = Date.now() - 60_000

/** Inserts an event of the `n`-th second, with deliveries as `receiver:status`. */
async function insertEvent(
  db: Db,
  projectId: string,
  n: number,
  deliveries: readonly string[],
): Promise<void> {
  const created_at = new Date(BEGIN + n * 1_000)
  const id = `evt_${n}`
  await db.run(
    sql`insert into events ${values({ id, project_id: projectId, type: 'trigger.message', data: {}, created_at })}`,
  )
  const { seq } = (await db.one<{ seq: number }>(sql`select seq from events where id = ${id}`))!
  for (const [at, delivery] of deliveries.entries()) {
    const [subscription_id, status] = delivery.split(':') as [string, DeliveryStatus]
    await db.run(
      sql`insert into webhook_deliveries ${values({
        id: `dlv_${n}_${at}`,
        project_id: projectId,
        subscription_id,
        event_id: id,
        event_created_at: created_at,
        seq,
        status,
        created_at,
        finished_at: status === 'pending' ? null : created_at,
      })}`,
    )
  }
}

test('events: each filter finds the events with such a delivery once, newest first, with their number', async (t) => {
  const { app, keys } = await testApp(t)
  const { db } = app
  await insertEvent(db, keys.projectId, 1, ['ws_a:delivered', 'ws_b:delivered'])
  await insertEvent(db, keys.projectId, 2, ['ws_a:dead', 'ws_b:delivered'])
  await insertEvent(db, keys.projectId, 3, ['ws_a:dead', 'ws_b:dead'])
  await insertEvent(db, keys.projectId, 4, ['ws_a:pending'])
  await insertEvent(db, keys.projectId, 5, [])
  const list = async (filter: EventFilter, page = { limit: 10, offset: 0 }) => {
    const { rows, count, next } = await listEvents(db, keys.projectId, filter, page)
    return [rows.map(({ id }) => Number(id.slice(4))).join(' '), count.total, next !== null]
  }
  assert.deepEqual(await list({}), ['5 4 3 2 1', 5, false])
  assert.deepEqual(await list({ status: 'delivered' }), ['2 1', 2, false])
  assert.deepEqual(await list({ status: 'dead' }), ['3 2', 2, false])
  assert.deepEqual(await list({ status: 'pending' }), ['4', 1, false])
  assert.deepEqual(await list({ subscriptionId: 'ws_a' }), ['4 3 2 1', 4, false])
  assert.deepEqual(await list({ subscriptionId: 'ws_b' }), ['3 2 1', 3, false])
  assert.deepEqual(await list({ subscriptionId: 'ws_b', status: 'delivered' }), ['2 1', 2, false])
  assert.deepEqual(await list({ subscriptionId: 'ws_b', status: 'dead' }), ['3', 1, false])
  assert.deepEqual(await list({ subscriptionId: 'ws_c' }), ['', 0, false])
  assert.deepEqual(await list({ subscriptionId: 'ws_a' }, { limit: 2, offset: 0 }), ['4 3', 4, true])
  assert.deepEqual(await list({ subscriptionId: 'ws_a' }, { limit: 2, offset: 2 }), ['2 1', 4, false])
  assert.deepEqual(await list({ status: 'dead' }, { limit: 1, offset: 0 }), ['3', 2, true])
  for (const filter of [
    {},
    { status: 'delivered' },
    { status: 'dead' },
    { subscriptionId: 'ws_b' },
  ] as const) {
    const ids: string[] = []
    let after: Position | undefined
    for (let page = 0; page < 6; page++) {
      const { rows, next } = await listEvents(db, keys.projectId, filter, { limit: 1, offset: 0, after })
      ids.push(...rows.map(({ id }) => id.slice(4)))
      if (next === null) break
      after = next
    }
    assert.equal(ids.join(' '), (await list(filter))[0], 'positions lead to every event once')
  }
  const { rows } = await listEvents(db, 'another project', { status: 'dead' }, { limit: 10, offset: 0 })
  assert.deepEqual(rows, [])
})

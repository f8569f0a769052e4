import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { ageEvents } from '#fixtures/partitions.ts'
import { startWebhookApp } from '#fixtures/webhooks.ts'
import { createProject } from '../../contract/projects/index.ts'
import { listPeriods } from '../../platform/db/partitions/index.ts'
import { raw, type Sql, sql } from '../../platform/db/sql.ts'

/** A project with events of 60 days ago, and partitions for them. */
async function startWithOldEvents(t: TestContext, keys: readonly string[]) {
  const s = await startWebhookApp(t)
  const { id: subscriptionId } = await s.subscribe('/hooks')
  await s.publish(keys)
  await s.ended(keys.length)
  await ageEvents(s.db, 60)
  await s.schedule('partitions.prepare')
  const count = async (table: string, where: Sql = sql`true`) =>
    (await s.db.one<{ n: number }>(sql`select count(*)::int as n from ${raw(table)} where ${where}`))!.n
  return {
    ...s,
    subscriptionId,
    count,
    remove: () => s.schedule('webhooks.removeOldEvents'),
    periods: async () => (await listPeriods(s.db, 'events')).length,
    setDelivery: (key: string, change: Sql) =>
      s.db.run(sql`update webhook_deliveries set ${change} where event_id = ${s.eventId(key)}`),
  }
}

test('event retention: the partitions of a week are dropped together when its events are over', async (t) => {
  const s = await startWithOldEvents(t, ['a', 'b'])
  await s.publish(['new'])
  await s.ended(3)
  const before = await s.periods()
  await s.remove()
  assert.equal(await s.periods(), before - 1)
  for (const table of ['events', 'webhook_deliveries', 'webhook_attempts'])
    assert.equal(await s.count(table), 1, `${table} has the new event only`)
})

test('event retention: a delivery that was given up in the last week keeps its event', async (t) => {
  const s = await startWithOldEvents(t, ['a'])
  await s.setDelivery('a', sql`status = 'dead', finished_at = now() - interval '6 days'`)
  await s.remove()
  assert.equal(await s.count('events'), 1)
  await s.setDelivery('a', sql`finished_at = now() - interval '8 days'`)
  await s.remove()
  assert.equal(await s.count('events'), 0)
})

test('event retention: a delivery of a disabled webhook is given up, and a replay of this week is not', async (t) => {
  const s = await startWithOldEvents(t, ['a', 'replayed'])
  await s.db.run(sql`update webhook_subscriptions set disabled_at = now(), disabled_reason = 'failing'`)
  await s.setDelivery('a', sql`status = 'pending', created_at = now() - interval '60 days'`)
  await s.setDelivery('replayed', sql`status = 'pending', created_at = now() - interval '1 day'`)
  await s.remove()
  const statuses = await s.db.rows(sql`select event_id, status from webhook_deliveries order by status`)
  assert.deepEqual(statuses, [
    { event_id: s.eventId('a'), status: 'dead' },
    { event_id: s.eventId('replayed'), status: 'pending' },
  ])
  assert.equal(await s.count('events'), 2, 'both are still needed')
})

test('event retention: events live as long as their project says, up to a year', async (t) => {
  const s = await startWithOldEvents(t, ['a', 'b'])
  const { id } = (await s.org(createProject, { body: { name: 'other' } })).body
  const setDays = (project: string, days: number) =>
    s.db.run(sql`
      update projects set config = config || jsonb_build_object('event_retention_days', ${days}::int)
      where id = ${project}`)
  const ofOther = sql`project_id = ${id}`
  await s.db.run(sql`update events set ${raw('project_id')} = ${id} where id = ${s.eventId('b')}`)
  await s.db.run(sql`update webhook_deliveries set project_id = ${id} where event_id = ${s.eventId('b')}`)
  await setDays(id, 61)
  await s.remove()
  assert.deepEqual([await s.count('events'), await s.count('events', ofOther)], [1, 1])
  assert.equal(await s.count('webhook_attempts'), 1)
  await setDays(id, 3_650)
  await ageEvents(s.db, 320)
  await s.schedule('partitions.prepare')
  await s.remove()
  assert.equal(await s.count('events'), 0, 'a longer retention of an earlier release counts as a year')
})

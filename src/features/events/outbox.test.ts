import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageEvents } from '#fixtures/partitions.ts'
import { readEvent } from '../../contract/events/index.ts'
import { createProject } from '../../contract/projects/index.ts'
import { EncryptionError } from '../../platform/crypto/index.ts'
import { sql, values } from '../../platform/db/sql.ts'
import { startWebhookApp } from '#fixtures/webhooks.ts'
import {
  decryptContent,
  publishEvents,
  publishEventsOfProjects,
  type StoredContent,
  stableEventId,
} from './outbox.ts'

type App = Awaited<ReturnType<typeof startWebhookApp>>

const deliveriesIn = ({ db }: App) =>
  db.rows<{ event_id: string; subscription_id: string }>(
    sql`select event_id, subscription_id from webhook_deliveries order by seq`,
  )
const disabledEvent = (id: string) => ({ id, type: 'trigger.disabled', data: { id: 'ti_1' } }) as const

test('outbox: an event has a delivery for each subscription that has its type enabled', async (t) => {
  const s = await startWebhookApp(t, {}, { waits: true })
  const messages = await s.subscribe('/messages')
  const all = await s.subscribe('/all', 'V3', ['service.trigger.message', 'service.trigger.disabled'])
  const published = await publishEvents(s.db, s.keys.projectId, [disabledEvent('evt_1')])
  await s.publish(['a'])
  const pairs = (await deliveriesIn(s)).map(({ event_id, subscription_id }) => [event_id, subscription_id])
  assert.deepEqual(published, ['evt_1'])
  assert.deepEqual(
    pairs.sort(),
    [
      ['evt_1', all.id],
      [s.eventId('a'), all.id],
      [s.eventId('a'), messages.id],
    ].sort(),
  )
})

test('outbox: an event that exists is not published again, also within one call', async (t) => {
  const s = await startWebhookApp(t, {}, { waits: true })
  await s.subscribe('/all', 'V3', ['service.trigger.disabled'])
  const publish = (...ids: string[]) => publishEvents(s.db, s.keys.projectId, ids.map(disabledEvent))
  assert.deepEqual(await publish('evt_1', 'evt_2', 'evt_1'), ['evt_1', 'evt_2'])
  assert.deepEqual(await publish('evt_2', 'evt_3'), ['evt_3'])
  assert.deepEqual(
    (await deliveriesIn(s)).map(({ event_id }) => event_id),
    ['evt_1', 'evt_2', 'evt_3'],
  )
})

test('outbox: an event that exists is not published again, also when it is in an earlier partition', async (t) => {
  const s = await startWebhookApp(t, {}, { waits: true })
  await publishEvents(s.db, s.keys.projectId, [disabledEvent('evt_1')])
  await ageEvents(s.db, 20)
  await s.schedule('partitions.prepare')
  assert.deepEqual(await publishEvents(s.db, s.keys.projectId, ['evt_1', 'evt_2'].map(disabledEvent)), [
    'evt_2',
  ])
})

test('outbox: events of several projects are published in the order of the projects, whatever their order is', async (t) => {
  const s = await startWebhookApp(t, {}, { waits: true })
  const { body } = await s.org(createProject, { body: { name: 'other', should_create_api_key: false } })
  const projects = [s.keys.projectId, body.id].sort()
  await s.db.begin((tx) =>
    publishEventsOfProjects(
      tx,
      projects.toReversed().map((projectId) => ({ ...disabledEvent(`evt_${projectId}`), projectId })),
    ),
  )
  assert.deepEqual(
    await s.db.rows(sql`select project_id as id from events order by seq`),
    projects.map((id) => ({ id })),
  )
})

test('outbox: events and deliveries of a transaction that is rolled back do not exist', async (t) => {
  const s = await startWebhookApp(t, {}, { waits: true })
  await s.subscribe('/all', 'V3', ['service.trigger.disabled'])
  const publishing = s.db.begin(async (tx) => {
    await publishEvents(tx, s.keys.projectId, [disabledEvent('evt_1')])
    throw new Error('rolled back')
  })
  await assert.rejects(publishing, /rolled back/)
  const [events] = await s.db.rows(sql`select count(*)::int as n from events`)
  assert.deepEqual([events, await deliveriesIn(s)], [{ n: 0 }, []])
})

test('outbox: a disabled subscription receives no deliveries, and not the event about itself', async (t) => {
  const s = await startWebhookApp(t, {}, { waits: true })
  const own = await s.subscribe('/own', 'V3', ['service.webhook.disabled'])
  const other = await s.subscribe('/other', 'V3', ['service.webhook.disabled'])
  const off = await s.subscribe('/off', 'V3', ['service.webhook.disabled'])
  await s.db.run(sql`
    update webhook_subscriptions set disabled_at = now(), disabled_reason = 'gone' where id = ${off.id}`)
  await publishEvents(s.db, s.keys.projectId, [
    { type: 'webhook.disabled', data: { id: own.id }, excludedSubscriptionId: own.id },
  ])
  assert.deepEqual(
    (await deliveriesIn(s)).map(({ subscription_id }) => subscription_id),
    [other.id],
  )
})

test('outbox: the data and the payload of an event are encrypted for its row', async (t) => {
  const s = await startWebhookApp(t, {}, { waits: true })
  const event = {
    id: 'evt_1',
    type: 'trigger.disabled',
    data: { id: 'data-1' },
    payload: { secret: 'value-1' },
  }
  await publishEvents(s.db, s.keys.projectId, [event as never])
  const row = (await s.db.one<StoredContent & { text: string }>(
    sql`select id, data, encrypted_payload, events::text as text from events`,
  ))!
  assert.deepEqual(decryptContent(s.db, row), { data: { id: 'data-1' }, payload: { secret: 'value-1' } })
  assert.doesNotMatch(row.text, /value-1|data-1/)
  assert.throws(() => decryptContent(s.db, { ...row, id: 'evt_2' }), EncryptionError)
})

test('outbox: an event from before its data was encrypted is read', async (t) => {
  const s = await startWebhookApp(t, {}, { waits: true })
  const payload = (await s.encryptor.ofProject(s.keys.projectId)).encrypt(
    { n: 1 },
    'events:evt_1:encrypted_payload',
  )
  await s.db.run(
    sql`insert into events ${values({
      id: 'evt_1',
      project_id: s.keys.projectId,
      type: 'trigger.disabled',
      data: JSON.stringify({ id: 'ti_1' }),
      encrypted_payload: payload,
    })}`,
  )
  const { body } = await s.call(readEvent, { params: { event_id: 'evt_1' } })
  assert.deepEqual([body.data, body.payload], [{ id: 'ti_1' }, { n: 1 }])
})

test('outbox: the id of an event is the same for the same project, source and key', () => {
  const ids = [
    stableEventId('proj_1', 'ti_1', 'a'),
    stableEventId('proj_1', 'ti_1', 'b'),
    stableEventId('proj_1', 'ti_2', 'a'),
    stableEventId('proj_2', 'ti_1', 'a'),
  ]
  assert.equal(new Set(ids).size, 4)
  assert.match(ids[0]!, /^evt_[0-9a-f]{24}$/)
  assert.equal(stableEventId('proj_1', 'ti_1', 'a'), ids[0])
})

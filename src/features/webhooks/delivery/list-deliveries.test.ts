import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWebhookApp } from '#fixtures/webhooks.ts'
import { listWebhookDeliveries } from '../../../contract/webhooks/index.ts'
import { sql } from '../../../platform/db/sql.ts'

test('deliveries: the list has the last attempt of each, newest first, by status and page by page', async (t) => {
  const s = await startWebhookApp(t)
  const { id } = await s.subscribe('/hooks')
  const other = await s.subscribe('/other')
  s.answer(({ body, path }) => ({
    status: path === '/hooks' && body.includes('"a2"') ? 410 : 204,
  }))
  await s.publish(['a1'])
  await s.ended(2)
  await s.publish(['a2'])
  await s.ended(4)
  const list = (query: object = {}, of = id) => s.call(listWebhookDeliveries, { params: { id: of }, query })
  const { items } = (await list()).body
  assert.deepEqual(
    items.map(({ status, attempts, last_attempt: last }) => [status, attempts, last?.status, last?.number]),
    [
      ['dead', 1, 410, 1],
      ['delivered', 1, 204, 1],
    ],
  )
  assert.deepEqual([items[0]?.event_type, items[0]?.next_at], ['service.trigger.message', null])
  const dead = (await list({ status: 'dead' })).body.items
  assert.deepEqual(
    dead.map(({ id: one }) => one),
    [items[0]?.id],
  )
  assert.equal((await list({ status: 'dead' }, other.id)).body.items.length, 0)

  const first = (await list({ limit: 1 })).body
  assert.deepEqual([first.items[0]?.id, typeof first.next_cursor], [items[0]?.id, 'string'])
  const second = (await list({ limit: 1, cursor: first.next_cursor })).body
  assert.deepEqual([second.items[0]?.id, second.next_cursor], [items[1]?.id, null])
})

test('deliveries: pages have each delivery once, also those of the same moment', async (t) => {
  const s = await startWebhookApp(t, {}, { waits: true })
  const { id } = await s.subscribe('/hooks')
  await s.publish(['a1', 'a2', 'a3', 'a4', 'a5'])
  await s.db.run(sql`update webhook_deliveries set created_at = '2026-02-03T09:12:44.123456Z'`)
  const seen: string[] = []
  let cursor: string | null | undefined
  do {
    const query = { limit: 2, ...(cursor ? { cursor } : {}) }
    const { body } = await s.call(listWebhookDeliveries, { params: { id }, query })
    seen.push(...body.items.map((item) => item.id))
    assert.equal(body.items[0]?.last_attempt, null)
    cursor = body.next_cursor
  } while (cursor)
  assert.deepEqual([seen.length, new Set(seen).size], [5, 5])
})

test('deliveries: an unknown subscription is 404, and a cursor of something else is 400', async (t) => {
  const s = await startWebhookApp(t, {}, { waits: true })
  const { id } = await s.subscribe('/hooks')
  const unknown = await s.call(listWebhookDeliveries, { params: { id: 'ws_unknown00000' } })
  assert.equal(unknown.status, 404)
  for (const cursor of ['abc', Buffer.from('1-20').toString('base64')])
    assert.equal((await s.call(listWebhookDeliveries, { params: { id }, query: { cursor } })).status, 400)
})

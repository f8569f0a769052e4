import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { openEventStream } from '#fixtures/event-stream.ts'
import { until } from '#fixtures/until.ts'
import { streamEvents } from '../../../contract/events/index.ts'
import { regenerateProjectKey } from '../../../contract/projects/index.ts'
import { EventStreamReply, toReadable } from '../../../platform/http/server/event-stream.ts'
import { publishEvents } from '../outbox.ts'
import { startWebhookApp, FACTS } from '#fixtures/webhooks.ts'

interface Item {
  event_id: string
  payload: { id: string; type: string; metadata: { trigger_id?: string }; data: { message_id: string } }
}

const message = (payload: Record<string, unknown>) =>
  ({ type: 'trigger.message', data: { ...FACTS }, orderingKey: FACTS.trigger_id, payload }) as const

/** The application with readers of its stream. */
async function startStreamApp(t: Parameters<typeof startWebhookApp>[0]) {
  const s = await startWebhookApp(t, { streamHeartbeatMs: 50 })
  const open = async (query: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    const items: { id: string; item: Item }[] = []
    const add = (item: Item, id: string) => void items.push({ id, item })
    const stream = await openEventStream(s, '/api/v3.1/events/stream', add, { query, headers })
    return {
      ...stream,
      items,
      keys: () => items.map(({ item }) => item.payload.data.message_id),
    }
  }
  // After the application has closed: a stream does not keep it.
  let last: Promise<void> | undefined
  t.after(async () => {
    await last
  })
  return {
    ...s,
    open,
    ends: (stream: Promise<void>) => {
      last = stream
    },
  }
}

type StreamApp = Awaited<ReturnType<typeof startStreamApp>>

test('event stream', async (t) => {
  const s = await startStreamApp(t)

  await t.test(
    'events that are published while a stream is open arrive in order, with the message of webhooks, and filtered',
    () => checkOrderAndFilters(s),
  )

  await t.test(
    'an event that commits late arrives before later ones, and a reconnect continues after every id',
    () => checkLateCommit(s),
  )

  await t.test(
    'a large backlog arrives in portions, and a position that was never reached is the current one',
    () => checkBacklog(s),
  )

  await t.test(
    'invalid positions and too many streams are rejected, and a revoked key or a stopping server ends a stream',
    () => checkRejectionsAndEnds(s),
  )
})

async function checkOrderAndFilters(s: StreamApp): Promise<void> {
  const [all, one, expired] = await Promise.all([
    s.open(),
    s.open({ trigger_ids: 'ti_other' }),
    s.open({ event_types: 'service.connected_account.expired' }),
  ])
  assert.deepEqual(
    ['content-type', 'cache-control', 'x-accel-buffering'].map((name) => all.response.headers[name]),
    ['text/event-stream; charset=utf-8', 'no-cache, no-transform', 'no'],
  )
  await s.publish(['a1', 'a2', 'a3'])
  await s.publish(['b1'], 'ti_other')
  const expiredAccount = { id: 'evt_x', type: 'connected_account.expired', data: { id: 'ca_1' } } as const
  await publishEvents(s.db, s.keys.projectId, [expiredAccount])
  await until(
    'all came',
    () => all.items.length === 5 && one.items.length === 1 && expired.items.length === 1,
  )
  assert.deepEqual([all.keys(), one.keys()], [['a1', 'a2', 'a3', 'b1', undefined], ['b1']])
  const { item } = all.items[0]!
  assert.deepEqual(
    [item.event_id, item.payload.type, item.payload.metadata.trigger_id, item.payload.data],
    [s.eventId('a1'), 'service.trigger.message', FACTS.trigger_id, { message_id: 'a1', subject: 'hi' }],
  )
  assert.equal(item.payload.id, (await s.show('a1')).webhook_id)
  assert.equal(expired.items[0]?.item.payload.type, 'service.connected_account.expired')
  await until(
    'those that were left out move the place on too',
    () => one.parser.lastId === all.items.at(-1)?.id,
  )
  for (const stream of [all, one, expired]) stream.leave()
}

async function checkLateCommit(s: StreamApp): Promise<void> {
  const before = (await s.call(streamEvents)).body.last_event_id
  const stream = await s.open()
  const blocked = Promise.withResolvers<void>()
  const inserted = Promise.withResolvers<void>()
  const late = s.db.begin(async (tx) => {
    for (const key of ['late1', 'late2'])
      await publishEvents(tx, s.keys.projectId, [message({ message_id: key })])
    inserted.resolve()
    await blocked.promise
  })
  await inserted.promise
  await s.publish(['early'])
  const seen = (await s.call(streamEvents, { query: { last_event_id: before } })).body
  assert.deepEqual([seen.items, seen.last_event_id, stream.keys()], [[], before, []])
  blocked.resolve()
  await late
  await until('all three came', () => stream.items.length === 3)
  assert.deepEqual(stream.keys(), ['late1', 'late2', 'early'])
  // One that is rolled back sends no notification, and blocks others only for a short time.
  const [aborted, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const never = s.db.begin(async (tx) => {
    await publishEvents(tx, s.keys.projectId, [message({})])
    begun.resolve()
    await aborted.promise
    throw new Error('no')
  })
  await begun.promise
  await s.publish(['after'])
  aborted.resolve()
  await assert.rejects(never)
  await until('the one after it came', () => stream.keys().at(-1) === 'after')
  stream.leave()
  const ids = [before, ...stream.items.map(({ id }) => id)]
  for (const [n, id] of ids.entries()) {
    const again = await s.open({}, { 'last-event-id': id })
    await until(`all after ${id}`, () => again.items.length === 4 - n)
    assert.deepEqual(again.keys(), ['late1', 'late2', 'early', 'after'].slice(n))
    again.leave()
  }
}

async function checkBacklog(s: StreamApp): Promise<void> {
  const before = (await s.call(streamEvents)).body.last_event_id
  await s.db.begin((tx) =>
    publishEvents(
      tx,
      s.keys.projectId,
      Array.from({ length: 230 }, (_, n) =>
        message({ message_id: `n${n}`, text: n < 3 ? 'x'.repeat(700_000) : '' }),
      ),
    ),
  )
  const pieces: number[] = []
  for (let place = before; ;) {
    const { items, last_event_id: next } = (await s.call(streamEvents, { query: { last_event_id: place } }))
      .body
    if (items.length === 0) break
    pieces.push(items.length)
    place = next
  }
  assert.deepEqual(
    [pieces.reduce((sum, n) => sum + n, 0), pieces[0]! <= 2, pieces.every((n) => n <= 100)],
    [230, true, true],
  )
  const stream = await s.open({ last_event_id: before })
  await until('all came', () => stream.items.length === 230)
  assert.deepEqual(
    stream.keys(),
    Array.from({ length: 230 }, (_, n) => `n${n}`),
  )
  stream.leave()
  const ahead = await s.open({ last_event_id: '999999999999999' })
  assert.equal(ahead.parser.lastId, stream.items.at(-1)?.id)
  ahead.leave()
}

async function checkRejectionsAndEnds(s: StreamApp): Promise<void> {
  for (const id of ['-1', 'x', '1e3', '1'.repeat(16), '']) {
    const { response } = await s.open({}, { 'last-event-id': id })
    assert.deepEqual(
      [id, response.statusCode, (await s.open({ last_event_id: id || ' ' })).response.statusCode],
      [id, 400, 400],
    )
  }
  assert.equal((await s.open({ event_types: 'service.nothing' })).response.statusCode, 400)
  assert.equal((await s.open({}, { 'x-api-key': 'ak_wrong' })).response.statusCode, 401)
  const other = await s.otherProject()
  assert.deepEqual((await other(streamEvents, { query: { last_event_id: '0' } })).body.items, [])
  const many = await Promise.all(Array.from({ length: 51 }, () => s.open()))
  assert.deepEqual(
    [
      many.filter(({ response }) => response.statusCode === 200).length,
      many.filter(({ response }) => response.statusCode === 429).length,
    ],
    [50, 1],
  )
  for (const stream of many.slice(0, 49)) stream.leave()
  await until('there is room again', async () => {
    const one = await s.open()
    one.leave()
    return one.response.statusCode === 200
  })
  const stream = many.at(49)!.response.statusCode === 200 ? many.at(49)! : many.at(50)!
  const { body } = await s.org(regenerateProjectKey, { params: { nano_id: s.keys.projectId } })
  await stream.ended
  const last = await s.open({}, { 'x-api-key': body.api_key.key })
  assert.equal(last.response.statusCode, 200)
  s.ends(last.ended)
}

test('event stream: a client that reads nothing is disconnected, one that reads slowly is not', async () => {
  const endless = async function* () {
    for (;;) yield 'data: x\n\n'.repeat(10_000)
  }
  const idle = toReadable(new EventStreamReply(endless(), 1))
  idle.read(0)
  await once(idle, 'close')
  const slow = toReadable(new EventStreamReply(endless(), 60_000))
  for (let n = 0; n < 20; n++) {
    if (slow.read() === null) await once(slow, 'readable')
  }
  assert.equal(slow.destroyed, false)
  slow.destroy()
})

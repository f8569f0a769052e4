import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import type pg from 'pg'
import { clonedDatabase } from '#fixtures/clone.ts'
import { until } from '#fixtures/until.ts'
import { listen, listenerName } from './notifications.ts'
import { connect } from './pool.ts'
import { SharedRoundTrips } from './shared-round-trips.ts'
import { sql } from './sql.ts'

/** A listener of the channel `test` that has connected, and another connection. */
async function startListener(t: TestContext) {
  const url = await clonedDatabase(t)
  const db = connect(url, { max: 2 })
  const messages: string[] = []
  let missed = 0
  const listener = listen(url, 'test', {
    onMessage: (payload) => messages.push(payload),
    onMissed: () => missed++,
  })
  t.after(async () => {
    await listener.close()
    await db.close()
  })
  await until('the listener is connected', () => listener.connected)
  return { db, listener, messages, missed: () => missed }
}

test('notifications: after a confirmation, the message of every earlier commit has been handled', async (t) => {
  const { db, listener, messages } = await startListener(t)
  for (let n = 1; n <= 200; n++) {
    await db.begin((tx) => tx.run(sql`select pg_notify('test', ${String(n)})`))
    assert.equal(await listener.confirm(), true)
    assert.equal(messages.at(-1), String(n))
  }
})

test('notifications: nothing is confirmed from the loss of the connection until it listens again', async (t) => {
  const { db, listener, messages, missed } = await startListener(t)
  const before = missed()
  await db.run(sql`
    select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where application_name = ${listenerName('test')} and datname = current_database()`)
  await db.run(sql`select pg_notify('test', 'lost')`)
  assert.equal(await listener.confirm(), false)
  assert.ok(missed() > before, 'the loss is reported before a call continues')
  await until('the listener is connected again', () => listener.confirm())
  assert.ok(missed() > before + 1, 'the new connection is reported too')
  await db.run(sql`select pg_notify('test', 'received')`)
  assert.equal(await listener.confirm(), true)
  assert.deepEqual(messages, ['received'])
  await listener.close()
  assert.equal(await listener.confirm(), false)
})

/** A connection on which round trips end when the test says so. */
function scriptedRoundTrips() {
  const sent: { handleReadyForQuery(): void; handleError(error: Error): void }[] = []
  const client = { query: (trip: (typeof sent)[number]) => void sent.push(trip) }
  const ended: (Error | null)[] = []
  const trips = new SharedRoundTrips(
    client as unknown as pg.ClientBase,
    5_000,
    (error) => void ended.push(error),
  )
  return { trips, sent, ended }
}

test('round trips: a single call starts one immediately, and calls during it share the next', async () => {
  const { trips, sent } = scriptedRoundTrips()
  const first = trips.confirm()
  assert.equal(sent.length, 1)
  const late = [trips.confirm(), trips.confirm()]
  await setImmediate()
  assert.equal(sent.length, 1)
  sent[0]?.handleReadyForQuery()
  assert.equal(await first, true)
  await until('the next round trip', () => sent.length === 2)
  sent[1]?.handleReadyForQuery()
  assert.deepEqual(await Promise.all(late), [true, true])
})

test('round trips: after one of several calls, the calls of a turn share the next', async () => {
  const { trips, sent } = scriptedRoundTrips()
  const calls = [trips.confirm(), trips.confirm(), trips.confirm()]
  sent[0]?.handleReadyForQuery()
  await until('the round trip of two calls', () => sent.length === 2)
  sent[1]?.handleReadyForQuery()
  const turn = [trips.confirm(), trips.confirm()]
  assert.equal(sent.length, 2)
  await until('the round trip of the turn', () => sent.length === 3)
  sent[2]?.handleReadyForQuery()
  assert.deepEqual(await Promise.all([...calls, ...turn]), [true, true, true, true, true])
})

test('round trips: an error and a closed connection confirm nothing', async () => {
  const { trips, sent, ended } = scriptedRoundTrips()
  const failed = trips.confirm()
  await setImmediate()
  sent[0]?.handleError(new Error('lost'))
  assert.equal(await failed, false)
  assert.match(String(ended[0]), /lost/)
  const [running, waiting] = [trips.confirm(), setImmediate().then(() => trips.confirm())]
  await setImmediate()
  trips.close()
  sent[1]?.handleReadyForQuery()
  assert.deepEqual(await Promise.all([running, waiting, trips.confirm()]), [false, false, false])
})

test('round trips: a connection that does not respond within a second confirms nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { trips, sent } = scriptedRoundTrips()
  const silent = trips.confirm()
  await setImmediate()
  t.mock.timers.tick(1_000)
  assert.equal(await silent, false)
  assert.equal(sent.length, 1)
})

test('round trips: a call that waits behind one without a response confirms nothing after half a second', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { trips, sent } = scriptedRoundTrips()
  const first = trips.confirm()
  await setImmediate()
  t.mock.timers.tick(300)
  const late = trips.confirm()
  t.mock.timers.tick(200)
  assert.equal(await first, false)
  t.mock.timers.tick(300)
  assert.equal(await late, false)
  assert.equal(sent.length, 1)
  sent[0]?.handleReadyForQuery()
  const next = trips.confirm()
  await setImmediate()
  assert.equal(sent.length, 2)
  sent[1]?.handleReadyForQuery()
  assert.equal(await next, true, 'the connection is used again')
})

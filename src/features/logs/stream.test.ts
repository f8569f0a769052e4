import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, type TestApp } from '#fixtures/app.ts'
import { openEventStream } from '#fixtures/event-stream.ts'
import { until } from '#fixtures/until.ts'
import { streamLogs } from '../../contract/logs/index.ts'
import { regenerateProjectKey } from '../../contract/projects/index.ts'
import { type Db, type Sql, sql, values } from '../../platform/db/sql.ts'
import { createLogStreams, type LogStreamOptions } from './stream.ts'
import type { LogStreamRequest } from './stream-texts.ts'

interface Item {
  id: string
  status: string
  metadata: { tool_slug: string }
}

const insert = ({ app, keys, clock }: TestApp, id: string, more: Record<string, unknown> = {}) =>
  app.db.run(
    sql`insert into tool_executions ${values({
      id,
      project_id: keys.projectId,
      tool_slug: 'SHOP_GET_ORDER',
      toolkit_slug: 'shop',
      version: '20260101_00',
      user_id: 'user-1',
      request_id: 'request-1',
      successful: true,
      duration_ms: 100,
      created_at: new Date(clock.now()),
      ...more,
    })}`,
  )

/** The application with readers of its stream. */
async function stage(t: Parameters<typeof testApp>[0], options: Parameters<typeof testApp>[1] = {}) {
  const s = await testApp(t, { logStreamPollMs: 20, streamHeartbeatMs: 100, ...options })
  const open = async (query: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    const items: Item[] = []
    const missed: unknown[] = []
    const add = (item: Item) => void (item.id === undefined ? missed : items).push(item)
    const stream = await openEventStream(s, '/api/v3.1/logs/stream', add, { query, headers })
    return { ...stream, items, missed }
  }
  return { ...s, open }
}

test('log stream: sends an execution when it is stored and when it ends, once each, if it matches', async (t) => {
  const s = await stage(t)
  await insert(s, 'log_before000000', { created_at: new Date(s.clock.now() - 60_000) })
  const [all, failed, other] = await Promise.all([
    s.open(),
    s.open({ status: 'failed' }),
    s.open({ tool_slug: 'SHOP_DELETE_ORDER' }),
  ])
  await insert(s, 'log_running00000', { successful: null, duration_ms: null })
  await until('the start came', () => all.items.length === 1)
  await s.app.db.run(sql`update tool_executions set successful = false where id = 'log_running00000'`)
  await insert(s, 'log_deleted00000', { tool_slug: 'SHOP_DELETE_ORDER' })
  await until(
    'all came',
    () => all.items.length === 3 && failed.items.length === 1 && other.items.length === 1,
  )
  assert.deepEqual(all.items.map(({ id, status }) => [id, status]).sort(), [
    ['log_deleted00000', 'success'],
    ['log_running00000', 'failed'],
    ['log_running00000', 'started'],
  ])
  assert.deepEqual(
    [failed.items[0]?.id, other.items[0]?.metadata.tool_slug],
    ['log_running00000', 'SHOP_DELETE_ORDER'],
  )
  const position = all.parser.lastId as string
  await insert(s, 'log_missed000000')
  await until('the next one came', () => all.items.length === 4)
  for (const stream of [all, failed, other]) stream.leave()
  const again = await s.open({}, { 'last-event-id': position })
  await until('what was missed came', () => again.items.some(({ id }) => id === 'log_missed000000'))
  assert.ok(!again.items.some(({ id }) => id === 'log_before000000'))
  again.leave()
})

test('log stream: reads without a stream, rejects bad positions and keys, and ends with its key', async (t) => {
  const s = await stage(t)
  await insert(s, 'log_one000000000')
  const { body } = await s.call(streamLogs, { query: { last_event_id: '0' } })
  assert.deepEqual(
    body.items.map(({ id }) => id),
    ['log_one000000000'],
  )
  const next = await s.call(streamLogs)
  assert.deepEqual(next.body.items, [])
  const other = await s.otherProject()
  assert.deepEqual((await other(streamLogs, { query: { last_event_id: '0' } })).body.items, [])
  assert.equal((await s.open({}, { 'last-event-id': 'x' })).response.statusCode, 400)
  assert.equal((await s.open({}, { 'x-api-key': 'ak_wrong' })).response.statusCode, 401)
  const many = await Promise.all(Array.from({ length: 51 }, () => s.open()))
  assert.equal(many.filter(({ response }) => response.statusCode === 429).length, 1)
  for (const stream of many.slice(2)) stream.leave()
  const open = many.slice(0, 2).find(({ response }) => response.statusCode === 200)
  assert.equal((await s.org(regenerateProjectKey, { params: { nano_id: s.keys.projectId } })).status, 200)
  await open?.ended
  for (const stream of many.slice(0, 2)) stream.leave()
})

/** Inserts many executions in one statement, one a millisecond from `first` on. */
const insertMany = ({ app, keys }: TestApp, count: number, first: number) =>
  app.db.run(sql`
    insert into tool_executions (id, project_id, tool_slug, toolkit_slug, version, request_id, successful, duration_ms,
      created_at)
    select 'log_many' || lpad(n::text, 8, '0'), ${keys.projectId}, 'SHOP_GET_ORDER', 'shop', '20260101_00', 'r', true,
      1, to_timestamp(${first}::double precision / 1000) + n * interval '1 millisecond'
    from generate_series(1, ${count}::int) n`)

test('log stream: thousands of executions in one second all come, in order and once each', async (t) => {
  const s = await stage(t)
  const stream = await s.open()
  await insertMany(s, 2_500, s.clock.now())
  await until('all came', () => stream.items.length >= 2_500)
  const ids = stream.items.map(({ id }) => id)
  assert.deepEqual([ids.length, new Set(ids).size], [2_500, 2_500])
  assert.deepEqual(ids, ids.toSorted())
  stream.leave()
  const again = await s.open({ last_event_id: String((s.clock.now() - 60_000) * 1_000) })
  await until('a later stream has all of them', () => again.items.length >= 2_500)
  again.leave()
})

test('log stream: a call that took minutes comes when it has ended, to an open and to a continued stream', async (t) => {
  const s = await stage(t)
  const now = s.clock.now()
  const open = await s.open()
  const position = open.parser.lastId as string
  // Calls that only read have no row before they end.
  await insert(s, 'log_long00000000', { created_at: new Date(now - 280_000), duration_ms: 281_000 })
  await insert(s, 'log_earlier00000', { created_at: new Date(now - 280_000), duration_ms: 1_000 })
  await until('it came', () => open.items.length > 0)
  const continued = await s.open({}, { 'last-event-id': position })
  await until('it came again', () => continued.items.length > 0)
  for (const stream of [open, continued]) {
    assert.deepEqual(
      stream.items.map(({ id }) => id),
      ['log_long00000000'],
    )
    stream.leave()
  }
})

test('logs: pages lead to every execution of the log, also those that end while they are read', async (t) => {
  const s = await stage(t)
  const now = s.clock.now()
  await insertMany(s, 450, now - 400_000)
  await insert(s, 'log_running00000', {
    created_at: new Date(now - 300_000),
    successful: null,
    duration_ms: null,
  })
  const seen: [string, string][] = []
  let position = '0'
  for (let page = 0; page < 4; page++) {
    const { body } = await s.call(streamLogs, { query: { last_event_id: position } })
    seen.push(...body.items.map(({ id, status }): [string, string] => [id, status]))
    assert.equal(body.missed, false)
    if (page === 1)
      await insert(s, 'log_behind000000', { created_at: new Date(now - 399_990), duration_ms: 399_990 })
    if (page === 2) {
      assert.match(body.last_event_id, /^\d+$/, 'the third page is the last one')
      await s.app.db.run(
        sql`update tool_executions set successful = true, duration_ms = 300000 where id = 'log_running00000'`,
      )
    }
    position = body.last_event_id
  }
  const many = seen.filter(([id]) => id.startsWith('log_many'))
  assert.deepEqual([many.length, new Set(many.map(([id]) => id)).size], [450, 450])
  assert.deepEqual(
    seen.filter(([id]) => !id.startsWith('log_many')),
    [
      ['log_running00000', 'started'],
      ['log_behind000000', 'success'],
      ['log_running00000', 'success'],
    ],
  )
  const { body } = await s.call(streamLogs, { query: { last_event_id: '0', status: 'failed' } })
  assert.deepEqual(body.items, [])
  assert.match(body.last_event_id, /^0\.\d+\.\d+\.log_many/, 'the position advances without a match')
})

test('logs: a position that is older than the log is reported, once', async (t) => {
  const s = await stage(t, { logRetentionDays: 7 })
  await insert(s, 'log_one000000000')
  const day = 86_400_000
  const positions = [8, 6].map((days) => String((s.clock.now() - days * day) * 1_000))
  const streams = await Promise.all([...positions, '0'].map((id) => s.open({ last_event_id: id })))
  await until('all came', () => streams.every(({ items }) => items.length === 1))
  assert.deepEqual(
    streams.map(({ missed }) => missed),
    [[{ type: 'tool.execution.missed', count: null }], [], []],
  )
  for (const stream of streams) stream.leave()
  const missed = await Promise.all(
    [...positions, '0'].map(
      async (id) => (await s.call(streamLogs, { query: { last_event_id: id } })).body.missed,
    ),
  )
  assert.deepEqual(missed, [true, false, false])
})

/** Streams without the application's HTTP server, with a count of the executions that they read. */
function openStreams({ app, keys, clock }: TestApp, options: Partial<LogStreamOptions> = {}) {
  const counts = { executions: 0 }
  const rows: Db['rows'] = async <T extends object>(query: Sql) => {
    const found = await app.db.rows<T>(query)
    counts.executions += found.filter((row) => Object.hasOwn(row, 'tool_slug')).length
    return found
  }
  const streams = createLogStreams({
    ...{ db: { ...app.db, rows }, encryptor: { decrypt: () => assert.fail('no row has an error') } },
    ...{ log: { debug() {} }, now: () => clock.now(), retentionDays: 0, pollMs: 1, ...options },
  })
  const open = (request: Partial<LogStreamRequest> = {}) =>
    streams
      .open({
        ...{ projectId: keys.projectId, fields: {}, status: undefined, position: undefined },
        ...{ signal: new AbortController().signal, checkAccess: async () => {}, ...request },
      })
      [Symbol.asyncIterator]()
  return { counts, open, close: () => streams.close() }
}

/** Takes texts of a stream until it has sent `count` executions. Returns their ids. */
async function takeIds(texts: AsyncIterator<string | Buffer>, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const { value, done } = await texts.next()
    if (done) assert.fail(`the stream ended after ${ids.length} executions`)
    for (const [, data] of String(value).matchAll(/^data: (.*)$/gm)) ids.push((JSON.parse(data!) as Item).id)
  }
  return ids
}

test('log stream: what changed is read once for all streams of a project, each sends what matches it', async (t) => {
  const s = await stage(t)
  const { counts, open, close } = openStreams(s, { pollMs: 10 })
  const matching = {
    ...{ tool_slug: 'shop_get_order', toolkit_slug: 'SHOP', user_id: 'user-1' },
    ...{ connected_account_id: 'ca_1', session_id: 'trs_1', request_id: 'request-1' },
  }
  const streams = Object.entries(matching).map(([field, value]) => open({ fields: { [field]: value } }))
  const others = Object.keys(matching).map((field) => open({ fields: { [field]: 'other' } }))
  const all = [...streams, ...others, open({ status: 'failed' })]
  await Promise.all(all.map((texts) => texts.next()))
  const pending = Promise.all(streams.map((texts) => takeIds(texts, 2)))
  const other = open({ fields: { tool_slug: 'OTHER' } })
  await other.next()
  const row = { connected_account_id: 'ca_1', session_id: 'trs_1' }
  await insert(s, 'log_one000000000', row)
  await insert(s, 'log_two000000000', { ...row, successful: false })
  for (const ids of await pending) assert.deepEqual(ids, ['log_one000000000', 'log_two000000000'])
  await insert(s, 'log_three0000000', { ...row, tool_slug: 'OTHER' })
  assert.deepEqual(await takeIds(other, 1), ['log_three0000000'])
  assert.equal(counts.executions, 3, 'each execution is read once for 14 streams')
  for (const texts of others) {
    const next = texts.next()
    close()
    assert.deepEqual(await next, { value: undefined, done: true })
  }
})

test('log stream: one that reads too slowly does not fill the memory, and still sends each execution once', async (t) => {
  const s = await stage(t)
  const { counts, open, close } = openStreams(s)
  const [slow, fast] = [open(), open()]
  await Promise.all([slow.next(), fast.next()])
  await insertMany(s, 6_000, s.clock.now())
  const first = await takeIds(slow, 200)
  const fastIds = await takeIds(fast, 6_000)
  assert.equal(counts.executions, 6_000, 'one read for both')
  await insert(s, 'log_zlast0000000', { created_at: new Date(s.clock.now() + 7_000) })
  const slowIds = [...first, ...(await takeIds(slow, 5_801))]
  assert.deepEqual([...fastIds, ...(await takeIds(fast, 1))], slowIds)
  assert.deepEqual(slowIds, [...new Set(slowIds)])
  assert.ok(counts.executions > 11_000, 'the slow one reads again')
  close()
})

test('log stream: one that continues sends what is stored late, once, while others are open', async (t) => {
  const s = await stage(t)
  const { open, close } = openStreams(s, { heartbeatMs: 0 })
  const live = open()
  await live.next()
  const early = { created_at: new Date(s.clock.now() - 5_000), duration_ms: 10 }
  await insert(s, 'log_early1000000', early)
  const position = { readAt: (s.clock.now() - 1_000) * 1_000, pass: undefined }
  const continued = open({ position })
  assert.deepEqual(await takeIds(continued, 1), ['log_early1000000'])
  await insert(s, 'log_early2000000', early)
  await insert(s, 'log_now000000000')
  assert.deepEqual(await takeIds(live, 1), ['log_now000000000'], 'it has no calls that ended before')
  assert.deepEqual((await takeIds(continued, 2)).sort(), ['log_early2000000', 'log_now000000000'])
  close()
})

test('log stream: one that reads its past slowly does not send again what the feed read meanwhile', async (t) => {
  const s = await stage(t)
  await insertMany(s, 1_100, s.clock.now() - 60_000)
  const { open, close } = openStreams(s, { heartbeatMs: 0 })
  const [live, continued] = [open(), open({ position: { readAt: 0, pass: undefined } })]
  await Promise.all([live.next(), continued.next()])
  const ids = await takeIds(continued, 200)
  for (const id of ['log_one000000000', 'log_two000000000', 'log_three0000000']) {
    await insert(s, id)
    await takeIds(live, 1)
    // With these options each read of the feed is complete, and each wakes the stream.
    for (let reads = 0; reads < 3; reads++) await live.next()
  }
  ids.push(...(await takeIds(continued, 903)))
  await insert(s, 'log_zlast0000000')
  ids.push(...(await takeIds(continued, 1)))
  assert.equal(ids.at(-1), 'log_zlast0000000')
  assert.equal(new Set(ids).size, 1_104)
  close()
})

test('log stream: all streams of a project end when a read fails, and later ones work', async (t) => {
  const s = await stage(t)
  let fails = false
  const rows: Db['rows'] = async (query) => {
    if (fails) throw new Error('the database is gone')
    return s.app.db.rows(query)
  }
  const { open, close } = openStreams(s, { db: { ...s.app.db, rows } })
  const streams = [open(), open()]
  await Promise.all(streams.map((texts) => texts.next()))
  fails = true
  for (const texts of streams) assert.equal((await texts.next()).done, true)
  assert.equal((await open().next()).done, true, 'the first read fails, too')
  fails = false
  const later = open()
  await later.next()
  await insert(s, 'log_one000000000')
  assert.deepEqual(await takeIds(later, 1), ['log_one000000000'])
  close()
})

test('log stream: access is checked while a long log is read, and a stream without it ends within the log', async (t) => {
  const s = await stage(t)
  await insertMany(s, 1_000, s.clock.now() - 60_000)
  const { open, close } = openStreams(s, { heartbeatMs: 0 })
  let checks = 0
  const texts = open({
    position: { readAt: 0, pass: undefined },
    checkAccess: async () => {
      if (++checks === 3) throw new Error('the key was revoked')
    },
  })
  await assert.rejects(takeIds(texts, 401), /ended after 400 executions/, 'two portions of 200 rows')
  close()
})

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { openTransaction, untilLocked } from '#fixtures/transactions.ts'
import { createLog } from '../../log.ts'
import { connect } from '../pool.ts'
import { type Db, type Pool, raw, sql } from '../sql.ts'
import {
  createMissingPartitions,
  createPartitions,
  dropPartitions,
  listPeriods,
  lockPeriod,
  partitionStates,
  preparePartitions,
  preparePartitionsAt,
} from './index.ts'

const OPTIONS = { logRetentionDays: 30 }
const DAY_MS = 86_400_000
const LOG = createLog('silent')

/** A database whose log has no partitions but the default one. */
async function startDatabase(t: TestContext) {
  const url = await clonedDatabase(t)
  const db = connect(url, { max: 8, statementTimeoutMs: 60_000 })
  t.after(() => db.close())
  for (const period of await listPeriods(db, 'executions')) await db.begin((tx) => dropPartitions(tx, period))
  return { url, db }
}

const insertExecution = (db: Db, id: string, hoursAgo = 0) =>
  db.run(sql`
    insert into tool_executions (id, project_id, tool_slug, toolkit_slug, version, request_id, created_at)
    values (${id}, 'proj_a', 'SHOP_A', 'shop', '1', 'r',
      date_bin('1 day', now(), timestamptz 'epoch') - make_interval(hours => ${hoursAgo}::int))`)

const placesOf = (db: Db) =>
  db.rows<{ place: string; ids: string[] }>(sql`
    select tableoid::regclass::text as place, array_agg(id order by id) as ids from tool_executions
    group by tableoid order by min(created_at)`)

/** The days around the present one. */
const around = () => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  return { from: today - DAY_MS, to: today + 2 * DAY_MS }
}

test('partitions: a row that is being inserted without a partition moves into the one that is created', async (t) => {
  const { db } = await startDatabase(t)
  const commit = await openTransaction(db, (tx) => insertExecution(tx, 'row'))
  const created = db.begin((tx) => createPartitions(tx, 'executions', around()))
  await Promise.race([untilLocked(db), created])
  await commit()
  await created
  assert.deepEqual(
    (await placesOf(db)).map(({ place, ids }) => [/_\d{8}$/.test(place), ids]),
    [[true, ['row']]],
  )
})

test('partitions: an insert that waits while its partition is created succeeds', async (t) => {
  const { db } = await startDatabase(t)
  const commit = await openTransaction(db, (tx) => createPartitions(tx, 'executions', around()))
  const inserted = insertExecution(db, 'row')
  await untilLocked(db)
  await commit()
  assert.equal(await inserted, 1)
  assert.match((await placesOf(db))[0]!.place, /_\d{8}$/)
})

test('partitions: a partition to come is created while rows are inserted', async (t) => {
  const { db } = await startDatabase(t)
  const { from, to } = around()
  await db.begin((tx) => createPartitions(tx, 'executions', { from, to }))
  const commit = await openTransaction(db, (tx) => insertExecution(tx, 'row'))
  const created = await db.begin((tx) => createPartitions(tx, 'executions', { from: to, to: to + DAY_MS }))
  assert.equal(created.length, 3)
  await commit()
})

test('partitions: a server that starts moves no rows, and starts if partitions cannot be created', async (t) => {
  const { url, db } = await startDatabase(t)
  await insertExecution(db, 'row')
  await createMissingPartitions(db, OPTIONS)
  assert.equal((await listPeriods(db, 'executions')).length, 1, 'that of next week')
  assert.deepEqual((await placesOf(db))[0]!.place, 'tool_executions_default')
  await preparePartitions(db, OPTIONS)
  assert.match((await placesOf(db))[0]!.place, /_\d{8}$/)

  await dropAll(db)
  await db.run(sql`drop function create_partition`)
  const errors: string[] = []
  await preparePartitionsAt(url, OPTIONS, {
    ...LOG,
    error: (_fields: object, text?: string) => errors.push(text!),
  })
  assert.match(errors[0]!, /partitions could not be created/)
})

const dropAll = async (db: Pool) => {
  for (const period of await listPeriods(db, 'executions')) await db.begin((tx) => dropPartitions(tx, period))
}

test('partitions: many rows move in portions, and a run that fails keeps those that it has moved', async (t) => {
  const { db } = await startDatabase(t)
  for (const hours of [2400, 2399, 2398, 2397, 2396]) await insertExecution(db, `h${hours}`, hours)
  const place = async (hours: number) =>
    (await db.one<{ name: string }>(sql`
        select 'tool_executions_' || to_char(created_at at time zone 'UTC', 'YYYYMMDD_HH24MI') as name
        from tool_executions where id = ${`h${hours}`}`))!.name
  const occupied = raw(await place(2398))
  await db.run(sql`create table ${occupied} ()`)
  await assert.rejects(preparePartitions(db, OPTIONS, 2), { code: '42P07' })
  const byDefault = ['h2396', 'h2397', 'h2398']
  assert.deepEqual(
    (await placesOf(db)).map(({ ids }) => ids),
    [['h2399', 'h2400'], byDefault],
  )
  await db.run(sql`drop table ${occupied}`)
  await preparePartitions(db, OPTIONS, 2)
  const places = await placesOf(db)
  assert.deepEqual(
    places.map(({ ids }) => ids),
    [['h2399', 'h2400'], ['h2397', 'h2398'], ['h2396']],
  )
  assert.equal(places[1]!.place, await place(2398))
})

test('partitions: a drop locks tables before their partitions, so that a reader between them continues', async (t) => {
  const { db } = await startDatabase(t)
  await createMissingPartitions(db, OPTIONS)
  const [period] = await listPeriods(db, 'executions')
  let reader: Db
  const commit = await openTransaction(db, async (tx) => {
    await tx.run(sql`lock table only usage_days in access share mode`)
    reader = tx
  })
  const dropped = db.begin(async (tx) => {
    await lockPeriod(tx, 'executions', period!)
    await dropPartitions(tx, period!)
  })
  await untilLocked(db)
  await reader!.rows(
    sql`select from ${raw(period!.partitions.find((name) => name.startsWith('usage_days'))!)}`,
  )
  await commit()
  await dropped
  assert.ok(!(await listPeriods(db, 'executions')).some(({ from }) => from === period!.from))
})

test('partitions: their state is read in one statement', async (t) => {
  const { db } = await startDatabase(t)
  await insertExecution(db, 'row')
  let statements = 0
  const counted: Db = {
    ...db,
    rows: (query) => (statements++, db.rows(query)),
    one: (query) => (statements++, db.one(query)),
  }
  const states = await partitionStates(counted)
  assert.equal(statements, 1)
  assert.deepEqual(
    states.filter(({ default_rows: rows }) => rows > 0).map(({ table }) => table),
    ['tool_executions'],
  )
  assert.equal(states.length, 7)
})

test('partitions: a session with another time zone and date style creates and lists the same ones', async (t) => {
  const { db } = await startDatabase(t)
  const times = [Date.UTC(2031, 2, 3), Date.UTC(2031, 2, 31)] as const
  await db.begin(async (tx) => {
    await tx.run(sql`set local time zone 'Asia/Kolkata'`)
    // IST is also the time of Israel, and the day can be the month.
    await tx.run(sql`set local datestyle = 'SQL, DMY'`)
    await createPartitions(tx, 'executions', { from: times[0], to: times[1] })
    const periods = await listPeriods(tx, 'executions')
    assert.deepEqual([periods.at(-1)!.from, periods.at(-1)!.to], times)
  })
  const [period] = (await listPeriods(db, 'executions')).slice(-1)
  assert.deepEqual([period!.from, period!.to], times)
  assert.ok(period!.partitions.includes('tool_executions_20310303'))
})

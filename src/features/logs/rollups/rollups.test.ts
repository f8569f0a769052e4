import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { partitionByDay } from '#fixtures/partitions.ts'
import { untilLocked } from '#fixtures/transactions.ts'
import type { ExecutionRow } from '../../../engine/index.ts'
import { createEncryptor, parseKeyRing } from '../../../platform/crypto/index.ts'
import { connect } from '../../../platform/db/pool.ts'
import { type Db, type Pool, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { countCallsOfUsers } from '../calls-by-user.ts'
import { createLogWriter } from '../log-writer.ts'
import { countCalls, countCallsByStep, periodUntil } from '../metrics.ts'
import { removeOldLogs, removeUserLogs } from '../store.ts'
import { usageBreakdown, usageSummary } from '../usage.ts'
import { countedCalls } from './counted.ts'
import { DAY_MS, HOUR_MS, instant, markStale } from './hours.ts'
import { refreshStaleHour, rollUpNextHour } from './roll-up.ts'
import { rollUpNextDay } from './roll-up-days.ts'

const PROJECTS = ['proj_a', 'proj_b']
const GROUPS = [
  'tool_slug',
  'toolkit_slug',
  'user_id',
  'connected_account_id',
  'auth_config_id',
  'session_id',
] as const
/** Contains at least one whole day of UTC. */
const HOURS = 54
const RETENTION_DAYS = 2

const chance = (share: number) => randomInt(1_000) < share * 1_000
const one = <T>(...choices: T[]): T => choices[randomInt(choices.length)] as T

async function startLog(t: TestContext) {
  const url = await clonedDatabase(t)
  const db = connect(url, { max: 4 })
  t.after(() => db.close())
  await db.run(sql`insert into organizations (id, name) values ('org_1', 'o')`)
  for (const id of PROJECTS)
    await db.run(sql`insert into projects (id, organization_id, name) values (${id}, 'org_1', ${id})`)
  const keys = parseKeyRing(`test:${randomBytes(32).toString('base64')}`)
  return { db, write: createLogWriter(db, createEncryptor(keys)) }
}

function randomRow(): ExecutionRow {
  const session = one(null, null, 'trs_1', 'trs_2', 'trs_3')
  const ended = chance(0.9)
  return {
    id: `log_${randomBytes(9).toString('hex')}`,
    projectId: one(...PROJECTS),
    toolSlug: one('SHOP_A', 'SHOP_B', 'MAIL_C'),
    toolkitSlug: one('shop', 'mail'),
    version: '1',
    effect: 'read',
    dryRun: chance(0.1),
    userId: one(null, 'ann', 'bob', 'cem'),
    connectedAccountId: one(null, 'ca_1', 'ca_2'),
    authConfigId: one(null, 'ac_1'),
    sessionId: session,
    sandboxId: null,
    parentId: null,
    requestId: 'r',
    source: null,
    startedAt: Date.now() - randomInt(HOURS * HOUR_MS),
    timings: {},
    requests: 1,
    requestBytes: 1,
    responseBytes: 1,
    successful: ended ? chance(0.7) : null,
    isStartLogged: false,
    statusCode: null,
    error: null,
    durationMs: ended ? randomInt(40) : null,
    payload: null,
  }
}

/** What the API computes for a period, and the same computed from the executions alone. */
async function compare(db: Db, projectId: string, from: number, to: number): Promise<void> {
  const where = sql`project_id = ${projectId} and not dry_run and created_at >= to_timestamp(${from}::float8 / 1000)
    and created_at < to_timestamp(${to}::float8 / 1000)`
  for (const group of GROUPS) {
    const usage = await usageBreakdown(db, 'tool_calls', { projectId }, { from, to, group_by: group })
    const rows = await db.rows<{ key: string; calls: number }>(sql`
      select coalesce(${raw(group)}, '') as key, count(*) as calls from tool_executions where ${where}
      group by 1 order by 2 desc, 1`)
    assert.deepEqual(
      usage.groups.map(({ key, event_count: calls }) => ({ key, calls })),
      rows,
      `${group} of ${projectId} between ${from} and ${to}`,
    )
  }
  await compareUsers(db, projectId, from)
  const { entities } = await usageSummary(db, { projectId }, { from, to })
  const counts = await db.one<Record<'calls' | 'sessions' | 'users', number>>(sql`
    select count(*) as calls, count(distinct session_id) as sessions, count(distinct user_id) as users
    from tool_executions where ${where}`)
  const { users, ...all } = await countCalls(db, projectId, { from, to })
  assert.deepEqual(
    [entities['tool_calls']?.event_count, entities['sessions']?.total_quantity, users],
    [counts?.calls, String(counts?.sessions), counts?.users],
  )
  assert.deepEqual(all, (await countFromLog(db, projectId, { from, to, bucketMs: to - from }))[0] ?? NONE)
  for (const bucket of ['1h', '6h', '1d'] as const) {
    const period = periodUntil(to, to - from, bucket)
    assert.deepEqual(
      (await countCallsByStep(db, projectId, period)).map(({ step: _step, ...step }) => step),
      await countFromLog(db, projectId, period),
      `steps of ${bucket}`,
    )
  }
}

/** Compares the executions of some users since a time with the log. */
async function compareUsers(db: Db, projectId: string, from: number): Promise<void> {
  const users = ['ann', 'cem', 'unknown']
  const counts = await countCallsOfUsers(db, projectId, users, from + 7 * DAY_MS)
  const rows = await db.rows<{ user_id: string; calls: number; failed: number }>(sql`
    select user_id, count(*) as calls, count(*) filter (where successful = false) as failed from tool_executions
    where project_id = ${projectId} and not dry_run and created_at >= to_timestamp(${from}::float8 / 1000)
      and user_id = any(${users}) group by 1`)
  assert.deepEqual(counts, new Map(rows.map(({ user_id, calls, failed }) => [user_id, { calls, failed }])))
}

const NONE = { total: 0, failed: 0, p50_ms: null, p95_ms: null }

const countFromLog = (
  db: Db,
  projectId: string,
  { from, to, bucketMs }: { from: number; to: number; bucketMs: number },
): Promise<(typeof NONE)[]> =>
  db.rows(sql`
    select count(*)::int as total, count(*) filter (where successful = false)::int as failed,
      percentile_cont(0.5) within group (order by duration_ms) as p50_ms,
      percentile_cont(0.95) within group (order by duration_ms) as p95_ms
    from tool_executions
    where project_id = ${projectId} and not dry_run and created_at >= to_timestamp(${from}::float8 / 1000)
      and created_at < to_timestamp(${to}::float8 / 1000)
    group by floor((extract(epoch from created_at) * 1000 - ${from}::float8) / ${bucketMs}::float8)
    order by min(created_at)`)

/** A pool whose transactions lose their connection before one of their statements. */
const crashingPool = (db: Pool): Pool => ({
  ...db,
  begin: (work) =>
    db.begin((tx) => {
      let left = randomInt(6)
      const crash = async () => {
        if (left-- === 0) await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`)
      }
      return work({
        rows: async (query) => crash().then(() => tx.rows(query)),
        one: async (query) => crash().then(() => tx.one(query)),
        run: async (query) => crash().then(() => tx.run(query)),
        decrypt: (value, context) => tx.decrypt(value, context),
      })
    }),
})

test('usage rollups: sums equal the executions after any order of calls, roll-ups, crashes and removals', async (t) => {
  const { db, write } = await startLog(t)
  await partitionByDay(db, 'executions', [-3, -2, -1, 0, 1])
  const running: ExecutionRow[] = []
  const steps = {
    async write() {
      const rows = Array.from({ length: 1 + randomInt(40) }, randomRow)
      running.push(...rows.filter(({ successful }) => successful === null))
      await Promise.all(rows.map(write))
    },
    async end() {
      const rows = running.splice(0, randomInt(10))
      await Promise.all(rows.map((row) => write({ ...row, successful: chance(0.5), durationMs: 7 })))
    },
    async rollUp() {
      for (let hours = randomInt(20); hours > 0 && (await rollUpNextHour(db)); hours--);
    },
    rollUpDay: () => rollUpNextDay(db),
    refresh: () => refreshStaleHour(db),
    /** Two processes at the same time. */
    both: () =>
      Promise.all([rollUpNextHour, rollUpNextDay, refreshStaleHour].flatMap((run) => [run(db), run(db)])),
    crash: () => one(rollUpNextHour, rollUpNextDay, refreshStaleHour)(crashingPool(db)).catch(() => false),
    remove: () => removeUserLogs(db, 'proj_a', one('ann', 'bob')),
    removeOld: () => removeOldLogs(db, RETENTION_DAYS),
  }
  await steps.write()
  for (let n = 0; n < 40; n++) {
    await steps[one('write', 'write', 'end', 'rollUp', ...(Object.keys(steps) as (keyof typeof steps)[]))]()
    if (n % 4 !== 0) continue
    const to = Date.now() - randomInt(6 * HOUR_MS)
    await compare(db, one(...PROJECTS), to - randomInt(1, HOURS * HOUR_MS), to)
  }
  while (await rollUpNextHour(db));
  while (await rollUpNextDay(db));
  // A late execution of a day that is rolled up.
  const [day] = await db.rows<{ end: Date }>(sql`select days_through as end from usage_progress`)
  await write({ ...randomRow(), dryRun: false, startedAt: day!.end.getTime() - HOUR_MS })
  while (await refreshStaleHour(db));
  for (const id of PROJECTS) await compare(db, id, Date.now() - HOURS * HOUR_MS, Date.now())
  const rolledUp = await db.one<{ calls: number }>(sql`
    select sum(calls)::int as calls from usage_hours where dimension = 'total'`)
  const ended = await db.one<{ calls: number }>(sql`
    select count(*)::int as calls from tool_executions
    where not dry_run and created_at < (select through from usage_progress)`)
  assert.ok(ended!.calls > 0)
  assert.deepEqual(rolledUp, ended, 'the executions of ended hours are in the rollups, not only in the log')
  assert.deepEqual(
    await sumsOfDays(db, sql`usage_days`, sql`day`),
    await sumsOfDays(db, sql`usage_hours`, sql`hour`),
  )
})

/** The calls of each day that is rolled up, by all fields, as a table has them. */
async function sumsOfDays(db: Db, table: Sql, time: Sql): Promise<object[]> {
  const sums = await db.rows(sql`
    select date_bin('1 day', ${time}, timestamptz 'epoch') as day, project_id, dimension, key, user_id,
      sum(calls)::int as calls, sum(failed)::int as failed
    from ${table} cross join usage_progress where ${time} >= days_from and ${time} < days_through
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`)
  assert.ok(sums.length > 0)
  return sums
}

test('usage rollups: an hour that a statement is still writing is not rolled up', async (t) => {
  const { db, write } = await startLog(t)
  await write({ ...randomRow(), startedAt: Date.now() - 3 * HOUR_MS })
  const century = 100 * 365 * 24 * 60
  await db.begin(async (tx) => {
    await tx.run(sql`delete from tool_executions where id = 'none'`)
    assert.equal(await rollUpNextHour(db, century), false)
  })
  assert.equal(await rollUpNextHour(db, century), true)
})

test('usage rollups: a stale hour is computed with the execution of a transaction that made it stale', async (t) => {
  const { db, write } = await startLog(t)
  const startedAt = Date.now() - 3 * HOUR_MS
  const row = { ...randomRow(), projectId: 'proj_a', dryRun: false, startedAt }
  await write(row)
  while (await rollUpNextHour(db));
  await write({ ...row, id: 'log_2' })
  let refreshing: Promise<boolean> | undefined
  await db.begin(async (tx) => {
    await tx.run(sql`
      insert into tool_executions (id, project_id, tool_slug, toolkit_slug, version, request_id, created_at)
      select 'log_3', project_id, tool_slug, toolkit_slug, version, request_id, created_at from tool_executions
      where id = 'log_2'`)
    await tx.run(
      markStale(sql`select project_id, date_bin('1 hour', created_at, timestamptz 'epoch') as hour
        from tool_executions where id = 'log_3'`),
    )
    refreshing = refreshStaleHour(db)
    // The refresh waits for this transaction: it holds the row of the hour.
    await untilLocked(db)
  })
  assert.equal(await refreshing, true)
  assert.equal(await refreshStaleHour(db), false)
  const total = await db.one(sql`
    select sum(calls)::int as calls from usage_hours where dimension = 'total' and project_id = 'proj_a'`)
  assert.deepEqual(total, { calls: 3 })
})

test('usage rollups: PostgreSQL expects few executions after the last hour that is rolled up', async (t) => {
  const { db } = await startLog(t)
  const to = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 20 * DAY_MS
  // Ten thousand executions of a week before `to`, all of them in one partition.
  await db.run(sql`
    insert into tool_executions (id, project_id, tool_slug, toolkit_slug, version, request_id, created_at)
    select n, 'proj_a', 'SHOP_A', 'shop', '1', 'r', ${instant(to)} - n * interval '1 minute'
    from generate_series(1, 10000) n`)
  await db.run(sql`analyze tool_executions`)
  await db.run(sql`insert into usage_progress (through) values (${instant(to - HOUR_MS)})`)
  const period = { ofProject: (column: Sql) => sql`${column} = 'proj_a'`, from: to - DAY_MS, to }
  const [plan] = await db.rows<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    sql`explain (format json) ${countedCalls('total', period)}`,
  )
  const expected = plan!['QUERY PLAN'][0].Plan['Plan Rows']
  assert.ok(
    expected < 200,
    `${expected} rows: of the 1,440 of this day it would read the whole table of their week`,
  )
})

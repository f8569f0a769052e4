import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { TENANT_ROLE } from '#fixtures/database.ts'
import { createLog } from '../../log.ts'
import { connect } from '../pool.ts'
import { projectRows } from '../project-rows.ts'
import { runInProject } from '../project-scope.ts'
import { type Pool, raw, sql } from '../sql.ts'
import { openTenantRole } from '../tenant-role.ts'
import {
  changePartitions,
  dropPartitions,
  listPeriods,
  partitionStates,
  prepareAndCheck,
  preparePartitions,
} from './index.ts'

const OPTIONS = { logRetentionDays: 30 }

async function startDatabase(t: TestContext) {
  const url = await clonedDatabase(t)
  const db = connect(url, { max: 8, tenantRole: TENANT_ROLE })
  t.after(() => db.close())
  await db.run(sql`insert into organizations (id, name) values ('org_1', 'o')`)
  for (const id of ['proj_a', 'proj_b'])
    await db.run(sql`insert into projects (id, organization_id, name) values (${id}, 'org_1', ${id})`)
  return { url, db }
}

/** Inserts an execution that started so many days ago. */
const insertExecution = (db: Pool, id: string, daysAgo: number, project = 'proj_a') =>
  db.run(sql`
    insert into tool_executions (id, project_id, tool_slug, toolkit_slug, version, request_id, created_at)
    values (${id}, ${project}, 'SHOP_A', 'shop', '1', 'r', now() - make_interval(days => ${daysAgo}::int))`)

/** Names of the partitions of executions, in which the rows are. */
const placesOf = async (db: Pool) =>
  Object.fromEntries(
    (
      await db.rows<{ id: string; place: string }>(
        sql`select id, tableoid::regclass::text as place from tool_executions order by id`,
      )
    ).map(({ id, place }) => [id, place]),
  )

const dropAll = async (db: Pool) => {
  for (const period of await listPeriods(db, 'executions')) await db.begin((tx) => dropPartitions(tx, period))
}

test('partitions: servers that start at once create each partition of the coming week once', async (t) => {
  const { db } = await startDatabase(t)
  await dropAll(db)
  const runs = await Promise.all(Array.from({ length: 6 }, () => preparePartitions(db, OPTIONS)))
  const created = runs.flatMap((run) => run.created).filter((name) => name.startsWith('tool_executions_'))
  assert.equal(new Set(created).size, created.length)
  const periods = await listPeriods(db, 'executions')
  assert.ok(periods[0]!.from <= Date.now() && periods.at(-1)!.to >= Date.now() + 7 * 86_400_000)
  assert.deepEqual(
    periods.map(({ partitions }) => partitions.length),
    periods.map(() => 3),
    'of executions, usage by hour and usage by day',
  )
})

test('partitions: rows that came without a partition are reported, and get one', async (t) => {
  const { db } = await startDatabase(t)
  await dropAll(db)
  await insertExecution(db, 'now', 0)
  await insertExecution(db, 'old', 100)
  const errors: object[] = []
  const log = { ...createLog('silent'), error: (fields: object) => void errors.push(fields) }
  const states = async () =>
    (await partitionStates(db)).find(({ table }) => table === 'tool_executions')!.default_rows
  assert.equal(await states(), 2)
  await prepareAndCheck({ db, log, ...OPTIONS })
  assert.deepEqual(errors, [{ table: 'tool_executions', rows: 2 }])
  const places = await placesOf(db)
  assert.match(places['now']!, /^tool_executions_\d{8}$/)
  assert.match(places['old']!, /^tool_executions_\d{8}$/)
  assert.notEqual(places['now'], places['old'])
  assert.equal(await states(), 0)
})

test('partitions: a row of the distant future stays in the default partition, and is reported each time', async (t) => {
  const { db } = await startDatabase(t)
  await insertExecution(db, 'future', -400)
  const errors: object[] = []
  const log = { ...createLog('silent'), error: (fields: object) => void errors.push(fields) }
  for (let run = 0; run < 2; run++) await prepareAndCheck({ db, log, ...OPTIONS })
  assert.deepEqual(errors, Array(2).fill({ table: 'tool_executions', rows: 1 }))
  assert.deepEqual(await placesOf(db), { future: 'tool_executions_default' })
})

test('partitions: a change gives up soon when a reader holds the table, and rejects nobody', async (t) => {
  const { db } = await startDatabase(t)
  const [period] = await listPeriods(db, 'executions')
  const drop = () =>
    changePartitions(db, async (tx) => {
      await dropPartitions(tx, period!)
      return 'dropped'
    })
  await db.begin(async (tx) => {
    await tx.rows(sql`select * from tool_executions limit 1`)
    assert.equal(await drop(), undefined)
  })
  assert.equal(await drop(), 'dropped')
})

test('attack: the erasure of a project leaves rows of others with the same place in another partition', async (t) => {
  const { db } = await startDatabase(t)
  for (const [n, project] of ['proj_a', 'proj_b'].entries())
    await insertExecution(db, project, n * 100, project)
  await preparePartitions(db, OPTIONS)
  const places = await db.rows<{ place: string }>(
    sql`select distinct ctid::text as place from tool_executions`,
  )
  assert.equal(places.length, 1)
  assert.equal(await projectRows(sql`tool_executions`, '').erase(db, 'proj_a', 10), 1)
  assert.deepEqual(Object.keys(await placesOf(db)), ['proj_b'])
})

test('attack: a call of a project reads no row of a partition itself, not even its own', async (t) => {
  const { url, db } = await startDatabase(t)
  await insertExecution(db, 'own', 0, 'proj_a')
  await insertExecution(db, 'foreign', 0, 'proj_b')
  await preparePartitions(db, OPTIONS)
  await openTenantRole(url, 'required')
  const partitions = await db.rows<{ name: string }>(sql`
    select relname as name from pg_class where relispartition and relkind in ('r', 'p')`)
  assert.ok(partitions.length > 20)
  await runInProject('proj_a', async () => {
    assert.deepEqual(await db.rows(sql`select id from tool_executions`), [{ id: 'own' }])
    for (const { name } of partitions) assert.deepEqual(await db.rows(sql`select * from ${raw(name)}`), [])
  })
})

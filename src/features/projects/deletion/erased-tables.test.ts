import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { ERASED_ROWS } from '../../../app/wiring/project-erasure.ts'
import { type Db, join, raw, sql } from '../../../platform/db/sql.ts'

const ERASED = 'proj_erased'
const OTHER = 'proj_other'

/** Tables with a project whose rows are not erased one by one: `erase-project.test.ts` has the reasons. */
const LEFT = ['api_keys', 'audit_chains', 'audit_log', 'incidents', 'project_data_keys', 'project_deletions']

/** Rows in several partitions, as SQL expressions by column. Of other tables, one row is enough. */
const ROWS: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  webhook_deliveries: [
    { status: `'pending'` },
    { status: `'dead'`, id: `'finished'` },
    { status: `'dead'`, id: `'old'`, event_created_at: `now() - interval '400 days'` },
  ],
  webhook_attempts: [{}, { event_created_at: `now() - interval '400 days'` }],
  events: [{}, { created_at: `now() - interval '400 days'` }],
  trigger_logs: [{}, { created_at: `now() - interval '400 days'` }],
  tool_executions: [{}, { created_at: `now() - interval '400 days'` }],
  usage_hours: [{}, { hour: `now() - interval '400 days'` }],
  usage_days: [{}, { day: `now() - interval '400 days'` }],
}

/** SQL expressions of values by type. */
const VALUES: Readonly<Record<string, string>> = {
  bool: 'false',
  bytea: `'\\x01'`,
  date: 'now()',
  float8: '0',
  int2: '0',
  int4: '0',
  int8: '0',
  json: `'{}'`,
  jsonb: `'{}'`,
  text: `'x'`,
  timestamptz: 'now()',
  uuid: 'gen_random_uuid()',
}

interface Column {
  name: string
  type: string
}

/** The tables with a project, and their columns that need a value, as the database has them. */
const tablesWithProject = (db: Db) =>
  db.rows<{ table: string; columns: Column[] }>(sql`
    select c.relname as table, (
      select coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'type', t.typname)), '[]') from pg_attribute a
        join pg_type t on t.oid = a.atttypid
      where a.attrelid = c.oid and a.attnum > 0 and a.attnotnull and not a.atthasdef and a.attidentity = ''
        and a.attgenerated = '' and a.attname <> 'project_id') as columns
    from pg_class c join pg_attribute p on p.attrelid = c.oid and p.attname = 'project_id' and not p.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`)

/** Inserts rows that refer to nothing: each must be found by its project alone. */
async function insertRows(db: Db, table: string, columns: readonly Column[], project: string): Promise<void> {
  for (const expressions of ROWS[table] ?? [{}]) {
    const values = new Map<string, string>([['project_id', `'${project}'`]])
    for (const { name, type } of columns) {
      const value = VALUES[type] ?? (type.startsWith('_') ? `'{}'` : undefined)
      assert.ok(value !== undefined, `${table}.${name}: add a value of the type ${type} to this test`)
      values.set(name, name === 'id' && type === 'text' ? `'${project}'` : value)
    }
    for (const [name, value] of Object.entries(expressions)) values.set(name, value)
    const names = join([...values.keys()].map((name) => raw(`"${name}"`)))
    await db.run(sql`
      insert into ${raw(`"${table}"`)} (${names}) select ${join([...values.values()].map((value) => raw(value)))}
      on conflict do nothing`)
  }
}

/** A project with a row in each place where the database can store one. */
async function fillTables(t: TestContext) {
  const s = await testApp(t)
  const { db } = s.app
  await db.run(sql`insert into organizations (id, name) values ('org_erased', 'o')`)
  for (const id of [ERASED, OTHER])
    await db.run(sql`insert into projects (id, organization_id, name) values (${id}, 'org_erased', ${id})`)
  const constraints = await db.rows<{ statement: string }>(sql`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement from pg_constraint
    where contype in ('c', 'f') and connamespace = 'public'::regnamespace and coninhcount = 0 and conrelid <> 0
      and conparentid = 0`)
  for (const { statement } of constraints) await db.run(raw(statement))
  const tables = await tablesWithProject(db)
  for (const { table, columns } of tables) {
    await db.run(sql`alter table ${raw(`"${table}"`)} disable trigger user`)
    for (const project of [ERASED, OTHER]) await insertRows(db, table, columns, project)
  }
  const counts = async (project: string) => {
    const found: [string, number][] = []
    for (const { table } of tables) {
      const row = await db.one<{ n: number }>(sql`
        select count(*)::int as n from ${raw(`"${table}"`)} where project_id = ${project}`)
      if (row!.n > 0) found.push([table, row!.n])
    }
    return found
  }
  return { ...s, db, counts, tables: tables.map(({ table }) => table) }
}

test('erasure: no table has a row of an erased project, also none that refers to nothing, and those of others stay', async (t) => {
  const s = await fillTables(t)
  const before = await s.counts(OTHER)
  assert.deepEqual(
    (await s.counts(ERASED)).map(([table]) => table),
    s.tables,
    'each table has a row',
  )
  await s.app.files.removeOfProject(ERASED)
  for (const { erase } of ERASED_ROWS) while ((await erase(s.db, ERASED, 10)) > 0);
  assert.deepEqual((await s.counts(ERASED)).map(([table]) => table).sort(), LEFT)
  assert.deepEqual(await s.counts(OTHER), before)
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { migrateAll } from '../src/server/schema.ts'
import { migrate, type Migration, readMigrations } from '../src/platform/db/migrate.ts'
import { createLog } from '../src/platform/log.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { schemaText } from '../scripts/schema-text.ts'
import { clonedDatabase } from './fixtures/clone.ts'

const folder = join(import.meta.dirname, '..', 'migrations')
const silent = createLog('silent')
const emptyDatabase = (t: TestContext) => clonedDatabase(t, 'template0')

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const applied = (url: string) =>
  withClient(
    url,
    async (client) =>
      (await client.query<Migration>('select name, checksum, applied_at from migrations order by name')).rows,
  )

/** The tables of every schema, which a rejected migration must not change. */
const tables = (url: string) =>
  withClient(url, async (client) =>
    (
      await client.query<{ name: string }>(`
  select schemaname || '.' || tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`)
    ).rows.map(({ name }) => name),
  )

test('migrations: twenty programs that start at once apply each migration to an empty database once', async (t) => {
  const url = await emptyDatabase(t)
  const migrations = await readMigrations(folder)
  const done = await Promise.all(Array.from({ length: 20 }, () => migrateAll(url, silent)))
  assert.deepEqual(
    done.flat().sort(),
    migrations.map(({ name }) => name),
    'each migration was applied by one of them',
  )
  assert.deepEqual(
    (await applied(url)).map(({ name, checksum }) => ({ name, checksum })),
    migrations.map(({ name, checksum }) => ({ name, checksum })),
  )
  assert.ok(
    (await tables(url)).includes('graphile_worker._private_jobs'),
    'the schema of the job queue is there too',
  )
})

test('migrations: a database that is up to date is not changed', async (t) => {
  const url = await emptyDatabase(t)
  await migrateAll(url, silent)
  const before = [await applied(url), await withClient(url, schemaText), await tables(url)]
  assert.deepEqual(await migrateAll(url, silent), [])
  assert.deepEqual([await applied(url), await withClient(url, schemaText), await tables(url)], before)
})

test('migrations: a later release applies only the migrations that are missing', async (t) => {
  const url = await emptyDatabase(t)
  const migrations = await readMigrations(folder)
  await migrate(url, migrations)
  const next = { name: '9999-later.sql', text: 'create table later (id text primary key)', checksum: 'c' }
  assert.deepEqual(await migrate(url, [...migrations, next]), ['9999-later.sql'])
})

test('migrations: a schema that is newer than the program is rejected with a remedy', async (t) => {
  const url = await emptyDatabase(t)
  const migrations = await readMigrations(folder)
  await migrate(url, [
    ...migrations,
    { name: '9999-later.sql', text: 'create table later (id text primary key)', checksum: 'c' },
  ])
  const before = await tables(url)
  await assert.rejects(
    migrate(url, migrations),
    (error) =>
      error instanceof StartupError &&
      /newer than this program.*9999-later\.sql/.test(error.message) &&
      error.fix !== '',
  )
  assert.deepEqual(await tables(url), before)
})

test('migrations: a migration whose text changed is rejected before anything is applied', async (t) => {
  const url = await emptyDatabase(t)
  const [first, ...rest] = (await readMigrations(folder)) as [Migration, ...Migration[]]
  await migrate(url, [first, ...rest])
  const before = await tables(url)
  const changed = [
    { ...first, text: `${first.text} -- changed`, checksum: 'other' },
    ...rest,
    { name: '9999-later.sql', text: 'create table later ()', checksum: 'c' },
  ]
  await assert.rejects(
    migrate(url, changed),
    (error) => error instanceof StartupError && error.message.includes(first.name),
  )
  assert.deepEqual(await tables(url), before)
})

test('migrations: a migration that fails is rolled back, and the next attempt can apply it', async (t) => {
  const url = await emptyDatabase(t)
  const half = { name: '0001-half.sql', text: 'create table half (); select 1/0', checksum: 'c' }
  await assert.rejects(migrate(url, [half]), /0001-half\.sql failed/)
  assert.deepEqual(await tables(url), ['public.migrations'])
  assert.deepEqual(await migrate(url, [{ ...half, text: 'create table half ()' }]), ['0001-half.sql'])
})

test('migrations: migrations/schema.sql is the schema that the migrations create', async (t) => {
  const url = await clonedDatabase(t)
  assert.equal(
    readFileSync(join(folder, 'schema.sql'), 'utf8'),
    await withClient(url, schemaText),
    'run node scripts/dump-schema.ts and commit the result',
  )
})

test('migrations: indexes of tables with partitions are ascending and complete, so that each page is filled', async (t) => {
  const url = await clonedDatabase(t)
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string; valid: boolean; definition: string }>(`
      select c.relname as name, i.indisvalid as valid, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
      where t.relkind = 'p' and not t.relispartition`),
  )
  assert.ok(rows.length > 10, `${rows.length} indexes`)
  assert.deepEqual(
    rows.filter(({ valid, definition }) => !valid || definition.includes(' DESC')),
    [],
  )
})

test('migrations: numbers are unique, and start with 1', async () => {
  const numbers = (await readMigrations(folder)).map(({ name }) => Number(name.slice(0, 4)))
  assert.equal(numbers[0], 1)
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((one, other) => one - other),
  )
})

/** Rows as releases before migration 80 wrote them: one of last week, and one of long ago. */
const EARLIER_ROWS = `
  insert into organizations (id, name) values ('org_1', 'one');
  insert into projects (id, organization_id, name) values ('proj_1', 'org_1', 'first');
  insert into webhook_subscriptions (id, project_id, webhook_url, version, enabled_events, secret)
    values ('ws_1', 'proj_1', 'https://example.com', 'V3', '{service.trigger.message}', 'x');
  insert into tool_executions (id, project_id, tool_slug, toolkit_slug, version, request_id, payload, created_at)
    select 'log_' || days, 'proj_1', 'SHOP_A', 'shop', '1', 'r', 'payload', now() - make_interval(days => days)
    from unnest('{7, 700}'::int[]) days;
  insert into usage_hours (project_id, hour, dimension, calls, failed)
    select project_id, date_trunc('hour', created_at), 'total', 1, 0 from tool_executions;
  insert into events (id, project_id, type, data, created_at)
    select 'evt_' || days, 'proj_1', 'trigger.message', '{}', now() - make_interval(days => days)
    from unnest('{7, 700}'::int[]) days;
  insert into webhook_deliveries (id, project_id, subscription_id, event_id, seq, status)
    select 'dlv_' || id, 'proj_1', 'ws_1', id, seq, case id when 'evt_7' then 'pending' else 'dead' end from events;
  insert into webhook_attempts (delivery_id, number, latency_ms, id, response, encrypted_error)
    select id, 1, 5, id || '.1', 'ok', 'encrypted' from webhook_deliveries;
  alter table trigger_logs drop constraint trigger_logs_instance_id_fkey;
  insert into trigger_logs (id, project_id, instance_id, kind, event_id, encrypted_message, created_at)
    select 'log_' || id, 'proj_1', 'ti_1', 'gap', id, 'encrypted', created_at from events`

const MOVED_TABLES =
  'tool_executions usage_hours usage_days events webhook_deliveries webhook_attempts trigger_logs'.split(' ')

/** All rows of the tables that migration 80 replaces, without the columns that it adds and removes. */
const movedRows = (client: pg.Client) =>
  Promise.all(
    MOVED_TABLES.map(async (table) => {
      const isAttempt = table === 'webhook_attempts'
      const columns = [
        ...(table === 'webhook_deliveries' || isAttempt ? ['event_created_at'] : []),
        ...(isAttempt ? ['id', 'project_id'] : []),
      ]
      const { rows } = await client.query<{ row: string }>(
        `select (to_jsonb(t) - $1::text[])::text as row from ${table} t`,
        [columns],
      )
      return [table, rows.map(({ row }) => row).sort()] as const
    }),
  )

/** A time zone whose clocks changed some days ago, as PostgreSQL and POSIX write it. */
function zoneThatChanged(daysAgo: number): string {
  const dayOfYear = (time: number) =>
    Math.floor((time - Date.UTC(new Date(time).getUTCFullYear(), 0, 1)) / 86_400_000) + 1
  const changed = dayOfYear(Date.now() - daysAgo * 86_400_000)
  return `XXX-1YYY-2,J${Math.min(changed, 365)},J${((changed + 150) % 365) + 1}`
}

test('migrations: partitions of a week are those of UTC, also if the clocks of the database have changed', async (t) => {
  const url = await emptyDatabase(t)
  const migrations = await readMigrations(folder)
  await migrate(
    url,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === '0080-partitions.sql'),
    ),
  )
  await withClient(url, async (client) => {
    await client.query(EARLIER_ROWS)
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    await client.query(`alter database ${rows[0]!.name} set timezone = '${zoneThatChanged(30)}'`)
  })
  await migrate(url, migrations)
  const { rows } = await withClient(url, (client) =>
    client.query<{ hours: number }>(`
      select distinct extract(epoch from starts_at - '2024-01-01 00:00Z')::bigint % (168 * 3600) / 3600 as hours
      from list_partitions() where isfinite(starts_at)`),
  )
  assert.deepEqual(
    rows.map(({ hours }) => Number(hours)),
    [0],
  )
})

test('migrations: rows from before tables had partitions are in the partitions of their time', async (t) => {
  const url = await emptyDatabase(t)
  const migrations = await readMigrations(folder)
  const first = migrations.findIndex(({ name }) => name === '0080-partitions.sql')
  await migrate(url, migrations.slice(0, first))
  const before = await withClient(url, async (client) => {
    await client.query(EARLIER_ROWS)
    return movedRows(client)
  })
  await migrate(url, migrations)
  await withClient(url, async (client) => {
    assert.deepEqual(await movedRows(client), before, 'no value is lost')
    const read = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows
    for (const [table, time] of [
      ['tool_executions', 'created_at'],
      ['usage_hours', 'hour'],
      ['events', 'created_at'],
      ['webhook_attempts', 'event_created_at'],
      ['trigger_logs', 'created_at'],
    ])
      assert.deepEqual(
        await read(`
          select bool_and(p.ends_at is not null and r.${time} >= p.starts_at and r.${time} < p.ends_at) as fit,
            count(*)::int as rows, count(distinct p.name)::int as partitions
          from ${table} r join list_partitions() p on p.name = r.tableoid::regclass::text`),
        [{ fit: true, rows: 2, partitions: 2 }],
        table,
      )
    assert.deepEqual(
      await read('select tableoid::regclass::text as place from webhook_deliveries order by status desc'),
      [{ place: 'webhook_deliveries_pending' }, { place: 'webhook_deliveries_finished_older' }],
    )
    await client.query(
      "insert into events (id, project_id, type, data) values ('evt_new', 'proj_1', 'a', '{}')",
    )
    assert.deepEqual(await read('select id from events order by seq'), [
      { id: 'evt_7' },
      { id: 'evt_700' },
      { id: 'evt_new' },
    ])
  })
})

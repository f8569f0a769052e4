import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { migrateAll } from '../src/server/database.ts'
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
  select schemaname || '.' || tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1`)
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

test('migrations: numbers have no gap', async () => {
  const numbers = (await readMigrations(folder)).map(({ name }) => Number(name.slice(0, 4)))
  assert.deepEqual(
    numbers,
    numbers.map((_, i) => i + 1),
  )
})

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

async function look<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const applied = (url: string) =>
  look(
    url,
    async (client) =>
      (await client.query<Migration>('select name, checksum, applied_at from migrations order by name')).rows,
  )

/** The tables of every schema: what a refused migration must not touch. */
const tables = (url: string) =>
  look(url, async (client) =>
    (
      await client.query<{ name: string }>(`
  select schemaname || '.' || tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1`)
    ).rows.map(({ name }) => name),
  )

test('twenty programs that start at once bring an empty database up exactly once', async (t) => {
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

test('a database that is up to date is left as it is', async (t) => {
  const url = await emptyDatabase(t)
  await migrateAll(url, silent)
  const before = [await applied(url), await look(url, schemaText), await tables(url)]
  assert.deepEqual(await migrateAll(url, silent), [])
  assert.deepEqual([await applied(url), await look(url, schemaText), await tables(url)], before)
})

test('a later release adds what is missing and nothing else', async (t) => {
  const url = await emptyDatabase(t)
  const migrations = await readMigrations(folder)
  await migrate(url, migrations)
  const next = { name: '9999-later.sql', text: 'create table later (id text primary key)', checksum: 'c' }
  assert.deepEqual(await migrate(url, [...migrations, next]), ['9999-later.sql'])
})

test('a schema that is newer than the program is refused, and the refusal says what to do', async (t) => {
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

test('a migration whose text changed after its release is refused before anything is applied', async (t) => {
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

test('a migration that fails leaves nothing of itself, and the next attempt can apply it', async (t) => {
  const url = await emptyDatabase(t)
  const half = { name: '0001-half.sql', text: 'create table half (); select 1/0', checksum: 'c' }
  await assert.rejects(migrate(url, [half]), /0001-half\.sql failed/)
  assert.deepEqual(await tables(url), ['public.migrations'])
  assert.deepEqual(await migrate(url, [{ ...half, text: 'create table half ()' }]), ['0001-half.sql'])
})

test('migrations/schema.sql shows the schema that the migrations make', async (t) => {
  const url = await clonedDatabase(t)
  assert.equal(
    readFileSync(join(folder, 'schema.sql'), 'utf8'),
    await look(url, schemaText),
    'run node scripts/dump-schema.ts and commit the result',
  )
})

test('migrations are numbered without a gap', async () => {
  const numbers = (await readMigrations(folder)).map(({ name }) => Number(name.slice(0, 4)))
  assert.deepEqual(
    numbers,
    numbers.map((_, i) => i + 1),
  )
})

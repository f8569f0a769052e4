import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { queryOnce } from './check.ts'
import { DatabaseUnavailable, toDatabaseError } from './errors.ts'

export interface Migration {
  name: string
  text: string
  checksum: string
}

// Any number that no other program uses on this database. Replicas that start together wait for this lock.
const LOCK = 7_202_611
const LOCK_WAIT_MS = 60_000

/**
 * Reads numbered `.sql` files in order. Migrations are applied forward only, and never change after a
 * release.
 */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Updates the schema, and returns the names of the applied migrations. Several processes may call it at once.
 * @throws StartupError if the schema is newer than this program, or if a released migration was changed
 */
export async function migrate(
  url: string,
  migrations: readonly Migration[],
  onApply: (name: string) => void = () => {},
): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'patchbay-migrate',
  })
  client.on('error', () => {}) // reported by the query
  try {
    await client.connect()
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}; set client_min_messages = warning`)
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      'create table if not exists migrations (name text primary key, checksum text not null, applied_at ' +
        'timestamptz not null default now())',
    )
    const applied = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from migrations order by name',
    )
    const missing = missingMigrations(migrations, applied.rows)
    for (const migration of missing) {
      onApply(migration.name)
      await apply(client, migration)
    }
    return missing.map(({ name }) => name)
  } catch (error) {
    throw toStartupError(error)
  } finally {
    client.end().catch(() => {}) // also releases the lock of the session
  }
}

/** Returns the names of the migrations that `migrate` would apply. @throws StartupError as `migrate` does */
export async function pendingMigrations(url: string, migrations: readonly Migration[]): Promise<string[]> {
  const [table] = await queryOnce<{ there: boolean }>(
    url,
    "select to_regclass('migrations') is not null as there",
  )
  const applied = table?.there
    ? await queryOnce<{ name: string; checksum: string }>(
        url,
        'select name, checksum from migrations order by name',
      )
    : []
  return missingMigrations(migrations, applied).map(({ name }) => name)
}

const NO_RIGHTS: [string, string] = [
  'The database user may not create or change the tables.',
  'Make it the owner of the database, or grant it `create` on the database, and `usage` and `create` on ' +
    'its schema `public`.',
]
const KNOWN_FAILURES: Record<string, [string, string]> = {
  42501: NO_RIGHTS,
  '3F000': NO_RIGHTS, // the role can access no schema
  25006: ['The database is read-only.', 'Point DATABASE_URL to the primary server, not to a replica of it.'],
  '55P03': [
    `Another process has locked the schema for more than ${LOCK_WAIT_MS / 1_000} s.`,
    'Wait until it has finished, or end the session with the lock, then start again.',
  ],
  53100: ['The disk of the database is full.', 'Free space on it, and start again.'],
}

/** Describes errors that an administrator can fix. Other errors are returned unchanged. */
export function toStartupError(error: unknown): unknown {
  const cause = (error as { cause?: unknown }).cause ?? error
  const { code, message } = cause as { code?: unknown; message?: string }
  const known =
    typeof code === 'string' && Object.hasOwn(KNOWN_FAILURES, code) ? KNOWN_FAILURES[code] : undefined
  if (known)
    return new StartupError(`${known[0]}${message ? ` (${message})` : ''}`, known[1], { cause: error })
  if (error instanceof StartupError || !(toDatabaseError(cause) instanceof DatabaseUnavailable)) return error
  return new StartupError(
    'The connection to PostgreSQL was lost during the check of the schema.',
    'Check its log, and start again when it runs.',
    { cause: error },
  )
}

/**
 * Returns the migrations that follow those that were applied. @throws StartupError if one of the applied ones is
 * unknown, or differs
 */
export function missingMigrations(
  migrations: readonly Migration[],
  applied: readonly { name: string; checksum: string }[],
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, checksum } of applied) {
    const ours = known.get(name)
    if (!ours) {
      throw new StartupError(
        `The database schema is newer than this program: it has the migration ${name}, which this ` +
          'release does not have.',
        'Start the release that applied it (or a later one), or restore the backup from before the upgrade.',
      )
    }
    if (ours.checksum !== checksum) {
      throw new StartupError(
        `The migration ${name} differs from the one that was applied to the database.`,
        'Use the unchanged migration files of a release.',
      )
    }
  }
  const done = new Set(applied.map(({ name }) => name))
  return migrations.filter(({ name }) => !done.has(name))
}

async function apply(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`migration ${name} failed`, { cause: error })
  }
}

import { appendFile, chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { renameFile } from '../../../rename-file.ts'
import { StartupError } from '../../../startup-error.ts'
import { initdb, roleSql } from '../cluster.ts'
import type { ControlledCluster } from './control.ts'
import { INCLUDE_LINE } from './settings-file.ts'

// Only over the loopback address and with a password. The superuser may set up the database `patchbay`, and nothing of
// this program connects as superuser after that.
const ACCESS_RULES = [
  '# TYPE  DATABASE  USER      ADDRESS       METHOD',
  'host    all       patchbay  127.0.0.1/32  scram-sha-256',
  'host    postgres  postgres  127.0.0.1/32  scram-sha-256',
  '',
].join('\n')

/**
 * Creates a cluster whose superuser has the password. It is created in a directory next to its final place and renamed
 * at the end, so a start that is killed leaves either no cluster or a complete one.
 * @throws StartupError
 */
export async function createCluster(
  { directory, binaries, runner }: ControlledCluster,
  superuserPassword: string,
): Promise<void> {
  const draft = `${directory}.creating`
  const passwordFile = `${draft}.password`
  const { user } = runner
  await rm(draft, { recursive: true, force: true, maxRetries: 5 })
  await mkdir(draft, { mode: 0o700 })
  try {
    await writeFile(passwordFile, `${superuserPassword}\n`, { mode: 0o600 })
    if (user) for (const path of [draft, passwordFile]) await chown(path, user.uid, user.gid)
    await initdb(binaries, runner, draft, ['--auth=scram-sha-256', `--pwfile=${passwordFile}`])
    await writeFile(join(draft, 'pg_hba.conf'), ACCESS_RULES)
    await appendFile(join(draft, 'postgresql.conf'), INCLUDE_LINE)
    await renameFile(draft, directory)
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 })
    throw error
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/**
 * Creates the role and the database `patchbay` where they are missing, and sets the password of the role.
 * @param superuserUrl of the database `postgres`
 * @throws StartupError if the password of the superuser is wrong
 */
export async function setUpDatabase(superuserUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // A connection that breaks while idle; the next statement fails.
  try {
    await client.connect()
    for (const statement of roleSql(password)) await client.query(statement)
    const { rowCount } = await client.query("select from pg_database where datname = 'patchbay'")
    if (rowCount === 0) await client.query('create database patchbay owner patchbay')
  } catch (error) {
    if ((error as { code?: string }).code !== '28P01') throw error
    throw new StartupError(
      'PostgreSQL rejects the password in postgres.superuser-password.',
      'Restore this file of DATA_DIR from a backup.',
      { cause: error },
    )
  } finally {
    await client.end().catch(() => {})
  }
}

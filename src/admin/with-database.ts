import { type Config, loadConfig } from '../platform/config.ts'
import { pendingMigrations } from '../platform/db/migrate.ts'
import { connect } from '../platform/db/pool.ts'
import type { Pool } from '../platform/db/sql.ts'
import { StartupError } from '../platform/startup-error.ts'
import { ourMigrations } from '../server/schema.ts'
import { reachDatabase } from '../server/reach-database.ts'

interface Opened {
  config: Config
  db: Pool
  url: string
}

interface Options {
  /** Connections. Default: 1. */
  max?: number
  statementTimeoutMs?: number
  /** What to do if the database has another release. */
  fix?: string
}

/**
 * Opens the database of the settings for a command such as `catalog`, and closes it afterwards.
 * @throws StartupError if it cannot be reached or is not up to date
 */
export async function withDatabase<T>(
  command: string,
  { max = 1, statementTimeoutMs, fix = START_FIRST }: Options,
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  const config = loadConfig()
  const { url, release } = await reachDatabase(config, `patchbay ${command}`)
  const applicationName = `patchbay-${command.replaceAll(' ', '-')}`
  const db = connect(url, { max, statementTimeoutMs, applicationName })
  try {
    if ((await pendingMigrations(url, await ourMigrations())).length)
      throw new StartupError('The database is not up to date with this release.', fix)
    return await use({ config, db, url })
  } finally {
    await db.close()
    await release()
  }
}

const START_FIRST = 'Start the server of this release, or run `patchbay migrate`, first.'

import { fileURLToPath } from 'node:url'
import type { Config } from '../platform/config.ts'
import { checkServer, hostAndDatabase } from '../platform/db/check.ts'
import { startEmbedded } from '../platform/db/embedded/index.ts'
import { migrate, type Migration, readMigrations } from '../platform/db/migrate.ts'
import { type InstanceLock, lockDataDir } from '../platform/instance-lock.ts'
import { migrateJobs } from '../platform/jobs/index.ts'
import type { Logger } from '../platform/log.ts'
import { superviseDatabase } from './database-supervisor.ts'
import { ROOT } from './version.ts'

export interface Database {
  url: string
  /** A description for the administrator. */
  about: string
  /** Stops the built-in PostgreSQL, within `withinMs`. */
  stop(withinMs: number): Promise<void>
}

/** Locks the data directory for one process. With DATABASE_URL, any number of processes may share it. */
export async function lockServerDataDir(config: Config, dataDir: string): Promise<InstanceLock> {
  if (config.databaseUrl) return { update() {}, async release() {} }
  return lockDataDir(dataDir, { pid: process.pid, url: config.publicUrl })
}

/**
 * Opens the PostgreSQL of DATABASE_URL, or starts the included one in the data directory, which the caller
 * has locked.
 */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Logger,
  onProgress: (text: string) => void,
  signal?: AbortSignal,
): Promise<Database> {
  if (databaseUrl) {
    const version = await checkServer(databaseUrl, { signal })
    return {
      url: databaseUrl,
      about: `PostgreSQL ${version} at ${hostAndDatabase(databaseUrl)}`,
      async stop() {},
    }
  }
  const embedded = await startEmbedded({ dataDir, onProgress, signal })
  const watch = superviseDatabase(dataDir, embedded.url, log)
  return {
    url: embedded.url,
    about:
      'built-in PostgreSQL in ' +
      `${dataDir}${embedded.adopted ? ', which was still running after its server was killed' : ''}`,
    async stop(withinMs) {
      const deadline = performance.now() + withinMs
      await watch.close(withinMs / 2)
      await embedded.stop(deadline - performance.now())
    },
  }
}

/**
 * Updates the schemas of the program and of the job queue. Returns the names of the applied migrations.
 * `migrations`: those of this release, or the first of them
 */
export async function migrateAll(
  url: string,
  log: Logger,
  onApply?: (name: string) => void,
  migrations?: readonly Migration[],
): Promise<string[]> {
  const applied = await migrate(url, migrations ?? (await ourMigrations()), onApply)
  await migrateJobs(url, log)
  return applied
}

export const ourMigrations = () => readMigrations(fileURLToPath(new URL('migrations', ROOT)))

import { fileURLToPath } from 'node:url'
import type { Config } from '../platform/config.ts'
import { checkServer, hostAndDatabase } from '../platform/db/check.ts'
import { startEmbedded } from '../platform/db/embedded/index.ts'
import { migrate, readMigrations } from '../platform/db/migrate.ts'
import { type InstanceLock, lockDataDir } from '../platform/instance-lock.ts'
import { migrateJobs } from '../platform/jobs/index.ts'
import type { Logger } from '../platform/log.ts'
import { superviseDatabase } from './database-supervisor.ts'
import { ROOT } from './version.ts'

export interface Database {
  url: string
  /** In words, for the operator. */
  about: string
  /** Our own server is stopped, at the latest after `withinMs`. */
  stop(withinMs: number): Promise<void>
}

/** With our own PostgreSQL, one process holds the data directory; with DATABASE_URL any number may share it. */
export async function lockServerDataDir(config: Config, dataDir: string): Promise<InstanceLock> {
  if (config.databaseUrl) return { update() {}, async release() {} }
  return lockDataDir(dataDir, { pid: process.pid, url: config.publicUrl })
}

/** The PostgreSQL of DATABASE_URL, or our own in the data directory, which the caller holds. */
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
    about: `built-in PostgreSQL in ${dataDir}${embedded.adopted ? ', taken over from a server that was killed' : ''}`,
    async stop(withinMs) {
      const deadline = performance.now() + withinMs
      await watch.close(withinMs / 2)
      await embedded.stop(deadline - performance.now())
    },
  }
}

/** Schema of the program and of the job queue. Answers what was applied. */
export async function migrateAll(
  url: string,
  log: Logger,
  onApply?: (name: string) => void,
): Promise<string[]> {
  const applied = await migrate(url, await ourMigrations(), onApply)
  await migrateJobs(url, log)
  return applied
}

export const ourMigrations = () => readMigrations(fileURLToPath(new URL('migrations', ROOT)))

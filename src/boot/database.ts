import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from '../platform/config.ts'
import { checkServer, hostOf, reaches } from '../platform/db/check.ts'
import { startEmbedded } from '../platform/db/embedded/index.ts'
import { migrate, readMigrations } from '../platform/db/migrate.ts'
import { migrateJobs } from '../platform/jobs/index.ts'
import { lockDataDir } from '../platform/instance-lock.ts'
import type { Logger } from '../platform/log.ts'
import { ROOT } from './version.ts'

export interface Database {
  url: string
  /** In words, for the operator. */
  about: string
  /** Tells others who asks for the same data directory where this process answers. */
  announce(url: string): void
  stop(): Promise<void>
}

const WATCH_EVERY_MS = 2_000

/** The PostgreSQL of DATABASE_URL, or our own in the data directory, which is then held by this process alone. */
export async function openDatabase(config: Config, log: Logger, onProgress: (text: string) => void): Promise<Database> {
  if (config.databaseUrl) {
    const version = await checkServer(config.databaseUrl)
    return { url: config.databaseUrl, about: `PostgreSQL ${version} at ${hostOf(config.databaseUrl)}`, announce() {}, async stop() {} }
  }
  const lock = await lockDataDir(config.dataDir, { pid: process.pid, url: config.publicUrl })
  try {
    const embedded = await startEmbedded({ dataDir: config.dataDir, onProgress })
    const watch = keepUp(config, embedded.url, log)
    return {
      url: embedded.url, about: `built-in PostgreSQL in ${config.dataDir}${embedded.adopted ? ', taken over from a server that was killed' : ''}`,
      announce: (url) => lock.update({ pid: process.pid, url }),
      async stop() {
        await watch.close()
        await embedded.stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Schema of the program and of the job queue. Answers what was applied. */
export async function migrateAll(url: string, log: Logger): Promise<string[]> {
  const applied = await migrate(url, await readMigrations(fileURLToPath(new URL('migrations', ROOT))))
  await migrateJobs(url, log)
  return applied
}

/** Our own PostgreSQL is ours to keep alive: one that died is started again. */
function keepUp(config: Config, url: string, log: Logger): { close(): Promise<void> } {
  const stopped = new AbortController()
  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      await wait(WATCH_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => {})
      if (stopped.signal.aborted || await reaches(url)) continue
      log.warn('the built-in PostgreSQL does not answer; starting it again')
      await startEmbedded({ dataDir: config.dataDir }).catch((error: unknown) => log.error({ err: error }, 'the built-in PostgreSQL could not be started'))
    }
  }
  const running = watch()
  return { async close() { stopped.abort(); await running } }
}

import type { Config } from '../platform/config.ts'
import { checkServer, hostAndDatabase, isSameDatabase, losesSessions } from '../platform/db/check.ts'
import { startEmbedded } from '../platform/db/embedded/index.ts'
import { type InstanceLock, lockDataDir } from '../platform/instance-lock.ts'
import type { Logger } from '../platform/log.ts'
import { StartupError } from '../platform/startup-error.ts'
import { superviseDatabase } from './database-supervisor.ts'

export interface Database {
  /** For short statements and transactions. */
  url: string
  /** For notifications, jobs, migrations and locks of a session. The same, unless `url` leads to a pooler. */
  directUrl: string
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

type DatabaseSettings = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'> &
  Partial<Pick<Config, 'workers' | 'databaseReadUrl'>>

/** Of the built-in PostgreSQL: enough for the pools of one process, and of each further one. */
const CONNECTIONS = 100
const CONNECTIONS_PER_WORKER = 20

/** @throws StartupError if the pooler is unreachable, or leads to another database */
export async function checkPooler(url: string, directUrl: string, signal?: AbortSignal): Promise<void> {
  await checkServer(url, { signal })
  if (!(await isSameDatabase(url, directUrl)))
    throw new StartupError(
      `DATABASE_URL (${hostAndDatabase(url)}) and DATABASE_DIRECT_URL (${hostAndDatabase(directUrl)}) are different ` +
        'databases.',
      'Point the pooler at the database of DATABASE_DIRECT_URL.',
    )
}

/** @throws StartupError if notifications would not arrive: a revoked API key would stay valid for as long as it is cached */
async function checkSessions(directUrl: string, isDirectSet: boolean): Promise<void> {
  if (!(await losesSessions(directUrl))) return
  const setting = isDirectSet ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  throw new StartupError(
    `${setting} (${hostAndDatabase(directUrl)}) leads to a connection pooler in transaction mode, which loses ` +
      'notifications and the locks of a session.',
    isDirectSet
      ? 'Set DATABASE_DIRECT_URL to PostgreSQL itself, not to the pooler.'
      : 'Set DATABASE_DIRECT_URL to PostgreSQL itself. DATABASE_URL stays the URL of the pooler.',
  )
}

/**
 * Opens the PostgreSQL of DATABASE_URL, or starts the included one in the data directory, which the caller
 * has locked. `onWaiting`: see `EmbeddedOptions`; no other database calls it, whose timeouts it would exceed.
 */
export async function openDatabase(
  { databaseUrl, databaseDirectUrl, databaseReadUrl, dataDir, workers = 1 }: DatabaseSettings,
  log: Logger,
  onProgress: (text: string) => void,
  signal?: AbortSignal,
  onWaiting?: () => void,
): Promise<Database> {
  if (databaseUrl) {
    const directUrl = databaseDirectUrl ?? databaseUrl
    const version = await checkServer(directUrl, { signal })
    await checkSessions(directUrl, databaseDirectUrl !== undefined)
    if (databaseDirectUrl !== undefined) await checkPooler(databaseUrl, databaseDirectUrl, signal)
    const through = databaseDirectUrl === undefined ? '' : `, through ${hostAndDatabase(databaseUrl)}`
    return {
      url: databaseUrl,
      directUrl,
      about: `PostgreSQL ${version} at ${hostAndDatabase(directUrl)}${through}`,
      async stop() {},
    }
  }
  if (databaseDirectUrl !== undefined)
    throw new StartupError(
      'DATABASE_DIRECT_URL is set, and DATABASE_URL is not.',
      'Set DATABASE_URL to the connection pooler, or to the same URL.',
    )
  if (databaseReadUrl !== undefined)
    throw new StartupError(
      'DATABASE_READ_URL is set, and DATABASE_URL is not.',
      'Set DATABASE_URL to the primary: the built-in PostgreSQL has no replica.',
    )
  const options = {
    dataDir,
    settings: { max_connections: String(CONNECTIONS + (workers - 1) * CONNECTIONS_PER_WORKER) },
  }
  const embedded = await startEmbedded({ ...options, onProgress, signal, onWaiting })
  const watch = superviseDatabase(options, embedded.url, log)
  return {
    url: embedded.url,
    directUrl: embedded.url,
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

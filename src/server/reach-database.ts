import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../platform/config.ts'
import { checkServer } from '../platform/db/check.ts'
import { runningUrl, startEmbedded } from '../platform/db/embedded/index.ts'
import { findLockHolder, lockDataDir } from '../platform/instance-lock.ts'
import { StartupError } from '../platform/startup-error.ts'

export interface ReachedDatabase {
  url: string
  release(): Promise<void>
}

/**
 * Returns the URL of the database, whether a server runs or not. Without one, the built-in PostgreSQL is
 * started until `release`. `command` is shown to other processes that find the data directory locked.
 * @throws StartupError
 */
export async function reachDatabase(
  { databaseUrl, databaseDirectUrl, dataDir }: Config,
  command: string,
): Promise<ReachedDatabase> {
  if (databaseUrl) {
    // Copies and locks need a connection of their own, which a pooler does not give.
    const url = databaseDirectUrl ?? databaseUrl
    await checkServer(url)
    return { url, async release() {} }
  }
  if (
    !(await stat(join(dataDir, 'postgres')).then(
      () => true,
      () => false,
    ))
  )
    throw new StartupError(
      `There is no database in ${dataDir} yet.`,
      'Run this command in the directory of the server, with the same settings.',
    )
  if ((await findLockHolder(dataDir)) !== 'nobody') {
    const url = await runningUrl(dataDir)
    await checkServer(url)
    return { url, async release() {} }
  }
  const lock = await lockDataDir(dataDir, { pid: process.pid, url: command })
  try {
    const embedded = await startEmbedded({ dataDir })
    return {
      url: embedded.url,
      async release() {
        await embedded.stop(5_000)
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

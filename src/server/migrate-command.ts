import { loadConfig } from '../platform/config.ts'
import { preparePartitionsAt } from '../platform/db/partitions/index.ts'
import { openDataDir } from '../platform/instance-lock.ts'
import { createLog } from '../platform/log.ts'
import { lockServerDataDir, openDatabase } from './database.ts'
import { migrateAll } from './schema.ts'
import type { Progress } from './progress.ts'
import { type ServerParts, stopAll } from './stop.ts'

/** Updates the database schema, and returns the exit code. @throws StartupError */
export async function migrateCommand(progress: Progress): Promise<number> {
  const config = loadConfig()
  const log = createLog(config.logLevel)
  const dataDir = await openDataDir(config.dataDir)
  const parts: ServerParts = { lock: await lockServerDataDir(config, dataDir) }
  try {
    const database = (parts.database = await openDatabase({ ...config, dataDir }, log, progress.working))
    progress.done('database', database.about)
    const applied = await migrateAll(database.directUrl, log, (name) => progress.working(name))
    await preparePartitionsAt(database.directUrl, config, log)
    progress.done('schema', migrationsText(applied))
  } finally {
    await stopAll(parts)
  }
  return 0
}

/** Describes the migrations of a start in words. */
export const migrationsText = (applied: readonly string[]): string =>
  applied.length === 0 ? 'up to date' : `${applied.length} migration${applied.length > 1 ? 's' : ''} applied`

import { fileURLToPath } from 'node:url'
import { migrate, type Migration, readMigrations } from '../platform/db/migrate.ts'
import { migrateJobs } from '../platform/jobs/index.ts'
import type { Logger } from '../platform/log.ts'
import { ROOT } from './version.ts'

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

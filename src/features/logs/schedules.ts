import type { Pool } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import { refreshStaleHour, rollUpNextHour } from './rollups/roll-up.ts'
import { rollUpNextDay } from './rollups/roll-up-days.ts'
import { removeOldLogs } from './store.ts'

/** A run ends after this time. The next run continues. */
const RUN_MS_MAX = 40_000

/** The scheduled jobs of execution logs. Without a retention period, no log is removed. */
export const logSchedules = ({
  db,
  logRetentionDays,
}: {
  db: Pool
  logRetentionDays: number
}): readonly Schedule[] => [
  { task: 'logs.rollUpUsage', cron: '* * * * *', run: () => rollUpUsage(db) },
  ...(logRetentionDays === 0
    ? []
    : [
        {
          task: 'logs.removeOldExecutions',
          cron: '*/10 * * * *',
          run: async () => {
            await removeOldLogs(db, logRetentionDays)
          },
        },
      ]),
]

/** Computes the usage of the hours and days that have ended, and again that of stale hours. */
export async function rollUpUsage(db: Pool, runMs = RUN_MS_MAX): Promise<void> {
  const deadline = performance.now() + runMs
  while (performance.now() < deadline && (await rollUpNextHour(db)));
  while (performance.now() < deadline && (await rollUpNextDay(db)));
  while (performance.now() < deadline && (await refreshStaleHour(db)));
}

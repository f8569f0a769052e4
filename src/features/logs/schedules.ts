import type { Db } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import { removeOldLogs } from './store.ts'

/** The scheduled jobs of execution logs. Without a retention period, no log is removed. */
export const logSchedules = ({
  db,
  logRetentionDays,
}: {
  db: Db
  logRetentionDays: number
}): readonly Schedule[] =>
  logRetentionDays === 0
    ? []
    : [
        {
          task: 'logs.removeOldExecutions',
          cron: '*/10 * * * *',
          run: async () => {
            await removeOldLogs(db, logRetentionDays)
          },
        },
      ]

import type { Db } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import { removeOldUsage } from './store.ts'

/** Longer than the longest period, so that the previous one can still be compared. */
const USAGE_DAYS = 400

export const budgetSchedules = ({ db }: { db: Db }): Schedule[] => [
  {
    task: 'budgets.removeOldUsage',
    cron: '41 3 * * *',
    run: async () => {
      while (await removeOldUsage(db, USAGE_DAYS));
    },
  },
]

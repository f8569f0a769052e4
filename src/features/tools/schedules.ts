import type { Db } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import { removeOldCalls } from './remove-old.ts'

/** The scheduled jobs of tool executions: removal of expired idempotency keys and response pages. */
export const toolSchedules = ({ db }: { db: Db }): readonly Schedule[] => [
  {
    task: 'tools.removeOld',
    cron: '*/10 * * * *',
    run: async () => {
      await removeOldCalls(db)
    },
  },
]

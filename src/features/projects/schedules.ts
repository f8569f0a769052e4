import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import { deleteKeysExpiredBefore } from './api-keys/store.ts'

/** How long an expired key stays in the list. */
const LISTED_MS = 30 * 86_400_000

/** The scheduled jobs of projects: removal of keys that expired long ago. */
export const projectSchedules = ({ db, clock }: { db: Db; clock: Clock }): readonly Schedule[] => [
  {
    task: 'projects.removeExpiredKeys',
    cron: '27 4 * * *',
    run: async () => {
      await deleteKeysExpiredBefore(db, new Date(clock.now() - LISTED_MS))
    },
  },
]

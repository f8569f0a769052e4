import type { Db } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import { removeOldCooldowns } from './store.ts'

export const cooldownSchedules = ({ db }: { db: Db }): readonly Schedule[] => [
  {
    task: 'cooldowns.removeOld',
    cron: '17 * * * *',
    run: async () => {
      await removeOldCooldowns(db)
    },
  },
]

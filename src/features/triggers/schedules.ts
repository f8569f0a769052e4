import type { Schedule } from '../../platform/jobs/index.ts'
import { removeOldLogs } from './logs/store.ts'
import { recoverPolls } from './polling/store.ts'
import type { PushDeps } from './push/deps.ts'
import { registrationSchedules } from './push/registrations/jobs.ts'

const LOG_RETENTION_DAYS = 30

export const triggerSchedules = (deps: PushDeps): readonly Schedule[] => [
  ...registrationSchedules(deps),
  {
    task: 'triggers.heal',
    cron: '* * * * *',
    run: async () => {
      const recovered = await recoverPolls(deps.db)
      if (recovered > 0) deps.log.warn({ recovered }, 'triggers without a scheduled poll are polled again')
    },
  },
  {
    task: 'triggers.removeOldLogs',
    cron: '*/10 * * * *',
    run: async () => {
      while (await removeOldLogs(deps.db, LOG_RETENTION_DAYS));
    },
  },
]

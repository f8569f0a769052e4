import type { Schedule } from '../../platform/jobs/index.ts'
import { recoverPolls } from './polling/store.ts'
import type { PushDeps } from './push/deps.ts'
import { registrationSchedules } from './push/registrations/jobs.ts'

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
]

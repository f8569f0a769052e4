import type { Schedule, Task } from '../../../../platform/jobs/index.ts'
import { pollNow } from '../../polling/store.ts'
import { enqueueRegistration, REGISTER_TASK } from '../../state-machine.ts'
import type { PushDeps } from '../deps.ts'
import { POLL_AFTER_PING_TASK } from '../ingress/store-events.ts'
import { reconcileRegistration } from './reconcile.ts'
import { claimExpiring, findUnregistered, removeOldRegistrations } from './store.ts'

/** Per run. The rest follows a minute later. */
const REGISTRATIONS_MAX = 1_000

export const registrationTasks = (deps: PushDeps): readonly Task[] => [
  {
    task: REGISTER_TASK,
    run: ({ project, id }, { isLast }) => reconcileRegistration(deps, String(project), String(id), isLast),
  },
  {
    task: POLL_AFTER_PING_TASK,
    run: async ({ project, id }) => {
      await pollNow(deps.db, String(project), [String(id)])
    },
  },
]

export const registrationSchedules = ({ db, log }: PushDeps): readonly Schedule[] => [
  {
    task: 'triggers.renewRegistrations',
    cron: '* * * * *',
    run: async () => {
      for (const { id, projectId } of await claimExpiring(db, REGISTRATIONS_MAX))
        await enqueueRegistration(db, projectId, id)
    },
  },
  {
    task: 'triggers.healRegistrations',
    cron: '*/10 * * * *',
    run: async () => {
      const unregistered = await findUnregistered(db, REGISTRATIONS_MAX)
      for (const { id, projectId } of unregistered) await enqueueRegistration(db, projectId, id)
      if (unregistered.length > 0)
        log.warn(
          { count: unregistered.length },
          'triggers without a webhook at their application are registered again',
        )
    },
  },
  {
    task: 'triggers.removeOldRegistrations',
    cron: '23 * * * *',
    run: async () => {
      await removeOldRegistrations(db)
    },
  },
]

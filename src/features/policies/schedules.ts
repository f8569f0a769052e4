import type { Db } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import { removeOldSources } from './data-flow/store.ts'
import { expireLateApprovals, removeOldApprovals, removeOrphanedGrants } from './approvals/store.ts'

export interface PolicyScheduleDeps {
  db: Db
  /** 0: approvals and decisions are kept forever. */
  logRetentionDays: number
}

/** The scheduled tasks of policies and approvals. */
export const policySchedules = ({ db, logRetentionDays }: PolicyScheduleDeps): Schedule[] => [
  {
    task: 'approvals.settleLate',
    cron: '* * * * *',
    run: async () => {
      while (await expireLateApprovals(db));
    },
  },
  {
    task: 'approvals.removeGrants',
    cron: '23 * * * *',
    run: async () => {
      while (await removeOrphanedGrants(db));
    },
  },
  {
    task: 'untrustedSources.removeOld',
    cron: '27 * * * *',
    run: async () => {
      while (await removeOldSources(db));
    },
  },
  ...(logRetentionDays > 0
    ? [
        {
          task: 'approvals.removeOld',
          cron: '*/10 * * * *',
          run: async () => {
            while (await removeOldApprovals(db, logRetentionDays));
          },
        },
      ]
    : []),
]

import type { Pool } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import type { AuditEntry } from './entry.ts'
import { appendEntry, lockAbandonedIntents, removeExpiredEntries } from './store.ts'

const ENTRIES_PER_STATEMENT = 1_000
/** Longer than any call of the API. */
const ABANDONED_MINUTES = 15

export interface AuditScheduleDeps {
  db: Pool
  /** Days for which entries are stored; 0 without limit. */
  retentionDays: number
}

export const auditSchedules = (deps: AuditScheduleDeps): readonly Schedule[] => [
  {
    task: 'audit.completeAbandoned',
    cron: '*/5 * * * *',
    run: async () => {
      while (await completeAbandoned(deps));
    },
  },
  {
    task: 'audit.removeOld',
    cron: '17 3 * * *',
    run: async () => {
      while (await removeOld(deps));
    },
  },
]

/** Writes entries with the outcome `unknown` for calls whose process was killed. Returns whether there may be more. */
export const completeAbandoned = ({ db }: Pick<AuditScheduleDeps, 'db'>): Promise<boolean> =>
  db.begin(async (tx) => {
    const intents = await lockAbandonedIntents(tx, ABANDONED_MINUTES, ENTRIES_PER_STATEMENT)
    for (const { entry } of intents) await appendEntry(tx, JSON.parse(entry) as AuditEntry)
    return intents.length === ENTRIES_PER_STATEMENT
  })

/** Removes a portion of the expired entries. Returns whether there may be more. */
export const removeOld = async ({ db, retentionDays }: AuditScheduleDeps): Promise<boolean> =>
  retentionDays > 0 &&
  (await db.begin((tx) => removeExpiredEntries(tx, retentionDays, ENTRIES_PER_STATEMENT))) > 0

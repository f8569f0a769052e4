import type { Db, Pool } from '../../platform/db/sql.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import { deleteEvents, lockExpiredEvents } from './store.ts'

const EVENTS_PER_STATEMENT = 2_000
const RETENTION_DAYS_DEFAULT = 30

export interface EventScheduleDeps {
  db: Pool
  /** Removes the deliveries of events, with their attempts, in the transaction that removes the events. */
  removeDeliveries(tx: Db, eventIds: readonly string[]): Promise<void>
}

export const eventSchedules = (deps: EventScheduleDeps): readonly Schedule[] => [
  {
    task: 'webhooks.removeOldEvents',
    cron: '*/10 * * * *',
    run: async () => {
      while (await removeOldEvents(deps));
    },
  },
]

/** Removes a portion of the expired events. Returns whether there may be more. */
export function removeOldEvents({ db, removeDeliveries }: EventScheduleDeps): Promise<boolean> {
  return db.begin(async (tx) => {
    const ids = await lockExpiredEvents(tx, RETENTION_DAYS_DEFAULT, EVENTS_PER_STATEMENT)
    if (ids.length === 0) return false
    await removeDeliveries(tx, ids)
    await deleteEvents(tx, ids)
    return ids.length === EVENTS_PER_STATEMENT
  })
}

import type { EngineAccounts } from '../../../engine/index.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'
import type { Schedule } from '../../../platform/jobs/index.ts'
import type { SharedAccountDeps } from '../deps.ts'
import { type ClaimedAccount, refreshClaimedAccounts } from './keep-alive.ts'

const BATCH_SIZE = 50

/**
 * Claims accounts whose refresh lease is orphaned: its server was killed before it stored credentials or
 * released the lease. Each lease is claimed once.
 */
const claimOrphanedLeases = (db: Db): Promise<ClaimedAccount[]> =>
  db.rows(sql`
    update connected_accounts set refresh_attempted_at = now() where id in (
      select id from connected_accounts
      where refresh_lease is not null and refresh_lease_until < now() and status = 'ACTIVE' and deleted_at is null
        and (refresh_attempted_at is null or refresh_attempted_at < refresh_lease_until)
      order by refresh_lease_until limit ${BATCH_SIZE} for update skip locked)
    returning id, project_id`)

/**
 * Repeats token refreshes that a killed server left behind, without waiting for a call: the response of the
 * provider may be lost, and many providers accept the old refresh token again only for some minutes.
 */
export async function refreshOrphanedLeases(
  deps: SharedAccountDeps,
  refresh: EngineAccounts['refreshToken'],
): Promise<void> {
  for (let claimed = BATCH_SIZE; claimed === BATCH_SIZE;) {
    const accounts = await claimOrphanedLeases(deps.db)
    claimed = accounts.length
    await refreshClaimedAccounts(deps, refresh, accounts)
  }
}

export const orphanedLeaseSchedule = (
  deps: SharedAccountDeps,
  refresh: EngineAccounts['refreshToken'],
): Schedule => ({
  task: 'connectedAccounts.refreshOrphanedLeases',
  cron: '* * * * *',
  run: () => refreshOrphanedLeases(deps, refresh),
})

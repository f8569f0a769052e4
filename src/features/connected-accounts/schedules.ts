import type { EngineAccounts } from '../../engine/index.ts'
import type { Schedule } from '../../platform/jobs/index.ts'
import { removeOldFlows } from './authorization-flow/flow-store.ts'
import { removeExpiredPendingConnections } from './authorization-flow/pending-store.ts'
import { removeOldWebhookCodes } from './authorization-flow/webhook-code-store.ts'
import { removeOldConnectLinks } from './connect-links/link-store.ts'
import type { SharedAccountDeps } from './deps.ts'
import { removeOldProviderRequests } from './provider-log/request-store.ts'
import { revocationSchedules } from './revocation/revocation-jobs.ts'
import { removeOldStatusChanges } from './status-history.ts'
import { expireSetups } from './status-store.ts'
import { keepAliveSchedule } from './token-refresh/keep-alive.ts'
import { orphanedLeaseSchedule } from './token-refresh/orphaned-leases.ts'

const BATCH_SIZE = 1_000

/** The scheduled jobs of connected accounts: token refresh, revocation, and removal of expired rows. */
export function accountSchedules(
  deps: SharedAccountDeps,
  refresh: EngineAccounts['refreshToken'],
): Schedule[] {
  return [
    ...revocationSchedules(deps),
    keepAliveSchedule(deps, refresh),
    orphanedLeaseSchedule(deps, refresh),
    {
      task: 'connectedAccounts.expireSetups',
      cron: '* * * * *',
      run: async () => {
        while ((await expireSetups(deps, BATCH_SIZE)) === BATCH_SIZE);
      },
    },
    {
      task: 'connectedAccounts.removeExpiredPendingConnections',
      cron: '* * * * *',
      run: async () => {
        while ((await removeExpiredPendingConnections(deps.db, BATCH_SIZE)) === BATCH_SIZE);
      },
    },
    {
      task: 'connectedAccounts.removeOldFlows',
      cron: '7 * * * *',
      run: async () => {
        await removeOldFlows(deps.db)
        await removeOldConnectLinks(deps.db)
        await removeOldWebhookCodes(deps.db)
      },
    },
    {
      task: 'connectedAccounts.removeOldProviderRequests',
      cron: '11 * * * *',
      run: async () => {
        await removeOldProviderRequests(deps.db)
        await removeOldStatusChanges(deps.db)
      },
    },
  ]
}

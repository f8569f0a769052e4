import type { Db } from '../../platform/db/sql.ts'
import { publishEvents } from '../events/index.ts'
import type { ChangedAccountRow } from './state-machine.ts'

/** Schemes whose expired access is published. A rejected API key is an action of its owner. */
const PUBLISHED_SCHEMES = ['OAUTH2', 'DCR_OAUTH', 'S2S_OAUTH2']

/** Publishes the accounts that went from ACTIVE to EXPIRED, in the transaction of that change. */
export async function publishExpiredAccounts(tx: Db, changes: readonly ChangedAccountRow[]): Promise<void> {
  for (const change of changes) {
    if (change.from !== 'ACTIVE' || change.to !== 'EXPIRED') continue
    if (!PUBLISHED_SCHEMES.includes(change.auth_scheme)) continue
    const data = eventData(change)
    await publishEvents(tx, change.project_id, [{ type: 'connected_account.expired', data }])
  }
}

const eventData = (account: ChangedAccountRow) => ({
  id: account.id,
  user_id: account.user_id,
  toolkit: { slug: account.toolkit_slug },
  auth_config: { id: account.auth_config_id },
  status: account.to,
  status_reason: account.status_reason,
})

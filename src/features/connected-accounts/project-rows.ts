import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

const IN_PROGRESS = 'authorization flows in progress: secrets that expire'

/** What the deletion of a project erases, in this order, and what its export contains. */
export const connectedAccountsProjectRows = [
  projectRows(sql`account_status_changes`, { key: { id: 'bigint' } }),
  projectRows(sql`authorization_flows`, IN_PROGRESS),
  projectRows(sql`connect_links`, IN_PROGRESS),
  projectRows(sql`pending_connections`, IN_PROGRESS),
  projectRows(sql`webhook_codes`, IN_PROGRESS),
  projectRows(sql`revocations`, { omitted: ['encrypted_payload', 'job_id'] }),
  projectRows(sql`connected_accounts`, {
    omitted: ['credentials', 'credentials_version', 'refresh_lease', 'refresh_lease_until'],
    encrypted: { column: 'identity', part: 'identity' },
  }),
  // Rows are written in the background while the account exists.
  projectRows(sql`provider_requests`, { key: { id: 'bigint' } }),
]

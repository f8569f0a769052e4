import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, in this order. */
export const connectedAccountsProjectRows = [
  projectRows(sql`account_status_changes`),
  projectRows(sql`authorization_flows`),
  projectRows(sql`connect_links`),
  projectRows(sql`pending_connections`),
  projectRows(sql`webhook_codes`),
  projectRows(sql`revocations`),
  projectRows(sql`connected_accounts`),
  // Rows are written in the background while the account exists.
  projectRows(sql`provider_requests`),
]

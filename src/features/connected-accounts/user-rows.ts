import { sql } from '../../platform/db/sql.ts'
import { userRows } from '../../platform/db/user-rows.ts'

/** What the export of a user contains of accounts: no credentials, which are not data about the user. */
export const connectedAccountsUserRows = [
  userRows(sql`connected_accounts`, {
    columns: [
      'toolkit_slug',
      'auth_scheme',
      'status',
      'status_reason',
      'alias',
      'account_type',
      'requested_scopes',
      'created_at',
      'connected_at',
      'updated_at',
    ],
    where: sql`deleted_at is null`,
  }),
]

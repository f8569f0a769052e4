import { sql } from '../../platform/db/sql.ts'
import { userRows } from '../../platform/db/user-rows.ts'

/** What the export of a user contains of the execution log, with arguments and results. */
export const logsUserRows = [
  userRows(sql`tool_executions`, {
    columns: [
      'tool_slug',
      'toolkit_slug',
      'version',
      'connected_account_id',
      'session_id',
      'successful',
      'status_code',
      'error',
      'duration_ms',
      'created_at',
    ],
    encrypted: 'payload',
    decrypted: [{ field: 'error', column: 'encrypted_error', part: 'error' }],
  }),
]

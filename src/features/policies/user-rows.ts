import { sql } from '../../platform/db/sql.ts'
import { userRows } from '../../platform/db/user-rows.ts'

/** What the export of a user contains of approvals. */
export const policiesUserRows = [
  userRows(sql`approvals`, {
    columns: ['status', 'tool_slug', 'reason', 'decided_by', 'decided_at', 'created_at'],
    encrypted: 'encrypted_payload',
  }),
]

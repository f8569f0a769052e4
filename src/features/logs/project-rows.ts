import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

const SUMS = 'sums of the execution log; POST /project/usage/summary returns them'

/** What the deletion of a project erases, in this order, and what its export contains. */
export const logsProjectRows = [
  projectRows(sql`tool_executions`, {
    encrypted: { column: 'payload', part: 'payload' },
    decrypted: [{ field: 'error', column: 'encrypted_error', part: 'error' }],
  }),
  projectRows(sql`usage_hours`, SUMS),
  projectRows(sql`usage_days`, SUMS),
  projectRows(sql`usage_stale_hours`, SUMS),
]

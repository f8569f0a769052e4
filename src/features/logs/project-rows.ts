import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, in this order. */
export const logsProjectRows = [
  projectRows(sql`tool_executions`),
  projectRows(sql`usage_hours`),
  projectRows(sql`usage_stale_hours`),
]

import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, in this order. */
export const triggersProjectRows = [
  projectRows(sql`trigger_logs`),
  projectRows(sql`trigger_polls`),
  projectRows(sql`trigger_registrations`),
  projectRows(sql`webhook_endpoints`),
  projectRows(sql`trigger_instances`),
]

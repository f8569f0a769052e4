import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases. */
export const alertsProjectRows = [projectRows(sql`alert_rules`)]

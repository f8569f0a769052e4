import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, and what its export contains. */
export const alertsProjectRows = [projectRows(sql`alert_rules`, { omitted: ['encrypted_target'] })]

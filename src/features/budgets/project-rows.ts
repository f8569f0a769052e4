import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, in this order. */
export const budgetsProjectRows = [projectRows(sql`budget_usage`), projectRows(sql`budgets`)]

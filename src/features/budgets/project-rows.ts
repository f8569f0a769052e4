import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, in this order, and what its export contains. */
export const budgetsProjectRows = [
  projectRows(sql`budget_usage`, { key: { budget_id: 'text', subject: 'text', period_start: 'text' } }),
  projectRows(sql`budgets`, {}),
]

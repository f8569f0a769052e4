import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, in this order. */
export const policiesProjectRows = [
  projectRows(sql`approval_decisions`),
  projectRows(sql`approval_grants`),
  projectRows(sql`approvals`),
  projectRows(sql`policies`),
  projectRows(sql`untrusted_sources`),
]

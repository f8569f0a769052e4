import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, in this order. Tokens are erased with their grant. */
export const mcpAuthorizationProjectRows = [
  projectRows(sql`mcp_authorizations`),
  projectRows(sql`mcp_sign_ins`),
  projectRows(sql`mcp_grants`),
]

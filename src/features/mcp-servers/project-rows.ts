import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, in this order, and what its export contains. */
export const mcpServersProjectRows = [
  projectRows(sql`mcp_server_instances`, {}),
  projectRows(sql`mcp_servers`, {}),
]

import { sql } from '../../platform/db/sql.ts'
import { userRows } from '../../platform/db/user-rows.ts'

/** What the export of a user contains of sign-ins of MCP clients. */
export const mcpAuthorizationUserRows = [
  userRows(sql`mcp_grants`, {
    columns: ['resource_kind', 'resource_id', 'client_id', 'client_name', 'created_at', 'used_at'],
  }),
]

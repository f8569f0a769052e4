import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

const IN_PROGRESS = 'sign-ins in progress: secrets that expire'

/** What the deletion of a project erases, in this order. Tokens are erased with their grant. */
export const mcpAuthorizationProjectRows = [
  projectRows(sql`mcp_authorizations`, IN_PROGRESS),
  projectRows(sql`mcp_sign_ins`, IN_PROGRESS),
  projectRows(sql`mcp_grants`, {}),
  projectRows(sql`mcp_openid_providers`, {
    key: { project_id: 'text' },
    omitted: ['encrypted_client_secret'],
  }),
]

import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, in this order, and what its export contains. */
export const policiesProjectRows = [
  projectRows(sql`approval_decisions`, {}),
  projectRows(sql`approval_grants`, { key: { session_id: 'text', tool_slug: 'text', account: 'text' } }),
  projectRows(sql`approvals`, {
    omitted: ['binding'],
    encrypted: { column: 'encrypted_payload', part: 'encrypted_payload' },
  }),
  projectRows(sql`policies`, {}),
  projectRows(sql`untrusted_sources`, {
    key: { context_id: 'text', category: 'text', toolkit_slug: 'text', account: 'text' },
  }),
]

import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, in this order. */
export const toolsProjectRows = [
  projectRows(sql`idempotency_keys`),
  projectRows(sql`response_pages`),
  projectRows(sql`tool_embeddings`),
]

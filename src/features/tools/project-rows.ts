import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'

/** What the deletion of a project erases, in this order, and what its export contains. */
export const toolsProjectRows = [
  projectRows(
    sql`idempotency_keys`,
    'responses for repeated calls, which are in the execution log too, and expire',
  ),
  projectRows(sql`response_pages`, 'parts of long responses, which expire'),
  projectRows(sql`tool_embeddings`, 'vectors of names and descriptions of tools'),
]

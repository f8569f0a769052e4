import { projectRows } from '../../platform/db/project-rows.ts'
import { sql } from '../../platform/db/sql.ts'
import type { EventContent } from './outbox.ts'

/** What the deletion of a project erases, in this order, and what its export contains. */
export const eventsProjectRows = [
  projectRows(sql`events`, {
    encrypted: { column: 'encrypted_payload', part: 'encrypted_payload' },
    arrange: ({ row, content }) => {
      if (row['data'] !== null || content === null) return { row, content }
      const { data, payload = null } = content as EventContent
      return { row: { ...row, data }, content: payload }
    },
  }),
]

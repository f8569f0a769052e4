import { sql } from '../../platform/db/sql.ts'
import { userRows } from '../../platform/db/user-rows.ts'

/** What the export of a user contains of sessions. */
export const sessionsUserRows = [
  userRows(sql`sessions`, {
    columns: ['config', 'created_at', 'last_used_at'],
    decrypted: [{ column: 'encrypted_config', part: 'config', field: 'config' }],
    where: sql`deleted_at is null`,
  }),
  userRows(sql`user_memories`, { columns: ['toolkit', 'updated_at'], encrypted: 'encrypted_payload' }),
  userRows(sql`recipes`, {
    columns: ['slug', 'name', 'description', 'version', 'created_at', 'updated_at'],
  }),
]

import { type Db, sql } from '../../../../platform/db/sql.ts'
import { newId } from '../../../../platform/ids.ts'

export interface MemoryRow {
  id: string
  toolkit: string
  encrypted_payload: Buffer
  /** A session that had read content of other people wrote to it. */
  is_untrusted: boolean
}

/** Toolkits of one user about which something can be remembered. */
const TOOLKITS_MAX = 200

export const findMemories = (
  db: Db,
  projectId: string,
  userId: string,
  toolkits: readonly string[],
): Promise<MemoryRow[]> =>
  db.rows(sql`
  select id, toolkit, encrypted_payload, is_untrusted from user_memories where project_id = ${projectId}
    and user_id = ${userId} and toolkit = any(${[...toolkits]})`)

/**
 * The row of a user and toolkit, held until the transaction ends, made where there is none; undefined when
 * the user has too many.
 */
export async function lockMemory(
  tx: Db,
  projectId: string,
  userId: string,
  toolkit: string,
  empty: (id: string) => Buffer,
): Promise<MemoryRow | undefined> {
  const id = newId('mem')
  await tx.run(sql`
    insert into user_memories (id, project_id, user_id, toolkit, encrypted_payload, is_untrusted)
      select ${id}, ${projectId}, ${userId}, ${toolkit}, ${empty(id)}, false
    where (select count(*) from user_memories where project_id = ${projectId} and user_id = ${userId}) < ${TOOLKITS_MAX}
    on conflict (project_id, user_id, toolkit) do nothing`)
  return tx.one(
    sql`select id, toolkit, encrypted_payload, is_untrusted from user_memories where project_id = ${projectId}
        and user_id = ${userId} and toolkit = ${toolkit} for update`,
  )
}

export const updateMemory = (
  tx: Db,
  projectId: string,
  id: string,
  encryptedPayload: Buffer,
  isUntrusted: boolean,
): Promise<number> =>
  tx.run(sql`
  update user_memories set encrypted_payload = ${encryptedPayload}, is_untrusted = ${isUntrusted}, updated_at = now()
    where project_id = ${projectId} and id = ${id}`)

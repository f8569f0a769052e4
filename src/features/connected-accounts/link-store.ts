import { createHash } from 'node:crypto'
import { type Db, sql, values } from '../../platform/db/sql.ts'
import { randomText } from '../../platform/ids.ts'
import type { FlowKind } from './flow-store.ts'
import { SETUP_END } from './store.ts'

/** 190 bits: the token alone opens the page. */
const TOKEN_CHARACTERS = 32

interface NewLink {
  project_id: string
  connected_account_id: string
  kind: FlowKind
}
export type LinkRow = NewLink & { late: boolean; used: boolean }

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Answers the token, which is stored nowhere, and when the page ends. */
export async function newLink(db: Db, row: NewLink): Promise<{ token: string; expires: Date }> {
  const token = `lk_${randomText(TOKEN_CHARACTERS)}`
  const inserted = await db.one<{ expires_at: Date }>(
    sql`insert into connection_links ${values({ ...row, token_hash: hashToken(token), expires_at: SETUP_END })} returning expires_at`,
  )
  return { token, expires: (inserted as { expires_at: Date }).expires_at }
}

/** Begins with a secret instead of a project: whoever holds the token is who was sent here. Used up by any connection of its account since it was made. */
export const byToken = (db: Db, token: string): Promise<LinkRow | undefined> =>
  db.one(sql`
  select project_id, connected_account_id, kind, expires_at < now() as late,
    exists (select 1 from connected_accounts c where c.project_id = l.project_id and c.id = l.connected_account_id and c.connected_at > l.created_at) as used
  from connection_links l where token_hash = ${hashToken(token)}`)

export const removeOld = (db: Db): Promise<number> =>
  db.run(sql`delete from connection_links where expires_at < now() - interval '1 day'`)

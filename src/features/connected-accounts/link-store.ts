import { createHash } from 'node:crypto'
import { type Db, sql, values } from '../../platform/db/sql.ts'
import { SETUP_END } from './store.ts'

export interface LinkRow { project_id: string, connected_account_id: string, late: boolean }

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Answers when the page ends. */
export async function insert(db: Db, token: string, row: { project_id: string, connected_account_id: string }): Promise<Date> {
  const inserted = await db.one<{ expires_at: Date }>(sql`insert into connection_links ${values({ ...row, token_hash: hashToken(token), expires_at: SETUP_END })} returning expires_at`)
  return (inserted as { expires_at: Date }).expires_at
}

/** Begins with a secret instead of a project: whoever holds the token is who was sent here. */
export const byToken = (db: Db, token: string): Promise<LinkRow | undefined> => db.one(sql`
  select project_id, connected_account_id, expires_at < now() as late from connection_links where token_hash = ${hashToken(token)}`)

export const removeOld = (db: Db): Promise<number> => db.run(sql`delete from connection_links where expires_at < now() - interval '1 day'`)

import { createHash } from 'node:crypto'
import { type Db, sql, values } from '../../../platform/db/sql.ts'
import { randomText } from '../../../platform/ids.ts'
import type { FlowKind } from '../authorization-flow/flow-store.ts'
import { SETUP_EXPIRES_AT } from '../state-machine.ts'

/** 190 bits: the token alone opens the page. */
const TOKEN_CHARACTERS = 32

interface NewConnectLinkRow {
  project_id: string
  connected_account_id: string
  kind: FlowKind
}
export type ConnectLinkRow = NewConnectLinkRow & { is_expired: boolean; is_used: boolean }

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Creates a link. Returns its token, of which only a hash is stored, and its end. */
export async function insertConnectLink(
  db: Db,
  row: NewConnectLinkRow,
): Promise<{ token: string; expiresAt: Date }> {
  const token = `lk_${randomText(TOKEN_CHARACTERS)}`
  const columns = { ...row, token_hash: hashToken(token), expires_at: SETUP_EXPIRES_AT }
  const inserted = await db.one<{ expires_at: Date }>(
    sql`insert into connect_links ${values(columns)} returning expires_at`,
  )
  return { token, expiresAt: (inserted as { expires_at: Date }).expires_at }
}

/**
 * Finds a link in any project: its token is the secret. A link is used if its account was connected after the
 * link was created, in whichever way.
 */
export const findConnectLink = (db: Db, token: string): Promise<ConnectLinkRow | undefined> =>
  db.one(sql`
    select project_id, connected_account_id, kind, expires_at < now() as is_expired,
      exists (
        select 1 from connected_accounts c
        where c.project_id = l.project_id and c.id = l.connected_account_id and c.connected_at > l.created_at
      ) as is_used
    from connect_links l where token_hash = ${hashToken(token)}`)

/** Removes links one day after they expired. */
export const removeOldConnectLinks = (db: Db): Promise<number> =>
  db.run(sql`delete from connect_links where expires_at < now() - interval '1 day'`)

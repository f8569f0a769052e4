import { createHash } from 'node:crypto'
import { type Db, sql, values } from '../../platform/db/sql.ts'
import { SETUP_END } from './store.ts'

/** Whether the walk makes an account, or brings new credentials to one that stood before. */
export type FlowKind = 'connect' | 'reconnect'

export interface FlowRow { state_hash: Buffer, short_id: string, project_id: string, connected_account_id: string, kind: FlowKind, secrets: Buffer, expires_at: Date, used_at: Date | null, late: boolean }
const COLUMNS = sql`state_hash, short_id, project_id, connected_account_id, kind, secrets, expires_at, used_at, expires_at < now() as late`

export const hashState = (state: string): Buffer => createHash('sha256').update(state).digest()

export async function insert(db: Db, row: { state_hash: Buffer, short_id: string, project_id: string, connected_account_id: string, kind?: FlowKind, secrets: Buffer }): Promise<void> {
  await db.run(sql`insert into connection_flows ${values({ ...row, expires_at: SETUP_END })}`)
}

// Both look-ups begin with a secret instead of a project: whoever holds the secret is who was sent here.
export const byShortId = (db: Db, shortId: string): Promise<FlowRow | undefined> => db.one(sql`select ${COLUMNS} from connection_flows where short_id = ${shortId}`)
export const byState = (db: Db, stateHash: Buffer): Promise<FlowRow | undefined> => db.one(sql`select ${COLUMNS} from connection_flows where state_hash = ${stateHash}`)

/** A state works once; answers undefined when it was used or is late. */
export const claim = (db: Db, stateHash: Buffer): Promise<FlowRow | undefined> => db.one(sql`
  update connection_flows set used_at = now() where state_hash = ${stateHash} and used_at is null and expires_at > now() returning ${COLUMNS}`)

export const removeOld = (db: Db): Promise<number> => db.run(sql`delete from connection_flows where expires_at < now() - interval '1 day'`)

import { createHash } from 'node:crypto'
import { type Db, sql, values } from '../../../platform/db/sql.ts'
import { SETUP_EXPIRES_AT } from '../state-machine.ts'

export type WaitsFor = 'choice' | 'confirmation'
export interface PendingConnectionRow {
  id: string
  project_id: string
  connected_account_id: string
  waits_for: WaitsFor
  key_hash: Buffer
  encrypted_payload: Buffer
  is_expired: boolean
}
const COLUMNS = sql`
  id, project_id, connected_account_id, waits_for, key_hash, encrypted_payload, expires_at < now() as is_expired`

export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()

export async function insertPendingConnection(
  db: Db,
  row: Omit<PendingConnectionRow, 'is_expired'>,
): Promise<void> {
  await db.run(sql`insert into pending_connections ${values({ ...row, expires_at: SETUP_EXPIRES_AT })}`)
}

/** Finds a pending choice. The id is no secret: the caller must compare the browser with `key_hash`. */
export const findPendingChoice = (db: Db, id: string): Promise<PendingConnectionRow | undefined> =>
  db.one(sql`select ${COLUMNS} from pending_connections where id = ${id} and waits_for = 'choice'`)

export const findPendingConfirmation = (
  db: Db,
  projectId: string,
  keyHash: Buffer,
): Promise<PendingConnectionRow | undefined> =>
  db.one(sql`
    select ${COLUMNS} from pending_connections
    where project_id = ${projectId} and key_hash = ${keyHash} and waits_for = 'confirmation'`)

/** Finds the newest pending connection of an account. */
export const findNewestPendingConnection = (
  db: Db,
  projectId: string,
  accountId: string,
): Promise<PendingConnectionRow | undefined> =>
  db.one(sql`
    select ${COLUMNS} from pending_connections
    where project_id = ${projectId} and connected_account_id = ${accountId} and expires_at > now()
    order by created_at desc limit 1`)

/** Deletes a pending connection because it is used. Returns false if it was used before or is expired. */
export const usePendingConnection = async (db: Db, projectId: string, id: string): Promise<boolean> =>
  (await db.run(sql`
    delete from pending_connections where project_id = ${projectId} and id = ${id} and expires_at > now()`)) >
  0

/** Removes at most `limit` expired pending connections. Returns their number. */
export const removeExpiredPendingConnections = (db: Db, limit: number): Promise<number> =>
  db.run(sql`
    delete from pending_connections
    where id in (select id from pending_connections where expires_at < now() limit ${limit})`)

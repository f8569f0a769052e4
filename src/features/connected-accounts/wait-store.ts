import { createHash } from 'node:crypto'
import { type Db, sql, values } from '../../platform/db/sql.ts'
import { SETUP_END } from './store.ts'

export type WaitsFor = 'choice' | 'confirmation'
export interface WaitRow {
  id: string
  project_id: string
  connected_account_id: string
  waits_for: WaitsFor
  key_hash: Buffer
  sealed: Buffer
  late: boolean
}
const COLUMNS = sql`id, project_id, connected_account_id, waits_for, key_hash, sealed, expires_at < now() as late`

export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()

export async function insert(db: Db, row: Omit<WaitRow, 'late'>): Promise<void> {
  await db.run(sql`insert into connection_waits ${values({ ...row, expires_at: SETUP_END })}`)
}

/** What a page is for. The id is no secret: whoever asks has to show the browser whose hash the row holds. */
export const find = (db: Db, id: string): Promise<WaitRow | undefined> =>
  db.one(sql`select ${COLUMNS} from connection_waits where id = ${id} and waits_for = 'choice'`)

export const findSession = (db: Db, projectId: string, keyHash: Buffer): Promise<WaitRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from connection_waits where project_id = ${projectId} and key_hash = ${keyHash} and waits_for = 'confirmation'`)

/** What an account waits for, the newest first. */
export const ofAccount = (db: Db, projectId: string, accountId: string): Promise<WaitRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from connection_waits where project_id = ${projectId} and connected_account_id = ${accountId} and expires_at > now() order by created_at desc limit 1`)

/** The wait is over, whatever came of it; false when somebody was here before, or it is late. */
export const take = async (db: Db, projectId: string, id: string): Promise<boolean> =>
  (await db.run(sql`
  delete from connection_waits where project_id = ${projectId} and id = ${id} and expires_at > now()`)) > 0

/** In portions. Answers how many went. */
export const removeLate = (db: Db, most: number): Promise<number> =>
  db.run(sql`
  delete from connection_waits where id in (select id from connection_waits where expires_at < now() limit ${most})`)

import { type Db, sql, values } from '../../../platform/db/sql.ts'

export interface PasskeyRow {
  /** Id of the credential, in base64url. */
  id: string
  member_id: string
  name: string
  /** COSE key. */
  public_key: Uint8Array
  sign_count: number
  transports: string[]
  /** Whether the passkey is stored with a provider, and so on several devices. */
  is_synced: boolean
  created_at: Date
  last_used_at: Date | null
}
const COLUMNS = sql`
  id, member_id, name, public_key, sign_count::float8 as sign_count, transports, is_synced, created_at,
  last_used_at`

export const insertPasskey = (
  db: Db,
  { public_key: key, ...row }: Omit<PasskeyRow, 'created_at' | 'last_used_at'>,
): Promise<number> =>
  db.run(sql`insert into member_passkeys ${values({ ...row, public_key: Buffer.from(key) })}`)

export const listPasskeys = (db: Db, memberId: string): Promise<PasskeyRow[]> =>
  db.rows(sql`select ${COLUMNS} from member_passkeys where member_id = ${memberId} order by created_at, id`)

export const hasPasskeys = async (db: Db, memberId: string): Promise<boolean> =>
  (await db.one(sql`select 1 from member_passkeys where member_id = ${memberId} limit 1`)) !== undefined

export const findPasskey = (db: Db, id: string): Promise<PasskeyRow | undefined> =>
  db.one(sql`select ${COLUMNS} from member_passkeys where id = ${id}`)

/** Stores a use. Returns 0 if another sign-in stored the same or a higher count: the credential may be copied. */
export const recordPasskeyUse = (db: Db, id: string, count: number, now: Date): Promise<number> =>
  db.run(sql`
  update member_passkeys set sign_count = ${count}, last_used_at = ${now}
  where id = ${id} and (${count} > sign_count or (${count} = 0 and sign_count = 0))`)

export const deletePasskey = (db: Db, memberId: string, id: string): Promise<number> =>
  db.run(sql`delete from member_passkeys where member_id = ${memberId} and id = ${id}`)

export const deletePasskeysOf = (db: Db, memberId: string): Promise<number> =>
  db.run(sql`delete from member_passkeys where member_id = ${memberId}`)

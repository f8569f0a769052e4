import { createHash } from 'node:crypto'
import { type Db, sql } from '../../platform/db/sql.ts'
import { SETUP_END } from './store.ts'

/** Where the code of a webhook and the walk that it is for meet; `code` and `returned` are sealed. */
export interface CodeRow {
  id: string
  state_hash: Buffer | null
  returned: Buffer | null
  code: Buffer | null
  late: boolean
}
const COLUMNS = sql`id, state_hash, returned, code, expires_at < now() as late`

/** A value of one auth config says nothing about another's. */
export const meetingOf = (authConfigId: string, match: string): string =>
  createHash('sha256').update(`${authConfigId}\0${match}`).digest('hex')

export const findCode = (db: Db, projectId: string, id: string): Promise<CodeRow | undefined> =>
  db.one(sql`select ${COLUMNS} from connection_codes where project_id = ${projectId} and id = ${id}`)

/** The provider brings its half. Undefined when that was brought before or came too late; `state_hash` of the walk that waits for it already. */
export const bringCode = (
  db: Db,
  projectId: string,
  id: string,
  code: Buffer,
): Promise<CodeRow | undefined> =>
  db.one(sql`
  insert into connection_codes as c (id, project_id, code, expires_at) values (${id}, ${projectId}, ${code}, ${SETUP_END})
  on conflict (id) do update set code = excluded.code where c.project_id = excluded.project_id and c.code is null and c.expires_at > now() returning ${COLUMNS}`)

/** The browser brings its half. Undefined when another walk came back with the same value, or too late; `code` when that is here already. */
export const bringWalk = (
  db: Db,
  projectId: string,
  id: string,
  { state_hash: stateHash, returned }: { state_hash: Buffer; returned: Buffer },
): Promise<CodeRow | undefined> =>
  db.one(sql`
  insert into connection_codes as c (id, project_id, state_hash, returned, expires_at) values (${id}, ${projectId}, ${stateHash}, ${returned}, ${SETUP_END})
  on conflict (id) do update set state_hash = excluded.state_hash, returned = excluded.returned
  where c.project_id = excluded.project_id and c.state_hash is null and c.expires_at > now() returning ${COLUMNS}`)

/** Whether a walk of this auth config is under way, so that a code may come before its browser does; one whose browser is back this moment counts. */
export async function isAwaited(db: Db, projectId: string, authConfigId: string): Promise<boolean> {
  return (
    (await db.one(sql`
    select 1 from connection_flows f join connected_accounts c on c.id = f.connected_account_id and c.project_id = f.project_id
    where f.project_id = ${projectId} and c.auth_config_id = ${authConfigId} and c.deleted_at is null and f.expires_at > now() limit 1`)) !==
    undefined
  )
}

/** Whether a walk whose browser is back still waits for its code. */
export async function isWaiting(db: Db, projectId: string, stateHash: Buffer): Promise<boolean> {
  return (
    (await db.one(
      sql`select 1 from connection_codes where project_id = ${projectId} and state_hash = ${stateHash} and code is null`,
    )) !== undefined
  )
}

/** Begins with an id that is public instead of a project: what is done then is proven by a signature. */
export async function projectOfConfig(db: Db, authConfigId: string): Promise<string | undefined> {
  return (
    await db.one<{ project_id: string }>(
      sql`select project_id from auth_configs where id = ${authConfigId} and deleted_at is null and status = 'ENABLED'`,
    )
  )?.project_id
}

/** A day, so that a code that is brought again is known as such. */
export const removeOld = (db: Db): Promise<number> =>
  db.run(sql`delete from connection_codes where expires_at < now() - interval '1 day'`)

import { type Db, sql } from '../../platform/db/sql.ts'

/** How long a key means the same call. */
const KEPT_HOURS = 24
/** Longer than any call may take. */
const LEASE_MINUTES = 5

export interface CallRow {
  log_id: string
  status: 'running' | 'done'
  encrypted_payload: Buffer
  is_alive: boolean
  was_logged: boolean
  has_ended: boolean | null
}

/** True when the call is this one's to make: nobody has used the key in the last day. */
export const claim = async (
  db: Db,
  projectId: string,
  id: string,
  logId: string,
  encryptedPayload: Buffer,
): Promise<boolean> =>
  (await db.run(sql`
  insert into idempotency_keys (id, project_id, log_id, encrypted_payload, lease_until, expires_at)
  values (${id}, ${projectId}, ${logId}, ${encryptedPayload}, now() + make_interval(mins => ${LEASE_MINUTES}), now() + make_interval(hours => ${KEPT_HOURS}))
  on conflict (id) do update set log_id = excluded.log_id, status = 'running', encrypted_payload = excluded.encrypted_payload, lease_until = excluded.lease_until, expires_at = excluded.expires_at
  where idempotency_keys.expires_at < now()`)) > 0

/** What became of the call that used the key, as far as the log knows. */
export const find = (db: Db, projectId: string, id: string): Promise<CallRow | undefined> =>
  db.one(sql`
  select c.log_id, c.status, c.encrypted_payload, c.lease_until > now() as is_alive, e.id is not null as was_logged, e.successful is not null as has_ended
  from idempotency_keys c left join tool_executions e on e.id = c.log_id and e.project_id = c.project_id where c.project_id = ${projectId} and c.id = ${id}`)

/** Takes the place of a call that died before it sent anything; false when somebody else was faster. */
export const takeOver = async (
  db: Db,
  projectId: string,
  id: string,
  deadLogId: string,
  logId: string,
): Promise<boolean> =>
  (await db.run(sql`
  update idempotency_keys set log_id = ${logId}, lease_until = now() + make_interval(mins => ${LEASE_MINUTES})
  where project_id = ${projectId} and id = ${id} and log_id = ${deadLogId} and status = 'running' and lease_until < now()`)) >
  0

export const finish = (
  db: Db,
  projectId: string,
  id: string,
  logId: string,
  encryptedPayload: Buffer,
): Promise<number> =>
  db.run(sql`
  update idempotency_keys set status = 'done', encrypted_payload = ${encryptedPayload} where project_id = ${projectId} and id = ${id} and log_id = ${logId}`)

/** The call was refused before it could have an effect: the key is free again. */
export const release = (db: Db, projectId: string, id: string, logId: string): Promise<number> =>
  db.run(sql`
  delete from idempotency_keys where project_id = ${projectId} and id = ${id} and log_id = ${logId}`)

const ROWS_A_STATEMENT = 1_000

/** Answers whether there may be more. */
export const removeOld = async (db: Db): Promise<boolean> =>
  (await db.run(sql`
  delete from idempotency_keys where id in (select id from idempotency_keys where expires_at < now() limit ${ROWS_A_STATEMENT})`)) ===
  ROWS_A_STATEMENT

import { runBatch } from '../../../platform/db/run-batch.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'

/** How long a key identifies its call. */
const KEY_HOURS = 24
/** Longer than any call may take. */
const LEASE_MINUTES = 5

export interface IdempotencyRow {
  log_id: string
  status: 'running' | 'done'
  encrypted_payload: Buffer
  is_alive: boolean
  was_logged: boolean
  has_ended: boolean | null
}

/** Claims a key for a call. Returns false if the key was used within its time. */
export const claimKey = async (
  db: Db,
  projectId: string,
  id: string,
  logId: string,
  encryptedPayload: Buffer,
): Promise<boolean> =>
  (await db.run(sql`
    insert into idempotency_keys (id, project_id, log_id, encrypted_payload, lease_until, expires_at)
    values (${id}, ${projectId}, ${logId}, ${encryptedPayload},
      now() + make_interval(mins => ${LEASE_MINUTES}), now() + make_interval(hours => ${KEY_HOURS}))
    on conflict (id) do update set log_id = excluded.log_id, status = 'running',
      encrypted_payload = excluded.encrypted_payload, lease_until = excluded.lease_until,
      expires_at = excluded.expires_at
    where idempotency_keys.expires_at < now()`)) > 0

/** Returns the call that used the key, with its state in the execution log. */
export const findKey = (db: Db, projectId: string, id: string): Promise<IdempotencyRow | undefined> =>
  db.one(sql`
    select k.log_id, k.status, k.encrypted_payload, k.lease_until > now() as is_alive,
      e.id is not null as was_logged, e.successful is not null as has_ended
    from idempotency_keys k left join tool_executions e on e.id = k.log_id and e.project_id = k.project_id
    where k.project_id = ${projectId} and k.id = ${id}`)

/** Replaces a call whose process ended before it sent anything. Returns false if another process was faster. */
export const replaceEndedCall = async (
  db: Db,
  projectId: string,
  id: string,
  endedLogId: string,
  logId: string,
): Promise<boolean> =>
  (await db.run(sql`
    update idempotency_keys
    set log_id = ${logId}, lease_until = now() + make_interval(mins => ${LEASE_MINUTES})
    where project_id = ${projectId} and id = ${id} and log_id = ${endedLogId} and status = 'running'
      and lease_until < now()`)) > 0

export const completeKey = (
  db: Db,
  projectId: string,
  id: string,
  logId: string,
  encryptedPayload: Buffer,
): Promise<number> =>
  db.run(sql`
    update idempotency_keys set status = 'done', encrypted_payload = ${encryptedPayload}
    where project_id = ${projectId} and id = ${id} and log_id = ${logId}`)

/** Makes the key available again: the call ended before it could have an effect. */
export const releaseKey = (db: Db, projectId: string, id: string, logId: string): Promise<number> =>
  db.run(sql`
    delete from idempotency_keys where project_id = ${projectId} and id = ${id} and log_id = ${logId}`)

/** Removes a batch of expired keys. Returns whether there may be more. */
export const removeExpiredKeys = (db: Db): Promise<boolean> =>
  runBatch(
    db,
    (limit) => sql`
    delete from idempotency_keys where id in (
      select id from idempotency_keys where expires_at < now() limit ${limit})`,
  )

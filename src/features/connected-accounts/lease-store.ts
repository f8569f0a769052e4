import { type Db, sql } from '../../platform/db/sql.ts'
import { tellingExpiry } from './events.ts'

/** Only the holder of the lease talks to the token endpoint; an abandoned lease opens by itself. No lock is held meanwhile. */
export const take = async (db: Db, projectId: string, id: string, version: number, lease: string, seconds: number): Promise<boolean> => await db.run(sql`
  update connected_accounts set refresh_lease = ${lease}, refresh_lease_until = now() + make_interval(secs => ${seconds})
  where project_id = ${projectId} and id = ${id} and deleted_at is null and status = 'ACTIVE' and val_version = ${version} and (refresh_lease_until is null or refresh_lease_until < now())`) > 0

export const release = (db: Db, projectId: string, id: string, lease: string): Promise<number> => db.run(sql`
  update connected_accounts set refresh_lease = null, refresh_lease_until = null where project_id = ${projectId} and id = ${id} and refresh_lease = ${lease}`)

/**
 * Stores new credentials if nobody stored others since `version` was read. Whatever the status is by now: a provider that rotates has ended the old
 * refresh token, and an account that was switched off meanwhile would be dead when it is switched on again.
 */
export const store = async (db: Db, projectId: string, id: string, version: number, row: { val: Buffer, token_expires_at: Date | null }): Promise<boolean> => await db.run(sql`
  update connected_accounts set val = ${row.val}, token_expires_at = ${row.token_expires_at}, val_version = val_version + 1, renewed_at = now(), updated_at = now(), refresh_lease = null, refresh_lease_until = null
  where project_id = ${projectId} and id = ${id} and deleted_at is null and val_version = ${version}`) > 0

/** The grant is dead, unless somebody stored other credentials meanwhile. */
export const expire = async (db: Db, projectId: string, id: string, version: number, reason: string): Promise<boolean> => await db.run(tellingExpiry(sql`
  update connected_accounts set status = 'EXPIRED', status_reason = ${reason}, updated_at = now(), refresh_lease = null, refresh_lease_until = null
  where project_id = ${projectId} and id = ${id} and deleted_at is null and status = 'ACTIVE' and val_version = ${version}`)) > 0

/** Counts a refusal of fresh credentials; at `most` in a row the account is EXPIRED. */
export const countRefusal = (db: Db, projectId: string, id: string, version: number, most: number, reason: string): Promise<number> => db.run(tellingExpiry(sql`
  update connected_accounts set auth_failures = auth_failures + 1,
    status = case when auth_failures + 1 >= ${most} then 'EXPIRED' else status end, status_reason = case when auth_failures + 1 >= ${most} then ${reason} else status_reason end, updated_at = now()
  where project_id = ${projectId} and id = ${id} and deleted_at is null and status = 'ACTIVE' and val_version = ${version}`))

export const clearRefusals = (db: Db, projectId: string, id: string): Promise<number> => db.run(sql`
  update connected_accounts set auth_failures = 0 where project_id = ${projectId} and id = ${id} and auth_failures > 0`)

import type { AccountStatus } from '../../contract/schemes.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import { tellingExpiry } from './events.ts'

/** How asking for the lease ended. `takenOver`: whoever had it before neither stored nor released. Version and status are those of the row. */
export interface Attempt {
  taken: boolean
  takenOver: boolean
  /** The lease that somebody else holds. */ holder: string | null
  version: number
  status: AccountStatus
}

const OPEN = sql`(c.refresh_lease_until is null or c.refresh_lease_until < now())`
/** A holder that was refused lets its lease stand under this name: nobody asks the provider again, and an answer that comes late is still taken. */
const REFUSED = 'refused:'
export const refusedLease = (lease: string): string => `${REFUSED}${lease}`

/**
 * Only the holder of the lease talks to the token endpoint; an abandoned lease opens by itself. No lock is held meanwhile.
 * One statement asks and looks, so that whoever waits needs no second one. Undefined: there is no such account.
 */
export const take = (
  db: Db,
  projectId: string,
  id: string,
  version: number,
  lease: string,
  seconds: number,
): Promise<Attempt | undefined> =>
  db.one(sql`
  with before as (select id, refresh_lease, case when refresh_lease_until >= now() then refresh_lease end as holder, val_version, status from connected_accounts where project_id = ${projectId} and id = ${id} and deleted_at is null),
  taken as (
    update connected_accounts c set refresh_lease = ${lease}, refresh_lease_until = now() + make_interval(secs => ${seconds}) from before b
    where c.project_id = ${projectId} and c.id = b.id and c.deleted_at is null and c.status = 'ACTIVE' and c.val_version = ${version} and ${OPEN}
    returning b.refresh_lease is not null as over)
  select exists (select from taken) as taken, coalesce((select over from taken), false) as "takenOver", b.holder, b.val_version as version, b.status from before b`)

/** Says that the holder lives; false when it holds the lease no longer. */
export const extend = async (
  db: Db,
  projectId: string,
  id: string,
  lease: string,
  seconds: number,
): Promise<boolean> =>
  (await db.run(sql`
  update connected_accounts set refresh_lease_until = now() + make_interval(secs => ${seconds})
  where project_id = ${projectId} and id = ${id} and refresh_lease = ${lease}`)) > 0

export const release = (db: Db, projectId: string, id: string, lease: string): Promise<number> =>
  db.run(sql`
  update connected_accounts set refresh_lease = null, refresh_lease_until = null where project_id = ${projectId} and id = ${id} and refresh_lease = ${lease}`)

/** Before the word of a provider is taken that the grant is dead: for so many seconds an answer may still come, see `refusedLease`. */
export const putAside = async (
  db: Db,
  projectId: string,
  id: string,
  version: number,
  lease: string,
  seconds: number,
): Promise<boolean> =>
  (await db.run(sql`
  update connected_accounts set refresh_lease = ${refusedLease(lease)}, refresh_lease_until = now() + make_interval(secs => ${seconds})
  where project_id = ${projectId} and id = ${id} and refresh_lease = ${lease} and val_version = ${version}`)) >
  0

/** `held`: another holder is under way, whose answer is newer. `superseded`: others were stored, or the account is gone. */
export type Stored = 'stored' | 'held' | 'superseded'

/**
 * Stores new credentials if nobody stored others since `version` was read, and no other process holds the lease: it asked later, so what it gets is newer.
 * Whatever the status is by now: a provider that rotates has ended the old refresh token, and an account that was switched off meanwhile would be
 * dead when it is switched on again. One that was declared dead over the same credentials is not: here is the proof.
 * With `holdSeconds` the lease stays: the renewal goes on.
 */
export async function store(
  db: Db,
  projectId: string,
  id: string,
  version: number,
  lease: string,
  row: { val: Buffer; token_expires_at: Date | null },
  holdSeconds?: number,
): Promise<Stored> {
  const held =
    holdSeconds === undefined
      ? sql`refresh_lease = null, refresh_lease_until = null`
      : sql`refresh_lease = ${lease}, refresh_lease_until = now() + make_interval(secs => ${holdSeconds})`
  const after = await db.one<{ stored: boolean; version: number }>(sql`
    with stored as (
      update connected_accounts c set val = ${row.val}, token_expires_at = ${row.token_expires_at}, val_version = val_version + 1, renewed_at = now(), updated_at = now(), ${held},
        status = case when status = 'EXPIRED' then 'ACTIVE' else status end, status_reason = case when status = 'EXPIRED' then null else status_reason end
      where c.project_id = ${projectId} and c.id = ${id} and c.deleted_at is null and c.val_version = ${version} and (c.refresh_lease = ${lease} or starts_with(c.refresh_lease, ${REFUSED}) or ${OPEN})
      returning 1)
    select exists (select from stored) as stored, val_version as version from connected_accounts where project_id = ${projectId} and id = ${id} and deleted_at is null`)
  if (after?.stored) return 'stored'
  return after?.version === version ? 'held' : 'superseded'
}

/** The grant is dead, unless somebody stored other credentials meanwhile or is about to: only the holder of the lease may say so. */
export const expire = async (
  db: Db,
  projectId: string,
  id: string,
  version: number,
  lease: string,
  reason: string,
): Promise<boolean> =>
  (await db.run(
    tellingExpiry(sql`
  update connected_accounts set status = 'EXPIRED', status_reason = ${reason}, updated_at = now(), refresh_lease = null, refresh_lease_until = null
  where project_id = ${projectId} and id = ${id} and deleted_at is null and status = 'ACTIVE' and val_version = ${version} and refresh_lease = ${lease}`),
  )) > 0

/** The version of the credentials as it is now; undefined when the account is gone. */
export const versionOf = async (db: Db, projectId: string, id: string): Promise<number | undefined> =>
  (
    await db.one<{ version: number }>(
      sql`select val_version as version from connected_accounts where project_id = ${projectId} and id = ${id} and deleted_at is null`,
    )
  )?.version

/** Counts a refusal of fresh credentials; at `most` in a row the account is EXPIRED. */
export const countRefusal = (
  db: Db,
  projectId: string,
  id: string,
  version: number,
  most: number,
  reason: string,
): Promise<number> =>
  db.run(
    tellingExpiry(sql`
  update connected_accounts set auth_failures = auth_failures + 1,
    status = case when auth_failures + 1 >= ${most} then 'EXPIRED' else status end, status_reason = case when auth_failures + 1 >= ${most} then ${reason} else status_reason end, updated_at = now()
  where project_id = ${projectId} and id = ${id} and deleted_at is null and status = 'ACTIVE' and val_version = ${version}`),
  )

export const clearRefusals = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
  update connected_accounts set auth_failures = 0 where project_id = ${projectId} and id = ${id} and auth_failures > 0`)

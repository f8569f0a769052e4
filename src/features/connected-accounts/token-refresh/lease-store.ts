import type { AccountStatus } from '../../../contract/schemes.ts'
import { type Db, type Pool, sql } from '../../../platform/db/sql.ts'
import { moveAccount, type StatusChangeDeps } from '../state-machine.ts'

/** The functions of this file; tests replace some of them. */
export type LeaseStore = typeof import('./lease-store.ts')

type StoreDeps = StatusChangeDeps & { db: Pool }

/** The result of a claim, with the version and the status of the row. */
export interface LeaseAttempt {
  isClaimed: boolean
  /** The former holder neither stored credentials nor released the lease. */
  isTakenOver: boolean
  /** The lease of another process. */
  holder: string | null
  /** A lease of another process that ended although its refresh did not. */
  orphan: string | null
  version: number
  status: AccountStatus
}

/** A version of the credentials of an account, and the lease under which it is refreshed. */
export interface LeasedVersion {
  projectId: string
  id: string
  version: number
  lease: string
}

const IS_FREE = sql`(c.refresh_lease_until is null or c.refresh_lease_until < now())`
/**
 * After a rejection, the lease stays under this prefix for a while: no process sends another request, and a
 * late response can still be stored.
 */
const REJECTED = 'refused:'
export const rejectedLease = (lease: string): string => `${REJECTED}${lease}`

/**
 * Claims the lease. Only its holder sends token requests; no lock is held meanwhile, and a lease that is not
 * extended expires. One statement claims and reads the row, so that a waiting process needs no second one.
 * An expired lease is only taken over if it is `knownOrphan`. Returns undefined if the account does not exist.
 */
export const claimLease = (
  db: Db,
  projectId: string,
  id: string,
  version: number,
  lease: string,
  seconds: number,
  knownOrphan: string | null,
): Promise<LeaseAttempt | undefined> =>
  db.one(sql`
    with before as (
      select id, refresh_lease, case when refresh_lease_until >= now() then refresh_lease end as holder,
        case when refresh_lease_until < now() then refresh_lease end as orphan,
        credentials_version, status
      from connected_accounts where project_id = ${projectId} and id = ${id} and deleted_at is null),
    claimed as (
      update connected_accounts c
      set refresh_lease = ${lease}, refresh_lease_until = now() + make_interval(secs => ${seconds}) from before b
      where c.project_id = ${projectId} and c.id = b.id and c.deleted_at is null and c.status = 'ACTIVE'
        and c.credentials_version = ${version} and ${IS_FREE}
        and (c.refresh_lease is null or c.refresh_lease = ${knownOrphan})
      returning b.refresh_lease is not null as is_taken_over)
    select exists (select from claimed) as "isClaimed",
      coalesce((select is_taken_over from claimed), false) as "isTakenOver", b.holder, b.orphan,
      b.credentials_version as version, b.status
    from before b`)

/** Extends the lease. Returns false if this process no longer holds it. */
export const extendLease = async (
  db: Db,
  projectId: string,
  id: string,
  lease: string,
  seconds: number,
): Promise<boolean> =>
  (await db.run(sql`
    update connected_accounts set refresh_lease_until = now() + make_interval(secs => ${seconds})
    where project_id = ${projectId} and id = ${id} and refresh_lease = ${lease}`)) > 0

export const releaseLease = (db: Db, projectId: string, id: string, lease: string): Promise<number> =>
  db.run(sql`
    update connected_accounts set refresh_lease = null, refresh_lease_until = null
    where project_id = ${projectId} and id = ${id} and refresh_lease = ${lease}`)

/**
 * Marks the lease as rejected: for this many seconds, a late response can still be stored (see
 * `rejectedLease`).
 */
export const markLeaseRejected = async (
  db: Db,
  projectId: string,
  id: string,
  version: number,
  lease: string,
  seconds: number,
): Promise<boolean> =>
  (await db.run(sql`
    update connected_accounts
    set refresh_lease = ${rejectedLease(lease)}, refresh_lease_until = now() + make_interval(secs => ${seconds})
    where project_id = ${projectId} and id = ${id} and refresh_lease = ${lease}
      and credentials_version = ${version}`)) > 0

/**
 * `leased`: another process holds the lease, and its response will be newer. `superseded`: other credentials
 * are stored, or the account is deleted.
 */
export type StoreResult = 'stored' | 'leased' | 'superseded'

/**
 * Stores refreshed credentials if no others were stored since `version`, and no other process holds the
 * lease: that process sent its request later, so its response is newer. The status of the account does not
 * matter: a provider that rotates has ended the old refresh token, and an account that was disabled meanwhile
 * must work when it is enabled again. An account that was marked as expired over the same credentials is
 * ACTIVE again. With `keepLeaseSeconds`, the lease stays, because the refresh needs further requests.
 */
export const storeRefreshedCredentials = (
  deps: StoreDeps,
  target: LeasedVersion & { keepLeaseSeconds?: number | undefined },
  row: { credentials: Buffer; token_expires_at: Date | null },
): Promise<StoreResult> =>
  deps.db.begin(async (tx) => {
    const { projectId, id, version } = target
    const stored = await storeVersion(tx, target, row)
    if (stored) {
      if (stored.status === 'EXPIRED') await moveAccount(deps, tx, projectId, id, 'recover')
      return 'stored'
    }
    return (await findCredentialsVersion(tx, projectId, id)) === version ? 'leased' : 'superseded'
  })

function storeVersion(
  tx: Db,
  {
    projectId,
    id,
    version,
    lease,
    keepLeaseSeconds,
  }: LeasedVersion & { keepLeaseSeconds?: number | undefined },
  { credentials, token_expires_at }: { credentials: Buffer; token_expires_at: Date | null },
): Promise<{ status: AccountStatus } | undefined> {
  const nextLease =
    keepLeaseSeconds === undefined
      ? sql`refresh_lease = null, refresh_lease_until = null`
      : sql`refresh_lease = ${lease}, refresh_lease_until = now() + make_interval(secs => ${keepLeaseSeconds})`
  return tx.one(sql`
    update connected_accounts c
    set credentials = ${credentials}, token_expires_at = ${token_expires_at},
      credentials_version = credentials_version + 1, refreshed_at = now(), updated_at = now(), ${nextLease}
    where c.project_id = ${projectId} and c.id = ${id} and c.deleted_at is null and c.credentials_version = ${version}
      and (c.refresh_lease = ${lease} or starts_with(c.refresh_lease, ${REJECTED}) or ${IS_FREE})
    returning c.status`)
}

/**
 * Expires the account because the provider rejected its grant. Returns false if this process no longer holds
 * the lease or other credentials are stored.
 */
export const expireAccount = (
  deps: StoreDeps,
  { projectId, id, version, lease }: LeasedVersion,
  reason: string,
): Promise<boolean> =>
  deps.db.begin((tx) =>
    moveAccount(
      deps,
      tx,
      projectId,
      id,
      'expire',
      { status_reason: reason, refresh_lease: null, refresh_lease_until: null },
      sql`c.credentials_version = ${version} and c.refresh_lease = ${lease}`,
    ),
  )

/** Returns the current version of the credentials, or undefined if the account is deleted. */
export async function findCredentialsVersion(
  db: Db,
  projectId: string,
  id: string,
): Promise<number | undefined> {
  const row = await db.one<{ version: number }>(sql`
    select credentials_version as version from connected_accounts
    where project_id = ${projectId} and id = ${id} and deleted_at is null`)
  return row?.version
}

/**
 * Counts a rejection of valid credentials, and expires the account after `failuresMax` in a row. Returns
 * false if the account is not ACTIVE or has other credentials by now.
 */
export const countAuthFailure = (
  deps: StoreDeps,
  projectId: string,
  id: string,
  version: number,
  { failuresMax, reason }: { failuresMax: number; reason: string },
): Promise<boolean> =>
  deps.db.begin(async (tx) => {
    const counted = await tx.one<{ auth_failures: number }>(sql`
      update connected_accounts set auth_failures = auth_failures + 1, updated_at = now()
      where project_id = ${projectId} and id = ${id} and deleted_at is null and status = 'ACTIVE'
        and credentials_version = ${version}
      returning auth_failures`)
    if (!counted) return false
    if (counted.auth_failures >= failuresMax) {
      await moveAccount(deps, tx, projectId, id, 'expire', { status_reason: reason })
    }
    return true
  })

export const clearAuthFailures = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
    update connected_accounts set auth_failures = 0
    where project_id = ${projectId} and id = ${id} and auth_failures > 0`)

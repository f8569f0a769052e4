import { type Db, type Pool, sql } from '../../platform/db/sql.ts'
import {
  changeAccounts,
  NEW_CREDENTIALS_COLUMNS,
  STATUS_REASONS,
  type StatusChangeDeps,
  TRANSITIONS,
} from './state-machine.ts'

/** Deletes the account. The row stays for audits; `emptyCredentials` replaces its credentials. */
export async function removeAccount(
  deps: StatusChangeDeps,
  tx: Db,
  projectId: string,
  id: string,
  emptyCredentials: Buffer,
): Promise<void> {
  await changeAccounts(deps, tx, {
    where: sql`c.project_id = ${projectId} and c.id = ${id} and c.deleted_at is null`,
    set: {
      deleted_at: sql`now()`,
      credentials: emptyCredentials,
      identity: null,
      ...NEW_CREDENTIALS_COLUMNS,
      token_expires_at: null,
    },
  })
}

/** Disables all accounts of an auth config that is being deleted. */
export async function disableAccountsOfAuthConfig(
  deps: StatusChangeDeps,
  tx: Db,
  projectId: string,
  authConfigId: string,
): Promise<void> {
  await changeAccounts(deps, tx, {
    where: sql`c.project_id = ${projectId} and c.auth_config_id = ${authConfigId} and c.deleted_at is null
      and c.status <> 'INACTIVE'`,
    set: { status: 'INACTIVE', status_reason: STATUS_REASONS.authConfigDeleted },
  })
}

const TIMEOUT_COLUMNS = { status: TRANSITIONS.timeout.to, status_reason: STATUS_REASONS.setupTimeout }
const IS_TIMED_OUT = sql`setup_expires_at < now() and deleted_at is null
  and status = any(${[...TRANSITIONS.timeout.from] as string[]})`

/** Marks the account as EXPIRED if its time to connect has ended. */
export async function expireSetup(
  deps: StatusChangeDeps,
  tx: Db,
  projectId: string,
  id: string,
): Promise<void> {
  await changeAccounts(deps, tx, {
    where: sql`c.project_id = ${projectId} and c.id = ${id} and ${IS_TIMED_OUT}`,
    set: TIMEOUT_COLUMNS,
  })
}

/** Marks at most `limit` accounts whose time to connect has ended as EXPIRED. Returns their number. */
export const expireSetups = (deps: StatusChangeDeps & { db: Pool }, limit: number): Promise<number> =>
  deps.db.begin(async (tx) => {
    const expired = await changeAccounts(deps, tx, {
      where: sql`c.id in (
        select id from connected_accounts where ${IS_TIMED_OUT} limit ${limit} for update skip locked)`,
      set: TIMEOUT_COLUMNS,
    })
    return expired.length
  })

/** Returns the number of accounts of a project by status. */
export async function countAccountsByStatus(db: Db, projectId: string): Promise<Map<string, number>> {
  const rows = await db.rows<{ status: string; count: number }>(sql`
    select status, count(*)::int as count from connected_accounts
    where project_id = ${projectId} and deleted_at is null group by status`)
  return new Map(rows.map(({ status, count }) => [status, count]))
}

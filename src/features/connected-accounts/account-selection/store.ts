import { type Db, sql } from '../../../platform/db/sql.ts'
import { type AccountRow, COLUMNS, FROM, STATUS } from '../store.ts'

export interface AccountKey {
  projectId: string
  id: string
}

/** A user, and the toolkit whose tools shall run with one of the user's accounts. */
export interface UserOfToolkit {
  projectId: string
  userId: string
  toolkit: string
}

/** Finds many accounts in one statement. Returns them in the order of the keys. */
export async function findAccounts(db: Db, keys: readonly AccountKey[]): Promise<(AccountRow | undefined)[]> {
  const rows = await db.rows<AccountRow & { n: number }>(sql`
    select k.n::int, ${COLUMNS}
    from unnest(${keys.map(({ projectId }) => projectId)}::text[], ${keys.map(({ id }) => id)}::text[])
      with ordinality k (project_id, id, n)
    join connected_accounts c on c.project_id = k.project_id and c.id = k.id and c.deleted_at is null
    join auth_configs a on a.id = c.auth_config_id`)
  return inOrderOf(keys, rows)
}

/**
 * Chooses the account that tools of a toolkit run with, for many users: the most recently connected one that
 * is ACTIVE and whose auth config is enabled; of several, the smallest id.
 */
export async function pickAccounts(
  db: Db,
  keys: readonly UserOfToolkit[],
): Promise<(AccountRow | undefined)[]> {
  const rows = await db.rows<AccountRow & { n: number }>(sql`
    select k.n::int, p.*
    from unnest(
      ${keys.map(({ projectId }) => projectId)}::text[],
      ${keys.map(({ userId }) => userId)}::text[],
      ${keys.map(({ toolkit }) => toolkit)}::text[]
    ) with ordinality k (project_id, user_id, toolkit, n)
    cross join lateral (
      select ${COLUMNS} from ${FROM}
      where c.project_id = k.project_id and c.user_id = k.user_id and c.toolkit_slug = k.toolkit
        and c.deleted_at is null and c.status = 'ACTIVE' and a.status = 'ENABLED' and a.deleted_at is null
      order by c.connected_at desc, c.id limit 1) p`)
  return inOrderOf(keys, rows)
}

/**
 * Finds the account with which tools ran until it expired or was disabled: the most recently connected one of the user.
 * For callers who have no usable account, so that they learn why.
 */
export const findUnusableAccount = (
  db: Db,
  { projectId, userId, toolkit }: UserOfToolkit,
): Promise<AccountRow | undefined> =>
  db.one(sql`
    select ${COLUMNS} from ${FROM}
    where c.project_id = ${projectId} and c.user_id = ${userId} and c.toolkit_slug = ${toolkit}
      and c.deleted_at is null and c.connected_at is not null and a.deleted_at is null
      and (c.status in ('EXPIRED', 'INACTIVE', 'REVOKED') or c.status = 'ACTIVE' and a.status = 'DISABLED')
    order by c.connected_at desc, c.id limit 1`)

function inOrderOf<Row extends { n: number }>(
  keys: readonly unknown[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const byPosition = new Map(rows.map((row) => [row.n, row]))
  return keys.map((_key, index) => byPosition.get(index + 1))
}

/** Returns the auth configs among `configIds` with which the user has a usable account. */
export async function authConfigsWithActiveAccount(
  db: Db,
  projectId: string,
  userId: string,
  configIds: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select distinct a.id from ${FROM}
    where c.project_id = ${projectId} and c.user_id = ${userId} and a.id = any(${configIds as string[]})
      and c.deleted_at is null and c.status = 'ACTIVE' and a.status = 'ENABLED' and a.deleted_at is null`)
  return rows.map(({ id }) => id)
}

/** The columns of an account that a choice among several accounts needs. */
export type UserAccount = Pick<
  AccountRow,
  'id' | 'user_id' | 'status' | 'toolkit_slug' | 'auth_config_id' | 'created_at'
> & { auth_config_enabled: boolean }

const USER_ACCOUNT_COLUMNS = sql`
  c.id, c.user_id, ${STATUS} as status, c.toolkit_slug, a.id as auth_config_id,
  a.status = 'ENABLED' and a.deleted_at is null as auth_config_enabled, c.created_at`

/** Lists the accounts of the user with these auth configs, the most recently connected first. */
export const listUserAccounts = (
  db: Db,
  projectId: string,
  userId: string,
  configIds: readonly string[],
): Promise<UserAccount[]> =>
  db.rows(sql`
    select ${USER_ACCOUNT_COLUMNS} from ${FROM}
    where c.project_id = ${projectId} and c.user_id = ${userId} and a.id = any(${configIds as string[]})
      and c.deleted_at is null
    order by c.connected_at desc nulls last, c.created_at desc, c.id limit 1000`)

/** Finds accounts by id, in any order. */
export const findAccountsByIds = (
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<UserAccount[]> =>
  db.rows(sql`
    select ${USER_ACCOUNT_COLUMNS} from ${FROM}
    where c.project_id = ${projectId} and c.id = any(${ids as string[]}) and c.deleted_at is null`)

/** An account among which a session chooses. `for_sessions`: its auth config is enabled for sessions. */
export type SessionAccount = Pick<
  AccountRow,
  | 'id'
  | 'word_id'
  | 'alias'
  | 'user_id'
  | 'status'
  | 'status_reason'
  | 'toolkit_slug'
  | 'auth_scheme'
  | 'account_type'
  | 'acl'
  | 'identity'
  | 'auth_config_id'
  | 'is_service_managed'
  | 'created_at'
> & { for_sessions: boolean }

/**
 * Lists the user's PRIVATE accounts of these toolkits (default: all), and the accounts in `ids`, which can be
 * SHARED or belong to another user; the most recently connected first.
 */
export const listSessionAccounts = (
  db: Db,
  projectId: string,
  userId: string,
  { toolkits, ids }: { toolkits?: readonly string[] | undefined; ids: readonly string[] },
): Promise<SessionAccount[]> =>
  db.rows(sql`
    select c.id, c.word_id, c.alias, c.user_id, ${STATUS} as status, c.status_reason, c.toolkit_slug, c.auth_scheme,
      c.account_type, c.acl, c.identity, a.id as auth_config_id, a.is_service_managed, c.created_at,
      a.status = 'ENABLED' and a.deleted_at is null and a.is_enabled_for_tool_router as for_sessions
    from ${FROM}
    where c.project_id = ${projectId} and c.deleted_at is null
      and ${toolkits ? sql`c.toolkit_slug = any(${toolkits as string[]})` : sql`true`}
      and (c.user_id = ${userId} and c.account_type = 'PRIVATE' or c.id = any(${ids as string[]}))
    order by c.connected_at desc nulls last, c.created_at desc, c.id limit 1000`)

/** Lists at most `limit` ids of the accounts of a project. */
export const listProjectAccountIds = async (db: Db, projectId: string, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`
      select id from connected_accounts where project_id = ${projectId} and deleted_at is null limit ${limit}`)
  ).map(({ id }) => id)

/** Lists ids of the user's accounts, of any type and status. */
export const listUserAccountIds = async (
  db: Db,
  projectId: string,
  userId: string,
  limit: number,
): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`
      select id from connected_accounts
      where project_id = ${projectId} and user_id = ${userId} and deleted_at is null limit ${limit}`)
  ).map(({ id }) => id)

/** Lists the toolkits of the user's accounts. */
export const listUserToolkits = async (db: Db, projectId: string, userId: string): Promise<string[]> =>
  (
    await db.rows<{ toolkit_slug: string }>(sql`
      select distinct toolkit_slug from connected_accounts
      where project_id = ${projectId} and user_id = ${userId} and deleted_at is null order by 1 limit 1000`)
  ).map(({ toolkit_slug: slug }) => slug)

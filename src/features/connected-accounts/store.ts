import type { AccountStatus } from '../../contract/schemes.ts'
import type { SharedAccess } from '../../engine/index.ts'
import { all, assignments, type Db, sql, values } from '../../platform/db/sql.ts'
import {
  cutPage,
  isAfter,
  orderOf,
  type PageWindow,
  type Position,
  positionOf,
  type SortKey,
  windowOf,
} from '../../platform/list-page.ts'
import { AUTH_CONFIG_STATUS } from './account-fields.ts'
import { NEW_CREDENTIALS_COLUMNS, SETUP_EXPIRES_AT, STATUS_REASONS } from './state-machine.ts'

export interface AccountRow {
  id: string
  uuid: string
  word_id: string
  alias: string | null
  user_id: string
  toolkit_slug: string
  auth_scheme: string
  status: AccountStatus
  status_reason: string | null
  /** When the account became EXPIRED; null in other statuses. */
  expired_at: Date | null
  credentials: Buffer
  identity: Buffer | null
  credentials_version: number
  token_expires_at: Date | null
  auth_failures: number
  requested_scopes: string[]
  requested_user_scopes: string[]
  callback_url: string | null
  account_type: 'PRIVATE' | 'SHARED'
  acl: SharedAccess | null
  created_at: Date
  updated_at: Date
  auth_config_id: string
  auth_config_uuid: string
  auth_config_status: 'ENABLED' | 'DISABLED'
  auth_config_credentials: Buffer | null
  is_service_managed: boolean
  shared_credentials: Buffer | null
  proxy_config: Buffer | null
  tools_available_for_execution: string[]
}

/** An account whose time to connect has ended is EXPIRED from then on, also before the schedule writes it. */
export const STATUS = sql`case when c.status in ('INITIALIZING', 'INITIATED') and c.setup_expires_at < now()
  then 'EXPIRED' else c.status end`
/** Changes of the status are stored for a year. */
const EXPIRED_AT = sql`case when ${STATUS} = 'EXPIRED' then case when c.status <> 'EXPIRED' then c.setup_expires_at
  else coalesce((
    select max(h.at) from account_status_changes h
    where h.project_id = c.project_id and h.connected_account_id = c.id and h.to_status = 'EXPIRED'), c.updated_at)
  end end`
export const COLUMNS = sql`
  c.id, c.uuid, c.word_id, c.alias, c.user_id, c.toolkit_slug, c.auth_scheme, ${STATUS} as status,
  case when ${STATUS} <> c.status then ${STATUS_REASONS.setupTimeout} else c.status_reason end as status_reason,
  ${EXPIRED_AT} as expired_at, c.credentials, c.identity, c.credentials_version, c.token_expires_at,
  c.auth_failures, c.requested_scopes,
  c.requested_user_scopes, c.callback_url, c.account_type, c.acl, c.created_at, c.updated_at,
  a.id as auth_config_id, a.uuid as auth_config_uuid,
  ${AUTH_CONFIG_STATUS} as auth_config_status,
  a.credentials as auth_config_credentials, a.is_service_managed, a.shared_credentials, a.proxy_config,
  a.tools_available_for_execution`
export const FROM = sql`connected_accounts c join auth_configs a on a.id = c.auth_config_id`

export interface AccountFilter {
  toolkits?: readonly string[] | undefined
  statuses?: readonly string[] | undefined
  users?: readonly string[] | undefined
  authConfigs?: readonly string[] | undefined
  ids?: readonly string[] | undefined
  type: 'PRIVATE' | 'SHARED' | 'ALL'
  orderBy: 'created_at' | 'updated_at'
  ascending: boolean
}
const ORDER_COLUMNS = { created_at: sql`c.created_at`, updated_at: sql`c.updated_at` } as const

export async function listAccounts(db: Db, projectId: string, filter: AccountFilter, page: PageWindow) {
  const oneOf = (list: readonly string[] | undefined) => (list?.length ? (list as string[]) : undefined)
  const { toolkits, statuses, users, authConfigs, ids } = filter
  const conditions = all(
    sql`c.project_id = ${projectId}`,
    sql`c.deleted_at is null`,
    oneOf(toolkits) && sql`c.toolkit_slug = any(${oneOf(toolkits)})`,
    oneOf(statuses) && sql`${STATUS} = any(${oneOf(statuses)})`,
    oneOf(users) && sql`c.user_id = any(${oneOf(users)})`,
    oneOf(authConfigs) && sql`c.auth_config_id = any(${oneOf(authConfigs)})`,
    oneOf(ids) && sql`c.id = any(${oneOf(ids)})`,
    filter.type !== 'ALL' && sql`c.account_type = ${filter.type}`,
  )
  const descending = !filter.ascending
  const order: SortKey[] = [
    { column: ORDER_COLUMNS[filter.orderBy], type: 'time', descending },
    { column: sql`c.id`, type: 'text', descending },
  ]
  // The page is found by an index alone: rows of earlier pages are not read.
  const rows = await db.rows<AccountRow & { page_position: Position }>(
    sql`select ${COLUMNS}, ${positionOf(order)} as page_position from ${FROM} where c.id in (
        select c.id from connected_accounts c where ${conditions} and ${isAfter(order, page.after)}
        order by ${orderOf(order)} ${windowOf(page)})
      order by ${orderOf(order)}`,
  )
  const total = await db.one<{ count: number }>(
    sql`select count(*)::int as count from connected_accounts c where ${conditions}`,
  )
  return { ...cutPage(rows, page.limit), total: total?.count ?? 0 }
}

export const findAccount = (db: Db, projectId: string, id: string): Promise<AccountRow | undefined> =>
  db.one(sql`
    select ${COLUMNS} from ${FROM} where c.project_id = ${projectId} and c.id = ${id} and c.deleted_at is null`)

/** Finds the account and locks its row until the transaction ends. */
export const findAccountForUpdate = (
  db: Db,
  projectId: string,
  id: string,
): Promise<AccountRow | undefined> =>
  db.one(sql`
    select ${COLUMNS} from ${FROM}
    where c.project_id = ${projectId} and c.id = ${id} and c.deleted_at is null for update of c`)

/** Finds the account even if it is deleted: a revocation can follow the deletion. */
export const findAccountOrDeleted = (
  db: Db,
  projectId: string,
  id: string,
): Promise<AccountRow | undefined> =>
  db.one(sql`select ${COLUMNS} from ${FROM} where c.project_id = ${projectId} and c.id = ${id}`)

export interface NewAccountRow {
  id: string
  word_id: string
  alias: string | null
  user_id: string
  toolkit_slug: string
  auth_config_id: string
  auth_scheme: string
  status: AccountStatus
  credentials: Buffer
  token_expires_at: Date | null
  requested_scopes: string[]
  requested_user_scopes: string[]
  callback_url: string | null
  account_type: 'PRIVATE' | 'SHARED'
  acl: SharedAccess | null
}

export async function insertAccount(
  db: Db,
  projectId: string,
  row: NewAccountRow,
): Promise<{ uuid: string }> {
  const isActive = row.status === 'ACTIVE'
  const inserted = await db.one<{ uuid: string }>(sql`
    insert into connected_accounts ${values({
      ...row,
      acl: row.acl && JSON.stringify(row.acl),
      project_id: projectId,
      connected_at: isActive ? sql`now()` : null,
      setup_expires_at: isActive ? null : SETUP_EXPIRES_AT,
    })} returning uuid`)
  return inserted as { uuid: string }
}

export interface AccountUpdate {
  alias?: string | null
  acl?: SharedAccess | null
  account_type?: 'PRIVATE' | 'SHARED'
  credentials?: Buffer
  token_expires_at?: Date | null
  callback_url?: string
}

/**
 * Updates columns other than the status. New credentials also reset the end of the token and the failures.
 */
export async function updateAccount(
  db: Db,
  projectId: string,
  id: string,
  change: AccountUpdate,
): Promise<void> {
  const { acl, ...columns } = change
  await db.run(sql`
    update connected_accounts set ${assignments({
      ...columns,
      acl: acl && JSON.stringify(acl),
      updated_at: sql`now()`,
      ...(change.credentials
        ? { ...NEW_CREDENTIALS_COLUMNS, token_expires_at: change.token_expires_at ?? null, auth_failures: 0 }
        : {}),
    })}
    where project_id = ${projectId} and id = ${id} and deleted_at is null`)
}

/**
 * Stores the identity at the provider, and the credentials that were fetched to request it. Returns false if
 * the account has other credentials by now.
 */
export const writeIdentity = async (
  db: Db,
  projectId: string,
  id: string,
  version: number,
  change: {
    identity: Buffer
    status_reason?: string
    credentials?: Buffer
    token_expires_at?: Date | null
  },
): Promise<boolean> =>
  (await db.run(sql`
    update connected_accounts set ${assignments({
      ...change,
      updated_at: sql`now()`,
      ...(change.credentials ? NEW_CREDENTIALS_COLUMNS : {}),
    })}
    where project_id = ${projectId} and id = ${id} and deleted_at is null and credentials_version = ${version}`)) >
  0

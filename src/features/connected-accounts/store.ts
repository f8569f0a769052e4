import type { AccountStatus } from '../../contract/schemes.ts'
import type { Acl } from '../../engine/index.ts'
import { all, assignments, type Db, type Sql, sql, values } from '../../platform/db/sql.ts'
import { CONNECTING, MOVES, type Move, REASONS, SETUP_MINUTES } from './lifecycle.ts'

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
  val: Buffer
  identity: Buffer | null
  val_version: number
  token_expires_at: Date | null
  auth_failures: number
  requested_scopes: string[]
  requested_user_scopes: string[]
  callback_url: string | null
  account_type: 'PRIVATE' | 'SHARED'
  acl: Acl | null
  created_at: Date
  updated_at: Date
  auth_config_id: string
  auth_config_uuid: string
  auth_config_status: 'ENABLED' | 'DISABLED'
  is_service_managed: boolean
  credentials: Buffer | null
  shared_credentials: Buffer | null
  proxy_config: Buffer | null
  tools_available_for_execution: string[]
}

// A set-up that ran out of time is EXPIRED from that moment on, whenever the sweep gets to writing it down.
const STATUS = sql`case when c.status in ('INITIALIZING', 'INITIATED') and c.setup_expires_at < now() then 'EXPIRED' else c.status end`
const COLUMNS = sql`
  c.id, c.uuid, c.word_id, c.alias, c.user_id, c.toolkit_slug, c.auth_scheme, ${STATUS} as status,
  case when ${STATUS} <> c.status then ${REASONS.setupTimeout} else c.status_reason end as status_reason,
  c.val, c.identity, c.val_version, c.token_expires_at, c.auth_failures, c.requested_scopes, c.requested_user_scopes, c.callback_url, c.account_type, c.acl, c.created_at, c.updated_at,
  a.id as auth_config_id, a.uuid as auth_config_uuid, case when a.deleted_at is null then a.status else 'DISABLED' end as auth_config_status, a.is_service_managed, a.credentials, a.shared_credentials, a.proxy_config, a.tools_available_for_execution`
const FROM = sql`connected_accounts c join auth_configs a on a.id = c.auth_config_id`

/** By the clock of the database, which also judges it. */
export const SETUP_END = sql`now() + make_interval(mins => ${SETUP_MINUTES})`

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
const ORDERS = {
  created_at: [sql`c.created_at desc, c.id desc`, sql`c.created_at, c.id`],
  updated_at: [sql`c.updated_at desc, c.id desc`, sql`c.updated_at, c.id`],
} as const

export async function list(
  db: Db,
  projectId: string,
  filter: AccountFilter,
  page: { limit: number; offset: number },
) {
  const among = (list: readonly string[] | undefined) => (list?.length ? (list as string[]) : undefined)
  const { toolkits, statuses, users, authConfigs, ids } = filter
  const chosen = all(
    sql`c.project_id = ${projectId}`,
    sql`c.deleted_at is null`,
    among(toolkits) && sql`c.toolkit_slug = any(${among(toolkits)})`,
    among(statuses) && sql`${STATUS} = any(${among(statuses)})`,
    among(users) && sql`c.user_id = any(${among(users)})`,
    among(authConfigs) && sql`c.auth_config_id = any(${among(authConfigs)})`,
    among(ids) && sql`c.id = any(${among(ids)})`,
    filter.type !== 'ALL' && sql`c.account_type = ${filter.type}`,
  )
  const rows = await db.rows<AccountRow>(
    sql`select ${COLUMNS} from ${FROM} where ${chosen} order by ${ORDERS[filter.orderBy][filter.ascending ? 1 : 0]} limit ${page.limit} offset ${page.offset}`,
  )
  const total = await db.one<{ count: number }>(
    sql`select count(*)::int as count from connected_accounts c where ${chosen}`,
  )
  return { rows, total: total?.count ?? 0 }
}

export const find = (db: Db, projectId: string, id: string): Promise<AccountRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from ${FROM} where c.project_id = ${projectId} and c.id = ${id} and c.deleted_at is null`)

/** As `find`, and nobody else changes the row before the transaction ends. */
export const findForUpdate = (db: Db, projectId: string, id: string): Promise<AccountRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from ${FROM} where c.project_id = ${projectId} and c.id = ${id} and c.deleted_at is null for update of c`)

/** Deleted or not: what has to be done for an account after its end. */
export const findEvenDeleted = (db: Db, projectId: string, id: string): Promise<AccountRow | undefined> =>
  db.one(sql`select ${COLUMNS} from ${FROM} where c.project_id = ${projectId} and c.id = ${id}`)

/** Many accounts by id in one statement; answers in the order of the keys. */
export async function findMany(db: Db, keys: readonly AccountKey[]): Promise<(AccountRow | undefined)[]> {
  const rows = await db.rows<AccountRow & { n: number }>(sql`
    select k.n::int, ${COLUMNS} from ${idKeys(keys)}
    join connected_accounts c on c.project_id = k.project_id and c.id = k.id and c.deleted_at is null join auth_configs a on a.id = c.auth_config_id`)
  return inOrder(keys, rows)
}

export interface AccountKey {
  projectId: string
  id: string
}
/** Which account, and a stamp that changes with every write to its row or that of its auth config. */
export interface Stamped {
  id: string
  stamp: string
}

// A row version is named by the transaction that wrote it: an equal stamp means that not a byte has changed.
const STAMP = sql`c.xmin::text || '.' || a.xmin::text as stamp`

/** As `findMany`, but only what tells whether a row that is known is still as it was. */
export async function stampsOf(db: Db, keys: readonly AccountKey[]): Promise<(Stamped | undefined)[]> {
  const rows = await db.rows<Stamped & { n: number }>(sql`
    select k.n::int, c.id, ${STAMP} from ${idKeys(keys)}
    join connected_accounts c on c.project_id = k.project_id and c.id = k.id and c.deleted_at is null join auth_configs a on a.id = c.auth_config_id`)
  return inOrder(keys, rows)
}

/** The account each user's tools of a toolkit run with: most recently connected, ACTIVE, its auth config enabled; ties by id. */
export async function pickMany(
  db: Db,
  keys: readonly { projectId: string; userId: string; toolkit: string }[],
): Promise<(Stamped | undefined)[]> {
  const rows = await db.rows<Stamped & { n: number }>(sql`
    select k.n::int, p.id, p.stamp from unnest(${keys.map(({ projectId }) => projectId)}::text[], ${keys.map(({ userId }) => userId)}::text[], ${keys.map(({ toolkit }) => toolkit)}::text[]) with ordinality k (project_id, user_id, toolkit, n)
    cross join lateral (
      select c.id, ${STAMP} from ${FROM}
      where c.project_id = k.project_id and c.user_id = k.user_id and c.toolkit_slug = k.toolkit and c.deleted_at is null and c.status = 'ACTIVE' and a.status = 'ENABLED' and a.deleted_at is null
      order by c.connected_at desc, c.id limit 1) p`)
  return inOrder(keys, rows)
}

/** Auth configs among `configIds` under which the user has an account that works. */
export const connectedUnder = async (
  db: Db,
  projectId: string,
  userId: string,
  configIds: readonly string[],
): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`
  select distinct a.id from ${FROM} where c.project_id = ${projectId} and c.user_id = ${userId} and a.id = any(${configIds as string[]}) and c.deleted_at is null and c.status = 'ACTIVE' and a.status = 'ENABLED' and a.deleted_at is null`)
  ).map(({ id }) => id)

/** Of an account, what choosing among several needs. */
export type UserAccount = Pick<
  AccountRow,
  'id' | 'user_id' | 'status' | 'toolkit_slug' | 'auth_config_id' | 'created_at'
> & { auth_config_enabled: boolean }

const CHOICE = sql`c.id, c.user_id, ${STATUS} as status, c.toolkit_slug, a.id as auth_config_id, a.status = 'ENABLED' and a.deleted_at is null as auth_config_enabled, c.created_at`

/** The user's accounts under these auth configs, most recently connected first. */
export const ofUser = (
  db: Db,
  projectId: string,
  userId: string,
  configIds: readonly string[],
): Promise<UserAccount[]> =>
  db.rows(sql`
  select ${CHOICE} from ${FROM} where c.project_id = ${projectId} and c.user_id = ${userId} and a.id = any(${configIds as string[]}) and c.deleted_at is null
  order by c.connected_at desc nulls last, c.created_at desc, c.id limit 1000`)

/** An account among which a session chooses. `for_sessions`: its auth config is there for them. */
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

/** The user's own accounts of these toolkits (default: of all), and those named, whose-ever they are; most recently connected first. SHARED ones are there only when they are named. */
export const forSession = (
  db: Db,
  projectId: string,
  userId: string,
  { toolkits, named }: { toolkits?: readonly string[] | undefined; named: readonly string[] },
): Promise<SessionAccount[]> =>
  db.rows(sql`
  select c.id, c.word_id, c.alias, c.user_id, ${STATUS} as status, c.status_reason, c.toolkit_slug, c.auth_scheme, c.account_type, c.acl, c.identity, a.id as auth_config_id, a.is_service_managed, c.created_at,
    a.status = 'ENABLED' and a.deleted_at is null and a.is_enabled_for_tool_router as for_sessions
  from ${FROM} where c.project_id = ${projectId} and c.deleted_at is null and ${toolkits ? sql`c.toolkit_slug = any(${toolkits as string[]})` : sql`true`}
    and (c.user_id = ${userId} and c.account_type = 'PRIVATE' or c.id = any(${named as string[]}))
  order by c.connected_at desc nulls last, c.created_at desc, c.id limit 1000`)

/** Accounts by id, in any order. */
export const namedAccounts = (db: Db, projectId: string, ids: readonly string[]): Promise<UserAccount[]> =>
  db.rows(sql`
  select ${CHOICE} from ${FROM} where c.project_id = ${projectId} and c.id = any(${ids as string[]}) and c.deleted_at is null`)

const idKeys = (keys: readonly AccountKey[]) =>
  sql`unnest(${keys.map(({ projectId }) => projectId)}::text[], ${keys.map(({ id }) => id)}::text[]) with ordinality k (project_id, id, n)`

function inOrder<R extends { n: number }>(keys: readonly unknown[], rows: readonly R[]): (R | undefined)[] {
  const found: (R | undefined)[] = new Array(keys.length).fill(undefined)
  for (const row of rows) found[row.n - 1] = row
  return found
}

export async function insert(
  db: Db,
  projectId: string,
  row: {
    id: string
    word_id: string
    alias: string | null
    user_id: string
    toolkit_slug: string
    auth_config_id: string
    auth_scheme: string
    status: AccountStatus
    val: Buffer
    token_expires_at: Date | null
    requested_scopes: string[]
    requested_user_scopes: string[]
    callback_url: string | null
    account_type: 'PRIVATE' | 'SHARED'
    acl: Acl | null
  },
): Promise<{ uuid: string }> {
  const active = row.status === 'ACTIVE'
  const inserted = await db.one<{ uuid: string }>(sql`
    insert into connected_accounts ${values({
      ...row,
      acl: row.acl && JSON.stringify(row.acl),
      project_id: projectId,
      connected_at: active ? sql`now()` : null,
      setup_expires_at: active ? null : SETUP_END,
    })} returning uuid`)
  return inserted as { uuid: string }
}

interface Change {
  status_reason?: string | null
  val?: Buffer
  token_expires_at?: Date | null
  setup_expires_at?: Sql
  requested_scopes?: string[]
  requested_user_scopes?: string[]
}

/** Makes a move of the life cycle; answers false when the account is not where the move begins. */
export async function move(
  db: Db,
  projectId: string,
  id: string,
  name: Move,
  change: Change = {},
): Promise<boolean> {
  const { from, to } = MOVES[name]
  const connects = CONNECTING.includes(name)
  const touched = await db.run(sql`
    update connected_accounts set ${assignments({
      status_reason: null,
      ...change,
      status: to,
      updated_at: sql`now()`,
      ...(change.val ? NEW_VAL : {}),
      ...(connects
        ? { connected_at: sql`now()`, renewed_at: sql`now()`, setup_expires_at: null, auth_failures: 0 }
        : {}),
    })}
    where project_id = ${projectId} and id = ${id} and deleted_at is null and status = any(${[...from] as string[]})`)
  return touched > 0
}

/** Whoever renews the older credentials at the moment must neither overwrite these nor keep others waiting. */
const NEW_VAL = { val_version: sql`val_version + 1`, refresh_lease: null, refresh_lease_until: null }

/** A written `val` begins anew: the end of an older token and its refusals say nothing about it. */
export async function update(
  db: Db,
  projectId: string,
  id: string,
  change: {
    alias?: string | null
    acl?: Acl | null
    account_type?: 'PRIVATE' | 'SHARED'
    val?: Buffer
    token_expires_at?: Date | null
    callback_url?: string
  },
): Promise<void> {
  const { acl, ...rest } = change
  await db.run(sql`
    update connected_accounts set ${assignments({
      ...rest,
      ...(acl === undefined ? {} : { acl: acl && JSON.stringify(acl) }),
      updated_at: sql`now()`,
      ...(change.val
        ? { ...NEW_VAL, token_expires_at: change.token_expires_at ?? null, auth_failures: 0 }
        : {}),
    })}
    where project_id = ${projectId} and id = ${id} and deleted_at is null`)
}

/** Writes down whose account it is, and what had to be got to ask, beside the credentials that were asked about; false when these are no longer there. */
export const writeIdentity = async (
  db: Db,
  projectId: string,
  id: string,
  version: number,
  change: {
    identity: Buffer
    status_reason?: string
    val?: Buffer
    token_expires_at?: Date | null
  },
): Promise<boolean> =>
  (await db.run(sql`
  update connected_accounts set ${assignments({ ...change, updated_at: sql`now()`, ...(change.val ? NEW_VAL : {}) })}
  where project_id = ${projectId} and id = ${id} and deleted_at is null and val_version = ${version}`)) > 0

/** The record stays for audit, its credentials do not: `emptyVal` takes their place. */
export const remove = (db: Db, projectId: string, id: string, emptyVal: Buffer): Promise<number> =>
  db.run(sql`
  update connected_accounts set ${assignments({ deleted_at: sql`now()`, updated_at: sql`now()`, val: emptyVal, identity: null, ...NEW_VAL, token_expires_at: null })}
  where project_id = ${projectId} and id = ${id} and deleted_at is null`)

/** Writes down that the set-up of this account ran out of time, if it did and nobody has yet. */
export const writeTimeout = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
  update connected_accounts set status = ${MOVES.timeout.to}, status_reason = ${REASONS.setupTimeout}, updated_at = now()
  where project_id = ${projectId} and id = ${id} and deleted_at is null and setup_expires_at < now() and status = any(${[...MOVES.timeout.from] as string[]})`)

/** Writes down set-ups that ran out of time, in portions. Answers how many. */
export const expireSetups = (db: Db, most: number): Promise<number> =>
  db.run(sql`
  update connected_accounts set status = ${MOVES.timeout.to}, status_reason = ${REASONS.setupTimeout}, updated_at = now()
  where id in (select id from connected_accounts where setup_expires_at < now() and status = any(${[...MOVES.timeout.from] as string[]}) and deleted_at is null limit ${most} for update skip locked)`)

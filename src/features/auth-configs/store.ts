import { all, assignments, type Db, escapeLike, sql, values } from '../../platform/db/sql.ts'
import { newestFirst, type PageWindow, readListPage } from '../../platform/list-page.ts'

export interface AuthConfigRow {
  id: string
  uuid: string
  toolkit_slug: string
  type: 'default' | 'custom'
  name: string
  auth_scheme: string
  is_service_managed: boolean
  credentials: Buffer | null
  shared_credentials: Buffer | null
  proxy_config: Buffer | null
  status: 'ENABLED' | 'DISABLED'
  created_by: string
  tools_for_connected_account_creation: string[]
  tools_available_for_execution: string[]
  is_enabled_for_tool_router: boolean
  created_at: Date
  updated_at: Date
  no_of_connections: number
  /** Legacy UUID of the newest enabled auth config of the toolkit. */
  default_uuid: string | null
}

export interface AuthConfigFilter {
  managed?: boolean | undefined
  toolkits?: readonly string[] | undefined
  search?: string | undefined
  /** Also searches IDs. */
  searchIds?: boolean
  includeDisabled: boolean
  status?: 'ENABLED' | 'DISABLED' | undefined
}

// Connections are counted in the same statement, so a page costs one round trip.
const COLUMNS = sql`
  a.id, a.uuid, a.toolkit_slug, a.type, a.name, a.auth_scheme, a.is_service_managed, a.credentials,
    a.shared_credentials, a.proxy_config, a.status, a.created_by,
  a.tools_for_connected_account_creation, a.tools_available_for_execution, a.is_enabled_for_tool_router,
    a.created_at, a.updated_at,
  (select count(*)::int from connected_accounts c where c.auth_config_id = a.id and c.deleted_at is null
    and c.status = 'ACTIVE') as no_of_connections,
  (select d.uuid from auth_configs d where d.project_id = a.project_id and d.toolkit_slug = a.toolkit_slug
    and d.status = 'ENABLED' and d.deleted_at is null order by d.created_at desc, d.id limit 1) as default_uuid`

export async function listAuthConfigs(db: Db, projectId: string, filter: AuthConfigFilter, page: PageWindow) {
  const like = filter.search && `%${escapeLike(filter.search)}%`
  const chosen = all(
    sql`a.project_id = ${projectId}`,
    sql`a.deleted_at is null`,
    filter.status ? sql`a.status = ${filter.status}` : !filter.includeDisabled && sql`a.status = 'ENABLED'`,
    filter.managed !== undefined && sql`a.is_service_managed = ${filter.managed}`,
    filter.toolkits && sql`a.toolkit_slug = any(${filter.toolkits as string[]})`,
    like &&
      (filter.searchIds ? sql`(a.name ilike ${like} or a.id ilike ${like})` : sql`a.name ilike ${like}`),
  )
  const order = newestFirst(sql`a.created_at`, sql`a.id`)
  const query = { columns: COLUMNS, from: sql`auth_configs a`, where: chosen, order }
  return readListPage<AuthConfigRow>(db, query, page)
}

export const findAuthConfig = (db: Db, projectId: string, id: string): Promise<AuthConfigRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from auth_configs a where a.project_id = ${projectId} and a.id = ${id} and a.deleted_at is null`)

/** Reads an auth config and locks its row until the transaction ends. */
export const lockAuthConfig = (db: Db, projectId: string, id: string): Promise<AuthConfigRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from auth_configs a where a.project_id = ${projectId} and a.id = ${id}
    and a.deleted_at is null for update of a`)

export async function insertAuthConfig(
  db: Db,
  projectId: string,
  row: Omit<
    AuthConfigRow,
    'uuid' | 'status' | 'created_at' | 'updated_at' | 'no_of_connections' | 'default_uuid'
  >,
): Promise<void> {
  await db.run(sql`insert into auth_configs ${values({ ...row, project_id: projectId })}`)
}

export type AuthConfigChange = Partial<
  Pick<
    AuthConfigRow,
    | 'name'
    | 'credentials'
    | 'shared_credentials'
    | 'proxy_config'
    | 'status'
    | 'tools_for_connected_account_creation'
    | 'tools_available_for_execution'
    | 'is_enabled_for_tool_router'
  >
>

export async function updateAuthConfig(
  db: Db,
  projectId: string,
  id: string,
  change: AuthConfigChange,
): Promise<number> {
  return db.run(
    sql`update auth_configs set ${assignments({ ...change, updated_at: new Date() })}
        where project_id = ${projectId} and id = ${id} and deleted_at is null`,
  )
}

/** Whether the auth config has a connected account, in any status. */
export const hasAccounts = async (db: Db, projectId: string, id: string): Promise<boolean> =>
  (await db.one(sql`
    select 1 from connected_accounts c
    where c.project_id = ${projectId} and c.auth_config_id = ${id} and c.deleted_at is null limit 1`)) !==
  undefined

/** Marks an auth config as deleted. The caller disables its connected accounts in the same transaction. */
export const deleteAuthConfig = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
    update auth_configs set deleted_at = now(), updated_at = now()
    where project_id = ${projectId} and id = ${id} and deleted_at is null`)

export const listToolAccess = (
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<{ id: string; toolkit_slug: string; tools_available_for_execution: string[] }[]> =>
  db.rows(sql`
  select id, toolkit_slug, tools_available_for_execution from auth_configs where project_id = ${projectId}
    and id = any(${ids as string[]}) and deleted_at is null`)

/** Enabled auth configs of a toolkit with their schemes, newest first. */
export const enabledAuthConfigs = (
  db: Db,
  projectId: string,
  toolkit: string,
): Promise<{ id: string; auth_scheme: string }[]> =>
  db.rows(sql`
    select id, auth_scheme from auth_configs where project_id = ${projectId} and toolkit_slug = ${toolkit}
      and status = 'ENABLED' and deleted_at is null order by created_at desc, id limit 100`)

export const enabledAuthConfigIds = async (db: Db, projectId: string, toolkit: string): Promise<string[]> =>
  (await enabledAuthConfigs(db, projectId, toolkit)).map(({ id }) => id)

/** Enabled auth configs of a toolkit that sessions may use, newest first, with their schemes. */
export const authConfigsForSessions = (
  db: Db,
  projectId: string,
  toolkit: string,
): Promise<{ id: string; auth_scheme: string }[]> =>
  db.rows(sql`
    select id, auth_scheme from auth_configs where project_id = ${projectId} and toolkit_slug = ${toolkit}
      and status = 'ENABLED' and is_enabled_for_tool_router and deleted_at is null
    order by created_at desc, id limit 100`)

import { all, assignments, type Db, escapeLike, type Sql, sql, values } from '../../platform/db/sql.ts'

export interface ServerRow {
  id: string
  project_id: string
  name: string
  auth_config_ids: string[]
  /** The toolkits in the request. */
  toolkits: string[]
  allowed_tools: string[]
  managed_auth: boolean
  created_at: Date
  updated_at: Date
  /** The toolkits in the request and those of the auth configs. */
  all_toolkits: string[]
  /** The auth configs that still exist. */
  configs: { id: string; toolkit: string; auth_scheme: string; tools: string[]; enabled: boolean }[]
  instances: number
}
export type ServerDraft = Pick<
  ServerRow,
  'name' | 'auth_config_ids' | 'toolkits' | 'allowed_tools' | 'managed_auth'
>
export interface InstanceRow {
  id: string
  server_id: string
  user_id: string
  created_at: Date
  updated_at: Date
}

export interface ServerOrder {
  by: 'created_at' | 'updated_at'
  ascending: boolean
}
export interface ServerFilter {
  name?: string | undefined
  /** A toolkit that the server offers, in addition to one of `toolkits`. */
  offered?: string | undefined
  toolkits?: readonly string[] | undefined
  authConfigs?: readonly string[] | undefined
  order: ServerOrder
}
interface PageWindow {
  limit: number
  offset: number
}

/** An id with another form does not exist; PostgreSQL would reject it with an error. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const COLUMNS = sql`
  s.id, s.project_id, s.name, s.auth_config_ids, s.toolkits, s.allowed_tools, s.managed_auth, s.created_at,
  s.updated_at, k.all_toolkits, k.configs`
const COLUMNS_WITH_COUNT = sql`${COLUMNS},
  (select count(*)::int from mcp_server_instances i where i.server_id = s.id) as instances`
const FROM = sql`
  mcp_servers s cross join lateral (
    select
      coalesce(
        jsonb_agg(
          jsonb_build_object('id', a.id, 'toolkit', a.toolkit_slug, 'auth_scheme', a.auth_scheme,
            'tools', a.tools_available_for_execution, 'enabled', a.status = 'ENABLED')
          order by a.created_at desc, a.id) filter (where a.id is not null), '[]') as configs,
      array(
        select distinct slug from unnest(s.toolkits || array_remove(array_agg(a.toolkit_slug), null)) slug
        order by slug) as all_toolkits
    from (select 1) one
    left join auth_configs a
      on a.project_id = s.project_id and a.id = any(s.auth_config_ids) and a.deleted_at is null
  ) k`

const ORDERS: Readonly<Record<ServerOrder['by'], readonly [descending: Sql, ascending: Sql]>> = {
  created_at: [sql`created_at desc, id`, sql`created_at, id`],
  updated_at: [sql`updated_at desc, id`, sql`updated_at, id`],
}
const orderBy = ({ by, ascending }: ServerOrder): Sql => ORDERS[by][ascending ? 1 : 0]

export async function list(
  db: Db,
  projectId: string,
  { name, offered, toolkits, authConfigs, order }: ServerFilter,
  { limit, offset }: PageWindow,
) {
  const pattern = name && `%${escapeLike(name)}%`
  const condition = all(
    sql`s.project_id = ${projectId}`,
    sql`s.deleted_at is null`,
    pattern && sql`s.name ilike ${pattern}`,
    offered !== undefined && sql`${offered} = any(k.all_toolkits)`,
    toolkits && sql`k.all_toolkits && ${toolkits as string[]}::text[]`,
    authConfigs && sql`s.auth_config_ids && ${authConfigs as string[]}::text[]`,
  )
  const rows = await db.rows<ServerRow>(sql`
    select ${COLUMNS_WITH_COUNT} from ${FROM} where ${condition}
    order by ${orderBy(order)} limit ${limit} offset ${offset}`)
  const total = await db.one<{ count: number }>(
    sql`select count(*)::int as count from ${FROM} where ${condition}`,
  )
  return { rows, total: total?.count ?? 0 }
}

export const find = async (db: Db, projectId: string, id: string): Promise<ServerRow | undefined> =>
  UUID.test(id)
    ? db.one(sql`
  select ${COLUMNS_WITH_COUNT} from ${FROM}
  where s.project_id = ${projectId} and s.id = ${id} and s.deleted_at is null`)
    : undefined

/** A server as the MCP endpoint reads it. */
export type CallableServer = Omit<ServerRow, 'instances'>

/** Finds many servers in one statement, in the order of the keys, so that concurrent requests share it. */
export async function findMany(
  db: Db,
  keys: readonly { projectId: string; id: string }[],
): Promise<(CallableServer | undefined)[]> {
  const [projects, ids] = [
    keys.map(({ projectId }) => projectId),
    keys.map(({ id }) => (UUID.test(id) ? id : null)),
  ]
  const rows = await db.rows<CallableServer & { n: number }>(sql`
    select w.n::int, ${COLUMNS}
    from unnest(${projects}::text[], ${ids}::uuid[]) with ordinality w (project_id, id, n)
    join lateral (
      select ${COLUMNS} from ${FROM}
      where s.project_id = w.project_id and s.id = w.id and s.deleted_at is null) s on true
    cross join lateral (select s.all_toolkits, s.configs) k`)
  const found: (CallableServer | undefined)[] = keys.map(() => undefined)
  for (const row of rows) found[row.n - 1] = row
  return found
}

/** Finds a server by id alone, for users who sign in with nothing but its URL. */
export async function findMcpServer(db: Db, id: string): Promise<ServerRow | undefined> {
  const projectId = await findProjectId(db, id)
  return projectId === undefined ? undefined : find(db, projectId, id)
}

/** Finds the project of a server, for callers without an API key. */
export const findProjectId = async (db: Db, id: string): Promise<string | undefined> =>
  UUID.test(id)
    ? (
        await db.one<{ project_id: string }>(sql`
  select project_id from mcp_servers where id = ${id} and deleted_at is null`)
      )?.project_id
    : undefined

export const insert = async (db: Db, projectId: string, draft: ServerDraft): Promise<string> =>
  (await db.one<{ id: string }>(
    sql`insert into mcp_servers ${values({ ...draft, project_id: projectId })} returning id`,
  ))!.id

/** Returns the number of updated servers. */
export const update = (
  db: Db,
  projectId: string,
  id: string,
  change: { [K in keyof ServerDraft]?: ServerDraft[K] | undefined } & { deleted_at?: Date },
): Promise<number> =>
  db.run(sql`
  update mcp_servers set ${assignments({ ...change, updated_at: new Date() })}
  where project_id = ${projectId} and id = ${id} and deleted_at is null`)

export async function listInstances(
  db: Db,
  projectId: string,
  serverId: string,
  { search, order }: { search?: string | undefined; order: ServerOrder },
  { limit, offset }: PageWindow,
) {
  const pattern = search && `%${escapeLike(search)}%`
  const condition = all(
    sql`project_id = ${projectId}`,
    sql`server_id = ${serverId}`,
    pattern && sql`user_id ilike ${pattern}`,
  )
  const rows = await db.rows<InstanceRow>(sql`
    select id, server_id, user_id, created_at, updated_at from mcp_server_instances where ${condition}
    order by ${orderBy(order)} limit ${limit} offset ${offset}`)
  const total = await db.one<{ count: number }>(
    sql`select count(*)::int as count from mcp_server_instances where ${condition}`,
  )
  return { rows, total: total?.count ?? 0 }
}

/** Returns undefined if the user already has an instance. */
export const insertInstance = (
  db: Db,
  projectId: string,
  serverId: string,
  userId: string,
): Promise<InstanceRow | undefined> =>
  db.one(sql`
  insert into mcp_server_instances ${values({ project_id: projectId, server_id: serverId, user_id: userId })}
  on conflict do nothing returning id, server_id, user_id, created_at, updated_at`)

export const removeInstance = (
  db: Db,
  projectId: string,
  serverId: string,
  userId: string,
): Promise<number> =>
  db.run(sql`
  delete from mcp_server_instances
  where project_id = ${projectId} and server_id = ${serverId} and user_id = ${userId}`)

/** Deletes the user's instances of all servers. Returns their number. */
export const removeUserInstances = (db: Db, projectId: string, userId: string): Promise<number> =>
  db.run(sql`delete from mcp_server_instances where project_id = ${projectId} and user_id = ${userId}`)

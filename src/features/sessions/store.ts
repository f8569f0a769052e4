import { batchCalls } from '../../platform/db/batch.ts'
import { all, type Db, sql, values } from '../../platform/db/sql.ts'
import type { SessionConfig } from './config/session-config.ts'

export interface SessionRow {
  id: string
  project_id: string
  user_id: string
  config: SessionConfig
  config_version: number
  created_at: Date
  configured_at: Date
  last_used_at: Date
  /** The auth configs that the configuration names, and those of the accounts that it names, if they still exist. */
  configs: SessionAuthConfig[]
}
/** `tools`: the allowed tools; empty allows all. `pinned`: it belongs to an account that the session names. */
export interface SessionAuthConfig {
  id: string
  toolkit: string
  tools: string[]
  pinned: boolean
}

const COLUMNS = sql`
  s.id, s.project_id, s.user_id, s.config, s.config_version, s.created_at, s.configured_at, s.last_used_at`
/** Every join is on the project of the session, so that a session never reads another project. */
const CONFIGS = sql`(
  select coalesce(
    jsonb_agg(
      jsonb_build_object('id', a.id, 'toolkit', a.toolkit_slug, 'tools', a.tools_available_for_execution,
        'pinned', named.pinned)), '[]')
  from (
    select value as id, false as pinned from jsonb_each_text(s.config -> 'auth_configs')
    union
    select c.auth_config_id, true from jsonb_each(s.config -> 'connected_accounts') p
      cross join lateral jsonb_array_elements_text(p.value) account_id
      join connected_accounts c on c.project_id = s.project_id and c.id = account_id and c.deleted_at is null
  ) named
  join auth_configs a on a.project_id = s.project_id and a.id = named.id and a.deleted_at is null) as configs`

export interface SessionKey {
  projectId: string
  id: string
}

const keyTable = (keys: readonly SessionKey[]) => {
  const projectIds = keys.map(({ projectId }) => projectId)
  const ids = keys.map(({ id }) => id)
  return sql`unnest(${projectIds}::text[], ${ids}::text[]) with ordinality k (project_id, id, n)`
}

/** Finds many sessions in one statement, in the order of the keys, so that concurrent requests share it. */
export async function findMany(db: Db, keys: readonly SessionKey[]): Promise<(SessionRow | undefined)[]> {
  const rows = await db.rows<SessionRow & { n: number }>(sql`
    select k.n::int, ${COLUMNS}, ${CONFIGS} from ${keyTable(keys)}
    join sessions s on s.project_id = k.project_id and s.id = k.id and s.deleted_at is null`)
  const found: (SessionRow | undefined)[] = keys.map(() => undefined)
  for (const row of rows) found[row.n - 1] = row
  return found
}

/** The rules of a session that apply to calls before they are sent. */
export type SessionRules = Pick<SessionConfig, 'hooks'> & {
  permissions: NonNullable<SessionConfig['experimental']>['permissions'] | null
  /** Tags of tools whose calls need an approval: for all toolkits, and by toolkit. */
  approvalTags: { all: string[] | null; toolkits: Record<string, string[]> | null }
}

/**
 * Creates a reader of session rules. It reads them once per call, which the `call` object identifies, and concurrent
 * calls share a statement.
 */
export function createSessionRulesReader(
  db: Db,
): (key: SessionKey, call: object) => Promise<SessionRules | undefined> {
  const load = batchCalls((keys: readonly SessionKey[]) => findManyRules(db, keys))
  const known = new WeakMap<object, Promise<SessionRules | undefined>>()
  return (key, call) => {
    let rules = known.get(call)
    if (!rules) known.set(call, (rules = load(key)))
    return rules
  }
}

/** Finds the rules of many sessions in one statement, in the order of the keys; undefined for a missing session. */
async function findManyRules(db: Db, keys: readonly SessionKey[]): Promise<(SessionRules | undefined)[]> {
  const rows = await db.rows<SessionRules & { n: number }>(sql`
    select k.n::int, coalesce(s.config -> 'hooks', '[]') as hooks,
      s.config -> 'experimental' -> 'permissions' as permissions,
      jsonb_build_object(
        'all', s.config -> 'tags' -> 'require_approval',
        'toolkits', (
          select jsonb_object_agg(key, value -> 'tags' -> 'require_approval') from jsonb_each(s.config -> 'tools')
          where value -> 'tags' ? 'require_approval')) as "approvalTags"
    from ${keyTable(keys)}
    join sessions s on s.project_id = k.project_id and s.id = k.id and s.deleted_at is null`)
  const found: (SessionRules | undefined)[] = keys.map(() => undefined)
  for (const row of rows) found[row.n - 1] = row
  return found
}

export const find = async (db: Db, projectId: string, id: string): Promise<SessionRow | undefined> =>
  (await findMany(db, [{ projectId, id }]))[0]

export type SessionSummaryRow = Omit<SessionRow, 'config' | 'configs' | 'project_id'>
/** Lists the sessions of a project, newest first. @param userId restricts the list to one user */
export async function list(
  db: Db,
  projectId: string,
  userId: string | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: SessionSummaryRow[]; total: number }> {
  const condition = all(
    sql`project_id = ${projectId}`,
    sql`deleted_at is null`,
    userId !== undefined && sql`user_id = ${userId}`,
  )
  const rows = await db.rows<SessionSummaryRow>(sql`
    select id, user_id, config_version, created_at, configured_at, last_used_at
    from sessions where ${condition} order by created_at desc, id limit ${limit} offset ${offset}`)
  const total = await db.one<{ count: number }>(
    sql`select count(*)::int as count from sessions where ${condition}`,
  )
  return { rows, total: total?.count ?? 0 }
}

/** Finds a session by id alone, for users who sign in with nothing but its URL. */
export async function findSession(db: Db, id: string): Promise<SessionRow | undefined> {
  const projectId = await findProjectId(db, id)
  return projectId === undefined ? undefined : find(db, projectId, id)
}

/** Finds the configuration and locks the session until the transaction ends. */
export const findForUpdate = (
  tx: Db,
  projectId: string,
  id: string,
): Promise<Pick<SessionRow, 'user_id' | 'config' | 'config_version'> | undefined> =>
  tx.one(sql`
  select user_id, config, config_version from sessions
  where project_id = ${projectId} and id = ${id} and deleted_at is null for update`)

export const sessionExists = async (db: Db, projectId: string, id: string): Promise<boolean> =>
  (await db.one(
    sql`select 1 from sessions where project_id = ${projectId} and id = ${id} and deleted_at is null`,
  )) !== undefined

/** Finds the project of a session, for callers without an API key. */
export const findProjectId = async (db: Db, id: string): Promise<string | undefined> =>
  (
    await db.one<{ project_id: string }>(
      sql`select project_id from sessions where id = ${id} and deleted_at is null`,
    )
  )?.project_id

export const insert = (
  db: Db,
  projectId: string,
  row: { id: string; user_id: string; config: SessionConfig; labs_key?: Buffer },
): Promise<number> =>
  db.run(sql`
  insert into sessions ${values({ ...row, config: JSON.stringify(row.config), project_id: projectId })}
  on conflict do nothing`)

/** Stores a new configuration and moves the former one to the history. */
export async function updateConfig(
  tx: Db,
  projectId: string,
  id: string,
  config: SessionConfig,
): Promise<void> {
  await tx.run(sql`
    insert into session_configs (session_id, version, config)
    select id, config_version, config from sessions where project_id = ${projectId} and id = ${id}`)
  await tx.run(sql`
    update sessions
    set config = ${JSON.stringify(config)}, config_version = config_version + 1, configured_at = now()
    where project_id = ${projectId} and id = ${id}`)
}

export const remove = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
    update sessions set deleted_at = now()
    where project_id = ${projectId} and id = ${id} and deleted_at is null`)

/** Deletes the sessions of projects after an incident, or of one user in them. Returns their ids. */
export const removeOfProjects = async (
  tx: Db,
  projectIds: readonly string[],
  userId: string | undefined,
): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`
      update sessions set deleted_at = now() where ${all(
        sql`project_id = any(${projectIds as string[]}::text[]) and deleted_at is null`,
        userId !== undefined && sql`user_id = ${userId}`,
      )} returning id`)
  ).map(({ id }) => id)

/** Updates the time of the last use, at most once an hour. It shows which sessions are no longer in use. */
export const markUsed = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
  update sessions set last_used_at = now()
  where project_id = ${projectId} and id = ${id} and last_used_at < now() - interval '1 hour'`)

export interface ConfigVersionRow {
  version: number
  config: SessionConfig
  superseded_at: Date
}

/** Lists former configurations, newest first. */
export const listConfigHistory = (
  db: Db,
  projectId: string,
  id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ConfigVersionRow[]> =>
  db.rows(sql`
  select h.version, h.config, h.superseded_at
  from session_configs h join sessions s on s.id = h.session_id
  where s.project_id = ${projectId} and s.id = ${id} order by h.version desc limit ${limit} offset ${offset}`)

/** Counts what agents stored about a user. */
export const countUserNotes = async (
  db: Db,
  projectId: string,
  userId: string,
): Promise<{ memories: number; recipes: number }> =>
  (await db.one<{ memories: number; recipes: number }>(sql`
    select
      (select count(*)::int from user_memories m where project_id = ${projectId} and user_id = ${userId}) as memories,
      (select count(*)::int from recipes r where project_id = ${projectId} and user_id = ${userId}) as recipes`)) as {
    memories: number
    recipes: number
  }

/** Deletes the memories of a user. Returns their number. */
export const removeUserMemories = (db: Db, projectId: string, userId: string): Promise<number> =>
  db.run(sql`delete from user_memories where project_id = ${projectId} and user_id = ${userId}`)

/** Deletes the recipes of a user with all versions. Returns their number. */
export const removeUserRecipes = (db: Db, projectId: string, userId: string): Promise<number> =>
  db.run(sql`delete from recipes where project_id = ${projectId} and user_id = ${userId}`)

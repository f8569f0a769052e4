import { all, assignments, type Db, sql, values } from '../../platform/db/sql.ts'
import {
  isAfter,
  type ListPage,
  newestFirst,
  orderOf,
  type PageWindow,
  readListPage,
  type SortKey,
  windowOf,
} from '../../platform/list-page.ts'
import type { SessionConfig } from './config/session-config.ts'
import {
  configColumns,
  formerConfigRow,
  type StoredConfig,
  withConfig,
  withFormerConfig,
} from './config/stored-config.ts'

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
  s.id, s.project_id, s.user_id, s.config, s.encrypted_config, s.config_version, s.created_at, s.configured_at,
  s.last_used_at`
/** Every join is on the project of the session, so that a session never reads another project. */
const CONFIGS = sql`(
  select coalesce(
    jsonb_agg(
      jsonb_build_object('id', a.id, 'toolkit', a.toolkit_slug, 'tools', a.tools_available_for_execution,
        'pinned', named.pinned)), '[]')
  from (
    select unnest(s.auth_config_ids) as id, false as pinned
    union
    select c.auth_config_id, true from connected_accounts c
      where c.project_id = s.project_id and c.id = any(s.account_ids) and c.deleted_at is null
  ) named
  join auth_configs a on a.project_id = s.project_id and a.id = named.id and a.deleted_at is null) as configs`

export interface SessionKey {
  projectId: string
  id: string
}

/** The keys as a table `k`, whose column `n` is the position, from 1. */
export const keyTable = (keys: readonly SessionKey[]) => {
  const projectIds = keys.map(({ projectId }) => projectId)
  const ids = keys.map(({ id }) => id)
  return sql`unnest(${projectIds}::text[], ${ids}::text[]) with ordinality k (project_id, id, n)`
}

/** Finds many sessions in one statement, in the order of the keys, so that concurrent requests share it. */
export async function findMany(db: Db, keys: readonly SessionKey[]): Promise<(SessionRow | undefined)[]> {
  const rows = await db.rows<Omit<SessionRow, 'config'> & StoredConfig & { n: number }>(sql`
    select k.n::int, ${COLUMNS}, ${CONFIGS} from ${keyTable(keys)}
    join sessions s on s.project_id = k.project_id and s.id = k.id and s.deleted_at is null`)
  const found: (SessionRow | undefined)[] = keys.map(() => undefined)
  for (const { n, ...row } of rows) found[n - 1] = withConfig(db, row)
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
  page: PageWindow,
): Promise<ListPage<SessionSummaryRow>> {
  const condition = all(
    sql`project_id = ${projectId}`,
    sql`deleted_at is null`,
    userId !== undefined && sql`user_id = ${userId}`,
  )
  const columns = sql`id, user_id, config_version, created_at, configured_at, last_used_at`
  return readListPage(db, { columns, from: sql`sessions`, where: condition, order: newestFirst() }, page)
}

/** Finds a session by id alone, for users who sign in with nothing but its URL. */
export async function findSession(db: Db, id: string): Promise<SessionRow | undefined> {
  const projectId = await findProjectId(db, id)
  return projectId === undefined ? undefined : find(db, projectId, id)
}

/** Finds the configuration and locks the session until the transaction ends. */
export async function findForUpdate(
  tx: Db,
  projectId: string,
  id: string,
): Promise<Pick<SessionRow, 'id' | 'user_id' | 'config' | 'config_version'> | undefined> {
  const row = await tx.one<Pick<SessionRow, 'id' | 'user_id' | 'config_version'> & StoredConfig>(sql`
  select id, user_id, config, encrypted_config, config_version from sessions
  where project_id = ${projectId} and id = ${id} and deleted_at is null for update`)
  return row && withConfig(tx, row)
}

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
  { config, ...row }: { id: string; user_id: string; config: SessionConfig; labs_key?: Buffer },
): Promise<number> =>
  db.run(sql`
  insert into sessions ${values({ ...row, ...configColumns(projectId, row.id, config), project_id: projectId })}
  on conflict do nothing`)

/** Stores a new configuration and moves the former one to the history. */
export async function updateConfig(
  tx: Db,
  projectId: string,
  former: Pick<SessionRow, 'id' | 'config' | 'config_version'>,
  config: SessionConfig,
): Promise<void> {
  const { id } = former
  await tx.run(sql`insert into session_configs ${values(formerConfigRow(projectId, id, former))}`)
  await tx.run(sql`
    update sessions
    set ${assignments(configColumns(projectId, id, config))}, config_version = config_version + 1, configured_at = now()
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

const HISTORY_ORDER: readonly SortKey[] = [{ column: sql`h.version`, type: 'integer', descending: true }]

/** Lists former configurations, newest first, and one more than fits on the page if there is a next page. */
export async function listConfigHistory(
  db: Db,
  projectId: string,
  id: string,
  page: PageWindow,
): Promise<ConfigVersionRow[]> {
  const rows = await db.rows<Omit<ConfigVersionRow, 'config'> & StoredConfig & { id: string }>(sql`
  select h.id, h.version, h.config, h.encrypted_config, h.superseded_at
  from session_configs h join sessions s on s.id = h.session_id
  where s.project_id = ${projectId} and s.id = ${id} and ${isAfter(HISTORY_ORDER, page.after)}
  order by ${orderOf(HISTORY_ORDER)} ${windowOf(page)}`)
  return rows.map((row) => withFormerConfig(db, row))
}

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

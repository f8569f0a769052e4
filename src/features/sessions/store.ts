import { coalesce } from '../../platform/db/coalesce.ts'
import { type Db, sql, values } from '../../platform/db/sql.ts'
import type { SessionConfig } from './config.ts'

export interface SessionRow {
  id: string
  project_id: string
  user_id: string
  config: SessionConfig
  config_version: number
  created_at: Date
  configured_at: Date
  last_used_at: Date
  /** Auth configs that the configuration names, and those of the accounts it names, as far as they are there. */
  configs: SessionAuthConfig[]
}
/** `tools`: those it allows; empty: all. `pinned`: it is the one of an account that the session names. */
export interface SessionAuthConfig {
  id: string
  toolkit: string
  tools: string[]
  pinned: boolean
}

const COLUMNS = sql`s.id, s.project_id, s.user_id, s.config, s.config_version, s.created_at, s.configured_at, s.last_used_at`
/** Sessions of different projects never meet: everything is looked for in the project of the session. */
const CONFIGS = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'toolkit', a.toolkit_slug, 'tools', a.tools_available_for_execution, 'pinned', n.pinned)), '[]') from (
    select value as id, false as pinned from jsonb_each_text(s.config -> 'auth_configs')
    union select c.auth_config_id, true from jsonb_each(s.config -> 'connected_accounts') p cross join lateral jsonb_array_elements_text(p.value) named
      join connected_accounts c on c.project_id = s.project_id and c.id = named and c.deleted_at is null
  ) n join auth_configs a on a.project_id = s.project_id and a.id = n.id and a.deleted_at is null) as configs`

export interface SessionKey {
  projectId: string
  id: string
}

/** Many sessions in one statement, in the order of the keys: callers that arrive together share it. */
export async function findMany(db: Db, keys: readonly SessionKey[]): Promise<(SessionRow | undefined)[]> {
  const rows = await db.rows<SessionRow & { n: number }>(sql`
    select k.n::int, ${COLUMNS}, ${CONFIGS} from unnest(${keys.map(({ projectId }) => projectId)}::text[], ${keys.map(({ id }) => id)}::text[]) with ordinality k (project_id, id, n)
    join sessions s on s.project_id = k.project_id and s.id = k.id and s.deleted_at is null`)
  const found: (SessionRow | undefined)[] = keys.map(() => undefined)
  for (const row of rows) found[row.n - 1] = row
  return found
}

/** What of a session is about calls before they are made. */
export type SessionRules = Pick<SessionConfig, 'hooks'> & {
  permissions: NonNullable<SessionConfig['experimental']>['permissions'] | null
  /** Tags of tools whose calls wait for a person: of every toolkit, and by toolkit. */
  asks: { all: string[] | null; toolkits: Record<string, string[]> | null }
}

/** Reads them once for each call, which is named by an object of its own; calls that arrive together share a statement. */
export function sessionRules(db: Db): (key: SessionKey, call: object) => Promise<SessionRules | undefined> {
  const load = coalesce((keys: readonly SessionKey[]) => rulesOfMany(db, keys))
  const known = new WeakMap<object, Promise<SessionRules | undefined>>()
  return (key, call) => {
    let rules = known.get(call)
    if (!rules) known.set(call, (rules = load(key)))
    return rules
  }
}

/** Those of many sessions in one statement, in the order of the keys; undefined for one that is not there. */
async function rulesOfMany(db: Db, keys: readonly SessionKey[]): Promise<(SessionRules | undefined)[]> {
  const rows = await db.rows<SessionRules & { n: number }>(sql`
    select k.n::int, coalesce(s.config -> 'hooks', '[]') as hooks, s.config -> 'experimental' -> 'permissions' as permissions, jsonb_build_object('all', s.config -> 'tags' -> 'require_approval', 'toolkits',
      (select jsonb_object_agg(key, value -> 'tags' -> 'require_approval') from jsonb_each(s.config -> 'tools') where value -> 'tags' ? 'require_approval')) as asks
    from unnest(${keys.map(({ projectId }) => projectId)}::text[], ${keys.map(({ id }) => id)}::text[]) with ordinality k (project_id, id, n)
    join sessions s on s.project_id = k.project_id and s.id = k.id and s.deleted_at is null`)
  const found: (SessionRules | undefined)[] = keys.map(() => undefined)
  for (const row of rows) found[row.n - 1] = row
  return found
}

export const find = async (db: Db, projectId: string, id: string): Promise<SessionRow | undefined> =>
  (await findMany(db, [{ projectId, id }]))[0]

/** As `find`, for people who sign in for a session whose address is all that they have. */
export async function findAnywhere(db: Db, id: string): Promise<SessionRow | undefined> {
  const projectId = await projectOf(db, id)
  return projectId === undefined ? undefined : find(db, projectId, id)
}

/** As it is configured, and nobody else changes it before the transaction ends. */
export const findForUpdate = (
  tx: Db,
  projectId: string,
  id: string,
): Promise<Pick<SessionRow, 'user_id' | 'config' | 'config_version'> | undefined> =>
  tx.one(sql`
  select user_id, config, config_version from sessions where project_id = ${projectId} and id = ${id} and deleted_at is null for update`)

/** The project of a session: for callers that bring no key, whose address is all there is. */
export const projectOf = async (db: Db, id: string): Promise<string | undefined> =>
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
  insert into sessions ${values({ ...row, config: JSON.stringify(row.config), project_id: projectId })} on conflict do nothing`)

/** The former configuration goes to the history. */
export async function configure(tx: Db, projectId: string, id: string, config: SessionConfig): Promise<void> {
  await tx.run(
    sql`insert into session_configs (session_id, version, config) select id, config_version, config from sessions where project_id = ${projectId} and id = ${id}`,
  )
  await tx.run(
    sql`update sessions set config = ${JSON.stringify(config)}, config_version = config_version + 1, configured_at = now() where project_id = ${projectId} and id = ${id}`,
  )
}

export const remove = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(
    sql`update sessions set deleted_at = now() where project_id = ${projectId} and id = ${id} and deleted_at is null`,
  )

/** Written at most once an hour: it tells which sessions nobody uses any more. */
export const touch = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
  update sessions set last_used_at = now() where project_id = ${projectId} and id = ${id} and last_used_at < now() - interval '1 hour'`)

export interface FormerConfig {
  version: number
  config: SessionConfig
  superseded_at: Date
}

/** Newest first. */
export const history = (
  db: Db,
  projectId: string,
  id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<FormerConfig[]> =>
  db.rows(sql`
  select h.version, h.config, h.superseded_at from session_configs h join sessions s on s.id = h.session_id where s.project_id = ${projectId} and s.id = ${id} order by h.version desc limit ${limit} offset ${offset}`)

import { all, type Db, sql, values } from '../../../platform/db/sql.ts'
import type { Resource } from '../resources.ts'
import { hashOf, newSecret } from '../secrets.ts'

export interface GrantRow {
  id: string
  project_id: string
  resource_kind: Resource['kind']
  resource_id: string
  user_id: string
  client_id: string
  client_name: string | null
  created_at: Date
  used_at: Date
}
export interface Tokens {
  access: string
  refresh: string
}
export type RefreshRow = GrantRow & {
  token_hash: Buffer
  late: boolean
  /** Was used, and not a moment ago. */ spent: boolean
}

export const ACCESS_SECONDS = 3_600
const REFRESH_TIME = sql`interval '90 days'`
/** Who lost the answer asks again within this time; whoever comes later with a used token is a thief, or was robbed. */
const GRACE = sql`interval '60 seconds'`
const GRACE_USES = 10
const COLUMNS = sql`g.id, g.project_id, g.resource_kind, g.resource_id, g.user_id, g.client_id, g.client_name, g.created_at, g.used_at`

export const insertGrant = (db: Db, grant: Omit<GrantRow, 'created_at' | 'used_at'>): Promise<number> =>
  db.run(sql`insert into mcp_grants ${values(grant)}`)

/** A pair of tokens, of which only hashes are kept. */
export async function newTokens(
  db: Db,
  { id, project_id: projectId }: Pick<GrantRow, 'id' | 'project_id'>,
): Promise<Tokens> {
  const tokens = { access: newSecret('access'), refresh: newSecret('refresh') }
  await db.run(sql`update mcp_grants set used_at = now() where project_id = ${projectId} and id = ${id}`)
  await db.run(sql`insert into mcp_tokens (token_hash, grant_id, kind, expires_at) values
    (${hashOf(tokens.access)}, ${id}, 'access', now() + make_interval(secs => ${ACCESS_SECONDS})), (${hashOf(tokens.refresh)}, ${id}, 'refresh', now() + ${REFRESH_TIME})`)
  return tokens
}

/** The grant behind an access token that is still good. */
export const byAccess = (db: Db, token: string): Promise<GrantRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from mcp_tokens t join mcp_grants g on g.id = t.grant_id where t.token_hash = ${hashOf(token)} and t.kind = 'access' and t.expires_at > now()`)

/** The grant behind a refresh token, locked until the transaction ends. */
export const byRefresh = (db: Db, token: string): Promise<RefreshRow | undefined> =>
  db.one(sql`
  select ${COLUMNS}, t.token_hash, t.expires_at < now() as late, coalesce(t.used_at < now() - ${GRACE} or t.uses >= ${GRACE_USES}, false) as spent
  from mcp_tokens t join mcp_grants g on g.id = t.grant_id where t.token_hash = ${hashOf(token)} and t.kind = 'refresh' for update of t, g`)
export const refreshUsed = (db: Db, { token_hash: hash, id }: RefreshRow): Promise<number> =>
  db.run(sql`
  update mcp_tokens set used_at = coalesce(used_at, now()), uses = uses + 1 where token_hash = ${hash} and grant_id = ${id}`)

/** The grant of a token of either kind. */
export const byToken = (
  db: Db,
  token: string,
): Promise<(GrantRow & { kind: 'access' | 'refresh' }) | undefined> =>
  db.one(sql`
  select ${COLUMNS}, t.kind from mcp_tokens t join mcp_grants g on g.id = t.grant_id where t.token_hash = ${hashOf(token)}`)
export const removeToken = (db: Db, token: string): Promise<number> =>
  db.run(sql`delete from mcp_tokens where token_hash = ${hashOf(token)}`)

/** Ends a grant with all its tokens. */
export const removeGrant = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`delete from mcp_grants where project_id = ${projectId} and id = ${id}`)

/** Ends what a user, or everybody, signed in to of one server or session. */
export const removeGrantsOf = (
  db: Db,
  projectId: string,
  { kind, id }: Resource,
  userId: string,
): Promise<number> =>
  db.run(sql`
  delete from mcp_grants where project_id = ${projectId} and resource_kind = ${kind} and resource_id = ${id} and user_id = ${userId}`)

export async function listGrants(
  db: Db,
  projectId: string,
  { userId, resources }: { userId: string | undefined; resources: readonly Resource[] },
  { limit, offset }: { limit: number; offset: number },
) {
  const chosen = all(
    sql`g.project_id = ${projectId}`,
    userId !== undefined && sql`g.user_id = ${userId}`,
    ...resources.map(({ kind, id }) => sql`g.resource_kind = ${kind} and g.resource_id = ${id}`),
  )
  const rows = await db.rows<GrantRow>(
    sql`select ${COLUMNS} from mcp_grants g where ${chosen} order by g.created_at desc, g.id limit ${limit} offset ${offset}`,
  )
  const total = await db.one<{ count: number }>(
    sql`select count(*)::int as count from mcp_grants g where ${chosen}`,
  )
  return { rows, total: total?.count ?? 0 }
}

/** Tokens that are over, and grants without any. */
export async function removeOldTokens(db: Db): Promise<void> {
  await db.run(sql`delete from mcp_tokens where expires_at < now()`)
  await db.run(
    sql`delete from mcp_grants g where g.created_at < now() - interval '1 hour' and not exists (select 1 from mcp_tokens t where t.grant_id = g.id)`,
  )
}

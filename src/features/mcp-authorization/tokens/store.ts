import { all, type Db, sql, values } from '../../../platform/db/sql.ts'
import type { ProtectedResource } from '../resources.ts'
import { hashSecret, newSecret } from '../secrets.ts'

export interface McpGrantRow {
  id: string
  project_id: string
  resource_kind: ProtectedResource['kind']
  resource_id: string
  user_id: string
  client_id: string
  client_name: string | null
  created_at: Date
  used_at: Date
}
export interface TokenPair {
  access: string
  refresh: string
}
export type RefreshTokenRow = McpGrantRow & {
  token_hash: Buffer
  is_expired: boolean
  /** The token was used before, longer ago than the grace period, or more often than it allows. */
  is_reused: boolean
}

export const ACCESS_SECONDS = 3_600
const REFRESH_LIFETIME = sql`interval '90 days'`
/** A client that lost the response repeats the request within this time. A later reuse means that the token leaked. */
const REUSE_GRACE = sql`interval '60 seconds'`
const REUSE_GRACE_USES = 10
const COLUMNS = sql`
  g.id, g.project_id, g.resource_kind, g.resource_id, g.user_id, g.client_id, g.client_name, g.created_at, g.used_at`

export const insertGrant = (db: Db, grant: Omit<McpGrantRow, 'created_at' | 'used_at'>): Promise<number> =>
  db.run(sql`insert into mcp_grants ${values(grant)}`)

/** Issues an access token and a refresh token. Only their hashes are stored. */
export async function issueTokens(
  db: Db,
  { id, project_id: projectId }: Pick<McpGrantRow, 'id' | 'project_id'>,
): Promise<TokenPair> {
  const tokens = { access: newSecret('access'), refresh: newSecret('refresh') }
  await db.run(sql`update mcp_grants set used_at = now() where project_id = ${projectId} and id = ${id}`)
  await db.run(sql`insert into mcp_tokens (token_hash, grant_id, kind, expires_at) values
    (${hashSecret(tokens.access)}, ${id}, 'access', now() + make_interval(secs => ${ACCESS_SECONDS})),
    (${hashSecret(tokens.refresh)}, ${id}, 'refresh', now() + ${REFRESH_LIFETIME})`)
  return tokens
}

/** Finds the grant of an access token that has not expired. */
export const findGrantByAccessToken = (db: Db, token: string): Promise<McpGrantRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from mcp_tokens t join mcp_grants g on g.id = t.grant_id
  where t.token_hash = ${hashSecret(token)} and t.kind = 'access' and t.expires_at > now()`)

/** Finds the grant of a refresh token and locks both until the transaction ends. */
export const findGrantByRefreshToken = (db: Db, token: string): Promise<RefreshTokenRow | undefined> =>
  db.one(sql`
  select ${COLUMNS}, t.token_hash, t.expires_at < now() as is_expired,
    coalesce(t.used_at < now() - ${REUSE_GRACE} or t.uses >= ${REUSE_GRACE_USES}, false) as is_reused
  from mcp_tokens t join mcp_grants g on g.id = t.grant_id
  where t.token_hash = ${hashSecret(token)} and t.kind = 'refresh' for update of t, g`)
export const markRefreshTokenUsed = (db: Db, { token_hash: hash, id }: RefreshTokenRow): Promise<number> =>
  db.run(sql`
  update mcp_tokens set used_at = coalesce(used_at, now()), uses = uses + 1
  where token_hash = ${hash} and grant_id = ${id}`)

/** Finds the grant of an access token or a refresh token. */
export const findGrantByToken = (
  db: Db,
  token: string,
): Promise<(McpGrantRow & { kind: 'access' | 'refresh' }) | undefined> =>
  db.one(sql`
  select ${COLUMNS}, t.kind from mcp_tokens t join mcp_grants g on g.id = t.grant_id
  where t.token_hash = ${hashSecret(token)}`)
export const removeToken = (db: Db, token: string): Promise<number> =>
  db.run(sql`delete from mcp_tokens where token_hash = ${hashSecret(token)}`)

/** Deletes a grant with all its tokens. */
export const removeGrant = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`delete from mcp_grants where project_id = ${projectId} and id = ${id}`)

/** Deletes the grants of a user for one MCP server or session. */
export const removeUserGrants = (
  db: Db,
  projectId: string,
  { kind, id }: ProtectedResource,
  userId: string,
): Promise<number> =>
  db.run(sql`
  delete from mcp_grants
  where project_id = ${projectId} and resource_kind = ${kind} and resource_id = ${id} and user_id = ${userId}`)

export async function listGrants(
  db: Db,
  projectId: string,
  { userId, resources }: { userId: string | undefined; resources: readonly ProtectedResource[] },
  { limit, offset }: { limit: number; offset: number },
) {
  const condition = all(
    sql`g.project_id = ${projectId}`,
    userId !== undefined && sql`g.user_id = ${userId}`,
    ...resources.map(({ kind, id }) => sql`g.resource_kind = ${kind} and g.resource_id = ${id}`),
  )
  const rows = await db.rows<McpGrantRow>(sql`
    select ${COLUMNS} from mcp_grants g where ${condition}
    order by g.created_at desc, g.id limit ${limit} offset ${offset}`)
  const total = await db.one<{ count: number }>(
    sql`select count(*)::int as count from mcp_grants g where ${condition}`,
  )
  return { rows, total: total?.count ?? 0 }
}

/** Deletes expired tokens, and grants without tokens. */
export async function removeOldTokens(db: Db): Promise<void> {
  await db.run(sql`delete from mcp_tokens where expires_at < now()`)
  await db.run(sql`
    delete from mcp_grants g
    where g.created_at < now() - interval '1 hour'
      and not exists (select 1 from mcp_tokens t where t.grant_id = g.id)`)
}

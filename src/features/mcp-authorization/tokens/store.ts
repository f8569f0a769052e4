import { randomBytes } from 'node:crypto'
import { all, type Db, sql, values } from '../../../platform/db/sql.ts'
import { newestFirst, type PageWindow, readListPage } from '../../../platform/list-page.ts'
import type { AuthMethod } from '../clients/client-metadata.ts'
import type { ProtectedResource } from '../resources.ts'
import { deriveSecret, hashSecret, newSecret } from '../secrets.ts'

export interface McpGrantRow {
  id: string
  project_id: string
  resource_kind: ProtectedResource['kind']
  resource_id: string
  user_id: string
  client_id: string
  client_name: string | null
  /** How the client authenticated; null for grants of an earlier release. */
  client_auth: AuthMethod | null
  created_at: Date
  used_at: Date
  /** When the user has to sign in again in any case. */
  expires_at: Date
}
export interface TokenPair {
  access: string
  refresh: string
  /** Thumbprint of the key that both are bound to; null for bearer tokens. */
  thumbprint: string | null
  /** Seconds for which the access token is still valid. */
  accessSeconds: number
}
export type RefreshTokenRow = McpGrantRow & {
  token_hash: Buffer
  is_expired: boolean
  /** The token was used before, longer ago than the grace period, or more often than it allows. */
  is_reused: boolean
  /** Set if the token was used: with the token, it yields the tokens that were issued then. */
  successor_salt: Buffer | null
  dpop_jkt: string | null
}

const ACCESS_LIFETIME = sql`interval '1 hour'`
/** A client that is not used for this long has to sign its user in again. */
const REFRESH_LIFETIME = sql`interval '90 days'`
/** After this time, the user has to sign in again in any case. */
const GRANT_LIFETIME = sql`interval '180 days'`
/** A client that lost the response repeats the request within this time. A later reuse means that the token leaked. */
const REUSE_GRACE = sql`interval '60 seconds'`
const REUSE_GRACE_USES = 10
const SALT_BYTES = 32
const COLUMNS = sql`
  g.id, g.project_id, g.resource_kind, g.resource_id, g.user_id, g.client_id, g.client_name, g.client_auth,
  g.created_at, g.used_at, g.created_at + ${GRANT_LIFETIME} as expires_at`

export const insertGrant = (
  db: Db,
  grant: Omit<McpGrantRow, 'created_at' | 'used_at' | 'expires_at'>,
): Promise<number> => db.run(sql`insert into mcp_grants ${values(grant)}`)

/** Issues an access token and a refresh token, for a new grant. Only their hashes are stored. */
export const issueTokens = (
  db: Db,
  grant: Pick<McpGrantRow, 'id' | 'project_id'>,
  thumbprint: string | null = null,
): Promise<TokenPair> =>
  insertTokens(db, grant, { access: newSecret('access'), refresh: newSecret('refresh'), thumbprint })

/**
 * Replaces a refresh token by new tokens. A token that was used within the grace period yields the tokens of its
 * first use again. Returns undefined if those have expired, were revoked, or are bound to another key.
 */
export async function replaceRefreshToken(
  db: Db,
  grant: RefreshTokenRow,
  refreshToken: string,
  thumbprint: string | null,
): Promise<TokenPair | undefined> {
  const salt = grant.successor_salt ?? randomBytes(SALT_BYTES)
  await db.run(sql`
    update mcp_tokens set used_at = coalesce(used_at, now()), uses = uses + 1, successor_salt = ${salt}
    where token_hash = ${grant.token_hash} and grant_id = ${grant.id}`)
  const tokens = {
    access: deriveSecret('access', refreshToken, salt),
    refresh: deriveSecret('refresh', refreshToken, salt),
    thumbprint,
  }
  if (!grant.successor_salt) return insertTokens(db, grant, tokens)
  const issued = await db.one<{ seconds: number }>(sql`
    select floor(extract(epoch from expires_at - now()))::int as seconds from mcp_tokens
    where token_hash = ${hashSecret(tokens.access)} and grant_id = ${grant.id} and expires_at > now()
      and dpop_jkt is not distinct from ${thumbprint}`)
  return issued && { ...tokens, accessSeconds: issued.seconds }
}

async function insertTokens(
  db: Db,
  { id, project_id: projectId }: Pick<McpGrantRow, 'id' | 'project_id'>,
  tokens: Omit<TokenPair, 'accessSeconds'>,
): Promise<TokenPair> {
  await db.run(sql`update mcp_grants set used_at = now() where project_id = ${projectId} and id = ${id}`)
  const rows = await db.rows<{ kind: string; seconds: number }>(sql`
    insert into mcp_tokens (token_hash, grant_id, kind, expires_at, dpop_jkt)
    select t.token_hash, g.id, t.kind, least(now() + t.lifetime, g.created_at + ${GRANT_LIFETIME}), ${tokens.thumbprint}
    from mcp_grants g cross join (values
      (${hashSecret(tokens.access)}::bytea, 'access', ${ACCESS_LIFETIME}),
      (${hashSecret(tokens.refresh)}::bytea, 'refresh', ${REFRESH_LIFETIME})) t (token_hash, kind, lifetime)
    where g.project_id = ${projectId} and g.id = ${id}
    returning kind, floor(extract(epoch from expires_at - now()))::int as seconds`)
  return { ...tokens, accessSeconds: rows.find(({ kind }) => kind === 'access')?.seconds ?? 0 }
}

/** Finds the grant of an access token that has not expired, and the key that the token is bound to. */
export const findGrantByAccessToken = (
  db: Db,
  token: string,
): Promise<(McpGrantRow & { dpop_jkt: string | null }) | undefined> =>
  db.one(sql`
  select ${COLUMNS}, t.dpop_jkt from mcp_tokens t join mcp_grants g on g.id = t.grant_id
  where t.token_hash = ${hashSecret(token)} and t.kind = 'access' and t.expires_at > now()`)

/** Finds the grant of a refresh token and locks both until the transaction ends. */
export const findGrantByRefreshToken = (db: Db, token: string): Promise<RefreshTokenRow | undefined> =>
  db.one(sql`
  select ${COLUMNS}, t.token_hash, t.successor_salt, t.dpop_jkt,
    t.expires_at < now() or g.created_at < now() - ${GRANT_LIFETIME} as is_expired,
    coalesce(t.used_at < now() - ${REUSE_GRACE} or t.uses >= ${REUSE_GRACE_USES}, false) as is_reused
  from mcp_tokens t join mcp_grants g on g.id = t.grant_id
  where t.token_hash = ${hashSecret(token)} and t.kind = 'refresh' for update of t, g`)

export type TokenRow = McpGrantRow & {
  kind: 'access' | 'refresh'
  dpop_jkt: string | null
  token_expires_at: Date
  /** Whether the token may be used now: it has not expired, and was not replaced. */
  is_active: boolean
}
/** Finds the grant of an access token or a refresh token. */
export const findGrantByToken = (db: Db, token: string): Promise<TokenRow | undefined> =>
  db.one(sql`
  select ${COLUMNS}, t.kind, t.dpop_jkt, t.expires_at as token_expires_at,
    t.expires_at > now() and g.created_at > now() - ${GRANT_LIFETIME} and t.used_at is null as is_active
  from mcp_tokens t join mcp_grants g on g.id = t.grant_id
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

/**
 * Deletes all grants of a user, and the authorization requests and sign-in links of the user. Returns the number of
 * grants.
 */
export async function removeAllUserGrants(db: Db, projectId: string, userId: string): Promise<number> {
  const ofUser = sql`project_id = ${projectId} and user_id = ${userId}`
  await db.run(sql`delete from mcp_authorizations where ${ofUser}`)
  await db.run(sql`delete from mcp_sign_ins where ${ofUser}`)
  return db.run(sql`delete from mcp_grants where ${ofUser}`)
}

/**
 * Deletes the grants of projects after an incident, or of one user in them, with pending authorization requests and
 * sign-in links. Returns the number of grants.
 */
export async function removeGrantsOfProjects(
  tx: Db,
  projectIds: readonly string[],
  userId: string | undefined,
): Promise<number> {
  const where = all(
    sql`project_id = any(${projectIds as string[]}::text[])`,
    userId !== undefined && sql`user_id = ${userId}`,
  )
  await tx.run(sql`delete from mcp_authorizations where ${where}`)
  await tx.run(sql`delete from mcp_sign_ins where ${where}`)
  return tx.run(sql`delete from mcp_grants where ${where}`)
}

/** Which grants of a project are meant; all conditions must hold. */
export interface GrantFilter {
  userId: string | undefined
  clientId: string | undefined
  resources: readonly ProtectedResource[]
}

const matching = (projectId: string, { userId, clientId, resources }: GrantFilter) =>
  all(
    sql`g.project_id = ${projectId}`,
    userId !== undefined && sql`g.user_id = ${userId}`,
    clientId !== undefined && sql`g.client_id = ${clientId}`,
    ...resources.map(({ kind, id }) => sql`g.resource_kind = ${kind} and g.resource_id = ${id}`),
  )

export async function listGrants(db: Db, projectId: string, filter: GrantFilter, page: PageWindow) {
  const condition = matching(projectId, filter)
  const order = newestFirst(sql`g.created_at`, sql`g.id`)
  const query = { columns: COLUMNS, from: sql`mcp_grants g`, where: condition, order }
  return readListPage<McpGrantRow>(db, query, page)
}

/** Deletes the grants that match, with their tokens. Returns their number. */
export const removeGrants = (db: Db, projectId: string, filter: GrantFilter): Promise<number> =>
  db.run(sql`delete from mcp_grants g where ${matching(projectId, filter)}`)

/** Deletes expired tokens, the salts of tokens that cannot be used again, and grants without tokens. */
export async function removeOldTokens(db: Db): Promise<void> {
  await db.run(sql`delete from mcp_tokens where expires_at < now()`)
  await db.run(sql`
    update mcp_tokens set successor_salt = null
    where successor_salt is not null and used_at < now() - 2 * ${REUSE_GRACE}`)
  await db.run(sql`
    delete from mcp_grants g
    where g.created_at < now() - interval '1 hour'
      and not exists (select 1 from mcp_tokens t where t.grant_id = g.id)`)
}

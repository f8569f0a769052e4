import { type Db, sql, values } from '../../../platform/db/sql.ts'
import { randomText } from '../../../platform/ids.ts'
import type { AuthMethod } from '../clients/client-metadata.ts'
import type { ProtectedResource } from '../resources.ts'
import { hashSecret, newSecret } from '../secrets.ts'
import type { Prompt } from './request-parameters.ts'

export interface AuthorizationRequestRow {
  id: string
  project_id: string
  resource_kind: ProtectedResource['kind']
  resource_id: string
  requested_user_id: string | null
  client_id: string
  client_name: string | null
  redirect_uri: string
  state: string | null
  code_challenge: string
  /** Set if the user has to sign in after the request, although the browser is signed in. */
  prompt: Prompt | null
  /** Thumbprint of the key that must redeem the code. */
  dpop_jkt: string | null
  requires_dpop: boolean
  /** How the client authenticates; null for requests of an earlier release. */
  client_auth: AuthMethod | null
  browser_hash: Buffer
  created_at: Date
}
/**
 * Undecided requests of one network. Visits need no authentication, so a limit for a server or a session would let
 * anyone close it for its users.
 */
const OPEN_REQUESTS_PER_NETWORK_MAX = 50
/** Responses of OpenID providers to one request. */
const PROVIDER_RESPONSES_MAX = 20
const ID_CHARACTERS = 24
const REQUEST_LIFETIME = sql`interval '15 minutes'`
const CODE_LIFETIME = sql`interval '2 minutes'`
const LINK_LIFETIME = sql`interval '10 minutes'`
/** How long a browser stays signed in. */
const SIGN_IN_LIFETIME = sql`interval '1 hour'`
const REQUEST_COLUMNS = sql`
  id, project_id, resource_kind, resource_id, requested_user_id, client_id, client_name, redirect_uri, state,
  code_challenge, prompt, dpop_jkt, requires_dpop, client_auth, browser_hash, created_at`

export const resourceFromRow = ({
  resource_kind: kind,
  resource_id: id,
}: Pick<AuthorizationRequestRow, 'resource_kind' | 'resource_id'>): ProtectedResource => ({ kind, id })

/** Stores a request and returns its id. Returns undefined if its network has too many open requests. */
export async function insertRequest(
  db: Db,
  row: Omit<AuthorizationRequestRow, 'id' | 'created_at'> & { source_hash: Buffer },
): Promise<string | undefined> {
  const id = `mrq_${randomText(ID_CHARACTERS)}`
  const open = await db.one<{ count: number }>(sql`
    select count(*)::int as count from mcp_authorizations
    where source_hash = ${row.source_hash} and decided_at is null and expires_at > now()`)
  if ((open?.count ?? 0) >= OPEN_REQUESTS_PER_NETWORK_MAX) return undefined
  await db.run(
    sql`insert into mcp_authorizations ${values({ ...row, id, expires_at: sql`now() + ${REQUEST_LIFETIME}` })}`,
  )
  return id
}

/** Finds an open request by id alone, because the browser does not send a project. */
export const findRequest = (db: Db, id: string): Promise<AuthorizationRequestRow | undefined> =>
  db.one(sql`
    select ${REQUEST_COLUMNS} from mcp_authorizations
    where id = ${id} and decided_at is null and expires_at > now()`)

/** Counts a response of an OpenID provider to an open request. Returns 0 if it had too many: each one calls the provider. */
export const countProviderResponse = (
  db: Db,
  { project_id: projectId, id }: AuthorizationRequestRow,
): Promise<number> =>
  db.run(sql`
    update mcp_authorizations set provider_responses = provider_responses + 1
    where project_id = ${projectId} and id = ${id} and provider_responses < ${PROVIDER_RESPONSES_MAX}`)

/**
 * Decides a request, once. Returns the authorization code, of which only the hash is stored, or no code if the user
 * denied access. Returns undefined if the request is already decided.
 */
export async function decideRequest(
  db: Db,
  { project_id: projectId, id }: AuthorizationRequestRow,
  userId: string | undefined,
): Promise<{ code: string | undefined } | undefined> {
  const code = userId === undefined ? undefined : newSecret('code')
  const done = await db.run(sql`
    update mcp_authorizations set decided_at = now(), user_id = ${userId ?? null},
      code_hash = ${code === undefined ? null : hashSecret(code)}, code_expires_at = now() + ${CODE_LIFETIME}
    where project_id = ${projectId} and id = ${id} and decided_at is null and expires_at > now()`)
  return done ? { code } : undefined
}

export type AuthorizationCodeRow = AuthorizationRequestRow & {
  user_id: string
  grant_id: string | null
  is_expired: boolean
}
/** Finds the request of an authorization code and locks it until the transaction ends. */
export const findByCode = (db: Db, code: string): Promise<AuthorizationCodeRow | undefined> =>
  db.one(sql`
  select ${REQUEST_COLUMNS}, user_id, grant_id, code_expires_at < now() as is_expired
  from mcp_authorizations where code_hash = ${hashSecret(code)} for update`)
export const setGrant = (
  db: Db,
  { project_id: projectId, id }: AuthorizationRequestRow,
  grantId: string,
): Promise<number> =>
  db.run(sql`
  update mcp_authorizations set grant_id = ${grantId} where project_id = ${projectId} and id = ${id}`)

export interface SignInSubject {
  projectId: string
  resource: ProtectedResource
  userId: string
}
export type SignInLinkRow = {
  token_hash: Buffer
  project_id: string
  resource_kind: ProtectedResource['kind']
  resource_id: string
  user_id: string
  authorization_id: string | null
}

/** Creates a sign-in link and returns its token, of which only the hash is stored. */
export async function insertLink(
  db: Db,
  { projectId, resource, userId }: SignInSubject,
  requestId: string | null,
): Promise<{ token: string; expiresAt: Date }> {
  const token = newSecret('signIn')
  const row = await db.one<{ expires_at: Date }>(
    sql`insert into mcp_sign_ins ${values({
      token_hash: hashSecret(token),
      project_id: projectId,
      resource_kind: resource.kind,
      resource_id: resource.id,
      user_id: userId,
      authorization_id: requestId,
      expires_at: sql`now() + ${LINK_LIFETIME}`,
    })} returning expires_at`,
  )
  return { token, expiresAt: row!.expires_at }
}

/** A sign-in at the OpenID provider of the project. */
export interface ProviderSignIn {
  /** It counts for later requests, but not as the new sign-in that another one demands. */
  requestId: string
  /** The provider: the sign-in ends when the project replaces it. */
  key: string
}

/** Signs a browser in without a link: with a key of the project, or at its OpenID provider. */
export const insertSignIn = (
  db: Db,
  { projectId, resource, userId }: SignInSubject,
  browserHash: Buffer,
  atProvider?: ProviderSignIn,
): Promise<number> =>
  db.run(
    sql`insert into mcp_sign_ins ${values({
      token_hash: hashSecret(newSecret('signIn')),
      project_id: projectId,
      resource_kind: resource.kind,
      resource_id: resource.id,
      user_id: userId,
      browser_hash: browserHash,
      authorization_id: atProvider?.requestId ?? null,
      provider_key: atProvider?.key ?? null,
      used_at: sql`now()`,
      expires_at: sql`now()`,
    })}`,
  )

/** Finds a sign-in link that is neither used nor expired. */
export const findLink = (db: Db, token: string): Promise<SignInLinkRow | undefined> =>
  db.one(sql`
  select token_hash, project_id, resource_kind, resource_id, user_id, authorization_id
  from mcp_sign_ins where token_hash = ${hashSecret(token)} and used_at is null and expires_at > now()`)

/** Uses a sign-in link, once, and signs the browser in as its user. */
export const useLink = (
  db: Db,
  { project_id: projectId, token_hash: hash }: SignInLinkRow,
  browserHash: Buffer,
): Promise<number> =>
  db.run(sql`
  update mcp_sign_ins set used_at = now(), browser_hash = ${browserHash}
  where project_id = ${projectId} and token_hash = ${hash} and used_at is null and expires_at > now()`)

/**
 * Finds the user who is signed in to the resource in a browser: the requested user if possible, else the latest. A
 * request with `prompt` needs a sign-in that is later than the request. It must not be that of another request, for
 * which the OpenID provider did not ask the person again.
 * @param providerKey the present OpenID provider of the project: sign-ins at an earlier one do not count
 */
export const findSignedInUser = (
  db: Db,
  {
    id: requestId,
    project_id: projectId,
    resource_kind: kind,
    resource_id: id,
    requested_user_id: requestedUserId,
    prompt,
    created_at: createdAt,
  }: AuthorizationRequestRow,
  browserHash: Buffer,
  providerKey: string | undefined,
): Promise<{ user_id: string } | undefined> =>
  db.one(sql`
  select user_id from mcp_sign_ins
  where browser_hash = ${browserHash} and used_at > now() - ${SIGN_IN_LIFETIME} and project_id = ${projectId}
    and resource_kind = ${kind} and resource_id = ${id}
    and (provider_key is null or provider_key = ${providerKey ?? null})
    and (${prompt}::text is null
      or used_at > ${createdAt} and (authorization_id is null or authorization_id = ${requestId}))
  order by user_id is not distinct from ${requestedUserId} desc, used_at desc limit 1`)

/** Finds the latest open request of a browser for the resource of a sign-in link. */
export const findOpenRequest = (
  db: Db,
  { project_id: projectId, resource_kind: kind, resource_id: id }: SignInLinkRow,
  browserHash: Buffer,
): Promise<AuthorizationRequestRow | undefined> =>
  db.one(sql`
  select ${REQUEST_COLUMNS} from mcp_authorizations
  where browser_hash = ${browserHash} and project_id = ${projectId} and resource_kind = ${kind}
    and resource_id = ${id} and decided_at is null and expires_at > now()
  order by created_at desc limit 1`)

/**
 * Deletes ended requests and sign-ins. A request is kept for a day after it ends, so that a second use of its code is
 * detected and ends the grant.
 */
export async function removeOldSignIns(db: Db): Promise<void> {
  await db.run(sql`delete from mcp_authorizations where expires_at < now() - interval '1 day'`)
  await db.run(sql`delete from mcp_sign_ins where expires_at < now() - interval '1 day'`)
}

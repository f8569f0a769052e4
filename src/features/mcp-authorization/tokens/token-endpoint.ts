import { recordAction } from '../../audit-log/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { verifyCodeVerifier } from '../sign-in/request-parameters.ts'
import { markClientUsed } from '../clients/store.ts'
import type { ClientRequest, RequestProof } from '../client-request.ts'
import type { AuthenticatedClient, OAuthClients } from '../clients/service.ts'
import type { McpAuthorizationDeps } from '../deps.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import * as grants from './store.ts'
import { MCP_SCOPE } from '../metadata.ts'
import type { ResourceDetails } from '../resources.ts'
import { isSecret } from '../secrets.ts'
import * as store from '../sign-in/store.ts'
import { findGrantedResource, resourceFault } from './granted-resource.ts'

type Form = ClientRequest['form']
/** An authenticated client, and the thumbprint of the key that it proved. */
interface TokenCaller {
  client: AuthenticatedClient
  thumbprint: string | null
}
/** A token request with what was read for it before its transaction. */
interface Exchange extends TokenCaller {
  form: Form
  /** What the code or refresh token is for. */
  resource: ResourceDetails | undefined
}
/**
 * The result of a token request. An error is a value and not an exception, so that the transaction commits: a reused
 * code or refresh token must end its grant.
 */
type GrantResult = { tokens: grants.TokenPair } | { error: OAuthRequestError }

const invalidGrant = (description: string): GrantResult => ({
  error: new OAuthRequestError('invalid_grant', description),
})
const SIGN_IN_AGAIN = 'Ask the user to sign in again.'

/**
 * Handles a request to the token endpoint (RFC 6749 §3.2).
 * @param proof the tokens are bound to its key
 * @throws OAuthRequestError
 */
export async function exchangeTokens(
  deps: McpAuthorizationDeps,
  clients: OAuthClients,
  request: ClientRequest,
  proof: RequestProof | undefined,
): Promise<Record<string, unknown>> {
  const { form } = request
  const exchange = Object.hasOwn(GRANTS, form['grant_type'] ?? '')
    ? GRANTS[form['grant_type'] as keyof typeof GRANTS]
    : undefined
  if (!exchange)
    throw new OAuthRequestError(
      form['grant_type'] ? 'unsupported_grant_type' : 'invalid_request',
      `grant_type must be one of ${Object.keys(GRANTS).join(', ')}.`,
    )
  const client = await clients.authenticate(request)
  await proof?.use()
  const caller = { client, thumbprint: proof?.thumbprint ?? null }
  if (client.requiresDpop && caller.thumbprint === null) throw proofMissing()
  const resource = await findGrantedResource(deps, form)
  const result = await deps.db.begin((tx) => exchange(deps, tx, { ...caller, form, resource }))
  if ('error' in result) throw result.error
  const { tokens } = result
  return {
    access_token: tokens.access,
    token_type: tokens.thumbprint === null ? 'Bearer' : 'DPoP',
    expires_in: tokens.accessSeconds,
    refresh_token: tokens.refresh,
    scope: MCP_SCOPE,
  }
}

const GRANTS = { authorization_code: exchangeCode, refresh_token: exchangeRefreshToken }

const proofMissing = (): OAuthRequestError =>
  new OAuthRequestError(
    'invalid_dpop_proof',
    'The tokens are bound to a key: send a proof in the header DPoP.',
  )

/**
 * Returns an error if the client signed in with an assertion and sends none now: its metadata document, which demands
 * it, is not read at each request.
 */
const assertionMissing = (
  expected: grants.McpGrantRow['client_auth'],
  { method }: AuthenticatedClient,
): { error: OAuthRequestError } | undefined =>
  expected === 'private_key_jwt' && method !== expected
    ? { error: new OAuthRequestError('invalid_client', 'The client must authenticate with private_key_jwt.') }
    : undefined

async function exchangeCode(
  deps: McpAuthorizationDeps,
  tx: Db,
  { client, thumbprint, form, resource }: Exchange,
): Promise<GrantResult> {
  const code = isSecret('code', form['code']) ? await store.findByCode(tx, form['code']) : undefined
  if (!code || code.client_id !== client.id)
    return invalidGrant(`The code is unknown, or belongs to another client. ${SIGN_IN_AGAIN}`)
  if (code.grant_id) {
    // A code that is used twice was intercepted, so its tokens are revoked (RFC 6749 §4.1.2).
    await grants.removeGrant(tx, code.project_id, code.grant_id)
    return invalidGrant(`The code was already used, so its tokens are revoked. ${SIGN_IN_AGAIN}`)
  }
  const fault = codeFault(code, { client, thumbprint }, form)
  if (fault) return fault
  const grant = {
    id: newId('mcg'),
    project_id: code.project_id,
    resource_kind: code.resource_kind,
    resource_id: code.resource_id,
    user_id: code.user_id,
    client_id: client.id,
    client_name: code.client_name,
    client_auth: client.method,
  }
  const error = resourceFault(deps, { grant, form, resource })
  if (error) return { error }
  await grants.insertGrant(tx, grant)
  await store.setGrant(tx, code, grant.id)
  await markClientUsed(tx, client.id)
  await auditSignIn(tx, grant)
  return { tokens: await grants.issueTokens(tx, grant, thumbprint) }
}

function codeFault(
  code: store.AuthorizationCodeRow,
  { client, thumbprint }: TokenCaller,
  form: Form,
): GrantResult | undefined {
  if (code.is_expired) return invalidGrant(`The code has expired. ${SIGN_IN_AGAIN}`)
  if (form['redirect_uri'] !== undefined && form['redirect_uri'] !== code.redirect_uri)
    return invalidGrant('redirect_uri differs from the one in the authorization request.')
  if (!verifyCodeVerifier(code.code_challenge, form['code_verifier'] ?? ''))
    return invalidGrant('code_verifier does not match the code_challenge of the authorization request.')
  if (code.requires_dpop && thumbprint === null) return { error: proofMissing() }
  if (code.dpop_jkt !== null && code.dpop_jkt !== thumbprint)
    return invalidGrant('The DPoP proof is of another key than the authorization request.')
  return assertionMissing(code.client_auth, client)
}

const auditSignIn = (
  tx: Db,
  grant: { id: string; project_id: string; user_id: string; client_id: string; client_name: string | null },
): Promise<void> =>
  recordAction(tx, {
    owner: { projectId: grant.project_id },
    actor: { type: 'user', id: grant.user_id },
    action: 'mcp.signIn',
    object: { type: 'client_grant', id: grant.id },
    after: { client_id: grant.client_id, client_name: grant.client_name },
  })

async function exchangeRefreshToken(
  deps: McpAuthorizationDeps,
  tx: Db,
  { client, thumbprint, form, resource }: Exchange,
): Promise<GrantResult> {
  const grant = isSecret('refresh', form['refresh_token'])
    ? await grants.findGrantByRefreshToken(tx, form['refresh_token'])
    : undefined
  if (!grant || grant.client_id !== client.id)
    return invalidGrant(`The refresh token is unknown, or belongs to another client. ${SIGN_IN_AGAIN}`)
  if (grant.is_expired) return invalidGrant(`The refresh token has expired. ${SIGN_IN_AGAIN}`)
  const holderError = checkHolder(grant, { client, thumbprint })
  if (holderError) return holderError
  if (grant.is_reused) {
    await grants.removeGrant(tx, grant.project_id, grant.id)
    return invalidGrant(
      'The refresh token was already used, so it may be stolen. ' +
        `All tokens of this sign-in are revoked. ${SIGN_IN_AGAIN}`,
    )
  }
  const error = resourceFault(deps, { grant, form, resource })
  if (error) return { error }
  const tokens = await grants.replaceRefreshToken(tx, grant, form['refresh_token'] as string, thumbprint)
  if (!tokens) return invalidGrant(`The tokens of this request have expired. ${SIGN_IN_AGAIN}`)
  await markClientUsed(tx, client.id)
  return { tokens }
}

/**
 * Checks that a refresh token is used by its holder. That of a public client is bound to the key itself, that of
 * another client to the client, which may prove another key each time (RFC 9449 §5).
 */
function checkHolder(
  { dpop_jkt: bound, client_auth: clientAuth }: grants.RefreshTokenRow,
  { client, thumbprint }: TokenCaller,
): GrantResult | undefined {
  if (bound !== null && thumbprint === null) return { error: proofMissing() }
  if (bound !== null && client.method === 'none' && bound !== thumbprint)
    return invalidGrant('The refresh token is bound to another key than that of the DPoP proof.')
  return assertionMissing(clientAuth, client)
}

/**
 * Handles a request to the revocation endpoint (RFC 7009). A refresh token ends the whole grant. For an unknown token,
 * or the token of another client, nothing happens and the response is the same.
 * @throws OAuthRequestError
 */
export async function revokeToken(
  { db }: McpAuthorizationDeps,
  clients: OAuthClients,
  request: ClientRequest,
): Promise<void> {
  const client = await clients.authenticate(request)
  const { token } = request.form
  if (token === undefined) throw new OAuthRequestError('invalid_request', 'token is missing.')
  const isToken = isSecret('access', token) || isSecret('refresh', token)
  const grant = isToken ? await grants.findGrantByToken(db, token) : undefined
  if (grant?.client_id !== client.id) return
  const unproven = assertionMissing(grant.client_auth, client)
  if (unproven) throw unproven.error
  await (grant.kind === 'refresh'
    ? grants.removeGrant(db, grant.project_id, grant.id)
    : grants.removeToken(db, token))
}

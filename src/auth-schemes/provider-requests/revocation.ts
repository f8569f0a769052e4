import {
  compileTemplate,
  type OAuth2Manifest,
  render,
  renderUrl,
  type RevokeManifest,
} from '../../catalog/index.ts'
import { clientAssertion, authenticateClient } from './client-authentication.ts'
import { isInvalidGrant, readProviderError } from './provider-error.ts'
import {
  buildRequest,
  encodeBody,
  type AuthProviderResponse,
  type AuthProviderRequest,
  sendRequest,
} from './send-request.ts'
import {
  type AuthScheme,
  GrantRejected,
  credentialLookup,
  ProviderUnavailable,
  type RevocationResult,
  type SchemeDeps,
  type ConnectionContext,
} from '../scheme.ts'

/** The refresh token comes first: at most providers, revoking it revokes the whole grant. */
const REVOCABLE_TOKENS = ['refresh_token', 'access_token'] as const
/** A later attempt may succeed. */
const RETRYABLE_STATUSES = [408, 425, 429]

/** Revokes a grant at the provider as the manifest declares. Schemes spread this into their definition. */
export const manifestRevocation = {
  canRevoke(connection) {
    const { revoke } = connection.scheme.manifest
    return revoke !== undefined && (isCustomRequest(revoke) || storedTokens(connection).length > 0)
  },
  revoke(connection, deps) {
    const { revoke } = connection.scheme.manifest
    if (!revoke)
      throw new GrantRejected(
        'not_revocable',
        'The manifest of this toolkit declares no revocation endpoint.',
      )
    return revokeWith(revoke, connection, deps)
  },
} satisfies Pick<AuthScheme, 'canRevoke' | 'revoke'>

/**
 * Revokes a grant with a given `revoke` section, for example one built from discovered metadata. `sign` is for
 * schemes that sign every request.
 * @throws GrantRejected, ProviderUnavailable
 */
export function revokeWith(
  revoke: RevokeManifest,
  connection: ConnectionContext,
  deps: SchemeDeps,
  sign?: AuthScheme['sign'],
): Promise<RevocationResult> {
  return isCustomRequest(revoke)
    ? revokeWithCustomRequest(revoke, connection, deps, sign)
    : revokeTokens(revoke, connection, deps)
}

const isCustomRequest = ({ method, params }: RevokeManifest) => method !== undefined || params !== undefined
const storedTokens = ({ credentials }: ConnectionContext) =>
  REVOCABLE_TOKENS.filter((name) => typeof credentials[name] === 'string' && credentials[name] !== '')

/** Sends one request per token (RFC 7009). Succeeds if the server revokes at least one of them. */
async function revokeTokens(
  revoke: RevokeManifest,
  connection: ConnectionContext,
  deps: SchemeDeps,
): Promise<RevocationResult> {
  const tokens: string[] = []
  let rejection: GrantRejected | undefined
  for (const name of storedTokens(connection)) {
    const assertion = await assertionFor(revoke, connection, deps)
    const params = { token: String(connection.credentials[name]), token_type_hint: name }
    const response = await sendRequest(
      deps,
      connection.proxy,
      buildRequest(() => revocationRequest(revoke, connection, params, true, assertion)),
    )
    if (isRevoked(revoke, connection, response)) tokens.push(name)
    else rejection ??= rejectionFrom(connection, response)
  }
  if (!tokens.length) throw rejection ?? new GrantRejected('no_token', 'There is no token to revoke.')
  return { tokens }
}

async function revokeWithCustomRequest(
  revoke: RevokeManifest,
  connection: ConnectionContext,
  deps: SchemeDeps,
  sign?: AuthScheme['sign'],
): Promise<RevocationResult> {
  const lookup = credentialLookup(connection)
  const assertion = revoke.client_auth === undefined ? '' : await assertionFor(revoke, connection, deps)
  const response = await sendRequest(
    deps,
    connection.proxy,
    buildRequest(() => {
      const params = Object.fromEntries(
        Object.entries(revoke.params ?? {}).map(([name, text]) => [
          name,
          render(compileTemplate(text), lookup),
        ]),
      )
      const unsigned = {
        headers: {},
        ...revocationRequest(revoke, connection, params, revoke.client_auth !== undefined, assertion),
      }
      const signed = sign?.(connection, unsigned, deps.now())
      return signed
        ? { ...unsigned, url: signed.url, headers: { ...unsigned.headers, ...signed.headers } }
        : unsigned
    }),
  )
  const isGone = revoke.success_statuses === undefined && (response.status === 404 || response.status === 410)
  if (!isGone && !isRevoked(revoke, connection, response)) throw rejectionFrom(connection, response)
  const tokens = storedTokens(connection)
  return { tokens: tokens.length ? tokens : ['credential'] }
}

/** The audience is the token endpoint also here: servers identify themselves by it (RFC 7523 §3). */
function assertionFor(
  revoke: RevokeManifest,
  connection: ConnectionContext,
  deps: SchemeDeps,
): Promise<string> {
  const { client_auth: clientAuth, token } = connection.scheme.manifest as Partial<OAuth2Manifest>
  const { url } = buildRequest(() => ({
    method: 'POST',
    url: renderUrl(compileTemplate(token?.url ?? revoke.url), credentialLookup(connection)),
  }))
  return clientAssertion(connection, revoke.client_auth ?? clientAuth, url, deps.now())
}

/** Whether the token is no longer valid: revoked now, or invalid before. */
function isRevoked(
  { success_statuses: statuses }: RevokeManifest,
  connection: ConnectionContext,
  response: AuthProviderResponse,
): boolean {
  if (statuses ? statuses.includes(response.status) : response.status >= 200 && response.status <= 299)
    return true
  const { code } = readProviderError(connection, response.body)
  return response.status < 500 && (code === 'invalid_token' || isInvalidGrant(code))
}

/** Returns the final rejection. @throws ProviderUnavailable for a failure that may be temporary */
function rejectionFrom(connection: ConnectionContext, { status, body }: AuthProviderResponse): GrantRejected {
  const { code, text } = readProviderError(connection, body)
  if (status >= 500 || status < 400 || RETRYABLE_STATUSES.includes(status))
    throw new ProviderUnavailable(`The revocation endpoint returned status ${status}.`)
  return new GrantRejected(
    code || `status_${status}`,
    text || `The revocation endpoint returned status ${status}.`,
  )
}

function revocationRequest(
  revoke: RevokeManifest,
  connection: ConnectionContext,
  fields: Record<string, string>,
  withClient: boolean,
  assertion: string,
): AuthProviderRequest {
  const lookup = credentialLookup(connection)
  const { client_auth: clientAuth, token } = connection.scheme.manifest as Partial<OAuth2Manifest>
  const client = withClient
    ? authenticateClient(connection, revoke.client_auth ?? clientAuth, assertion)
    : { params: {}, headers: {} }
  const renamed = Object.entries(client.params).map(([name, value]) => [token?.rename?.[name] ?? name, value])
  const params = { ...fields, ...(Object.fromEntries(renamed) as Record<string, string>) }
  const headers = {
    ...Object.fromEntries(
      Object.entries(revoke.headers ?? {}).map(([name, text]) => [
        name.toLowerCase(),
        render(compileTemplate(text), lookup),
      ]),
    ),
    ...client.headers,
  }
  const method = revoke.method ?? 'POST'
  const path = renderUrl(compileTemplate(revoke.url), lookup)
  const url =
    path.startsWith('/') && connection.scheme.baseUrl
      ? renderUrl(connection.scheme.baseUrl, lookup).replace(/\/+$/, '') + path
      : path
  if (!Object.keys(params).length) return { method, url, headers }
  if (revoke.body === 'query' || method === 'GET')
    return { method, url: `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(params)}`, headers }
  const body = encodeBody(revoke.body ?? 'form', params)
  return { method, url, headers: { ...body.headers, ...headers }, body: body.body }
}

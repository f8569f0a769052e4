import { manifestRevocation } from '../provider-requests/revocation.ts'
import {
  type AuthScheme,
  changeConnection,
  GrantRejected,
  type ConnectionContext,
  type Credentials,
} from '../scheme.ts'
import { startAuthorization } from './authorize.ts'
import { callbackCode, callbackValues, checkIssuer } from './callback.ts'
import { runFollowUpRequests } from './follow-up-requests.ts'
import { idTokenValidator } from './id-token.ts'
import { type TokenGrant, requestToken } from './token-request.ts'
import { oauth2Manifest } from './manifest.ts'
import { requestGrant } from './request-grant.ts'
import { readGrant } from './token-response.ts'

const MARGIN_SECONDS = 60

/**
 * Authorization code grant with PKCE and refresh (RFC 6749, RFC 7636). Manifests declare deviations of
 * providers.
 */
export const oauth2: AuthScheme = {
  name: 'OAUTH2',
  redirects: true,
  ...manifestRevocation,
  start: startAuthorization,
  async finish(connection, secrets, callback, deps) {
    checkIssuer(connection, callback)
    const code = callbackCode(connection, callback)
    const captured = callbackValues(connection, callback)
    const extended = changeConnection(connection, { credentials: { ...connection.credentials, ...captured } })
    const grantRequest = grantForCallback(connection, code, secrets)
    const idTokens = idTokenValidator(extended, secrets, deps)
    await idTokens.validateCallback(callback['id_token'], code)
    const first = readGrant(connection, await requestToken(extended, grantRequest, deps))
    await idTokens.validateTokenResponse(first.credentials['id_token'])
    const grant = await runFollowUpRequests(extended, grantRequest, first, deps)
    return { ...grant, credentials: { ...captured, ...grant.credentials } }
  },
  canRefresh: (connection) => grantForRefresh(connection) !== undefined,
  async refresh(connection, deps) {
    const grantRequest = grantForRefresh(connection)
    if (!grantRequest)
      throw new GrantRejected(
        'no_refresh_token',
        'The access token has expired, and the provider gave no refresh token.',
      )
    return requestGrant(connection, grantRequest, deps)
  },
  reuseGraceMs: (connection) => (oauth2Manifest(connection).refresh?.reuse_grace_seconds ?? 0) * 1_000,
  refreshMarginMs(connection) {
    const { refresh } = oauth2Manifest(connection)
    const lifetime = lifetimeSeconds(connection)
    // At most half the lifetime: a token shorter than the margin would be refreshed at every call.
    return Math.min((refresh?.margin_seconds ?? MARGIN_SECONDS) * 1_000, lifetime ? lifetime * 500 : Infinity)
  },
}

/** After an administrator consent there is no code: the client requests a token with its own credentials. */
const grantForCallback = (connection: ConnectionContext, code: string, secrets: Credentials): TokenGrant =>
  oauth2Manifest(connection).authorize.flow === 'admin_consent'
    ? { kind: 'client' }
    : { kind: 'code', code, secrets }

/** The grant for a token refresh; undefined if the manifest declares none or there is no refresh token. */
function grantForRefresh(connection: ConnectionContext): TokenGrant | undefined {
  const { refresh } = oauth2Manifest(connection)
  if (!refresh || refresh.with === 'never') return undefined
  if (refresh.with === 'client') return { kind: 'client' }
  const token = connection.credentials[refresh.with ?? 'refresh_token']
  return typeof token === 'string' && token ? { kind: 'refresh', token } : undefined
}

/** Lifetime of the token when it was issued, if it is known as a duration. */
function lifetimeSeconds({ credentials, scheme }: ConnectionContext): number | undefined {
  const { token } = oauth2Manifest({ scheme })
  const storedLifetime = credentials['lifetime_seconds']
  if (typeof storedLifetime === 'number') return storedLifetime
  const expiresIn = Number(credentials['expires_in'])
  const unit = token.expiry_unit ?? 'seconds'
  if (expiresIn > 0 && unit === 'seconds') return expiresIn
  if (expiresIn > 0 && unit === 'milliseconds') return expiresIn / 1_000
  return token.lifetime_seconds
}

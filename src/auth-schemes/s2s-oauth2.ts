import type { S2SOAuth2Manifest } from '../catalog/index.ts'
import { oauth2 } from './oauth2/index.ts'
import { scopeList } from './oauth2/authorize.ts'
import { requestGrant } from './oauth2/request-grant.ts'
import type { TokenGrant } from './oauth2/token-request.ts'
import { manifestRevocation } from './provider-requests/revocation.ts'
import {
  type AuthScheme,
  type Grant,
  credentialLookup,
  type SchemeDeps,
  type ConnectionContext,
} from './scheme.ts'

/**
 * Client credentials (RFC 6749 §4.4), or any other grant that needs no user. The first token is requested
 * when it is
 * needed.
 */
export const s2sOAuth2: AuthScheme = {
  name: 'S2S_OAUTH2',
  redirects: false,
  ...manifestRevocation,
  canRefresh: () => true,
  needsFirstToken: ({ credentials }) =>
    typeof credentials['access_token'] !== 'string' || credentials['access_token'] === '',
  refresh: requestAccessToken,
  refreshMarginMs: (connection) => oauth2.refreshMarginMs!(connection),
}

/** Uses a refresh token only where the manifest declares it: a new token request cannot lose a grant. */
async function requestAccessToken(connection: ConnectionContext, deps: SchemeDeps): Promise<Grant> {
  const { refresh } = connection.scheme.manifest as S2SOAuth2Manifest
  if (refresh?.with && refresh.with !== 'client' && oauth2.canRefresh!(connection))
    return oauth2.refresh!(connection, deps)
  const scope = scopeOf(connection)
  const grant: TokenGrant = { kind: 'client', ...(scope ? { scope } : {}) }
  return requestGrant(connection, grant, deps)
}

/**
 * The scope to request. `credentials.scope` may contain the scope that the provider granted last time, so the
 * scopes
 * of the auth config and the toolkit take precedence.
 */
function scopeOf(connection: ConnectionContext): string {
  const { scopes, scope_separator: separator = ' ' } = connection.scheme.manifest as S2SOAuth2Manifest
  return scopeList(
    connection.authConfigCredentials['scopes'] ?? credentialLookup(connection)('scope'),
    scopes?.default,
  ).join(separator)
}

import type { BasicManifest } from '../catalog/index.ts'
import { manifestRevocation } from './provider-requests/revocation.ts'
import { type AuthScheme, GrantRejected, type ConnectionContext } from './scheme.ts'
import { requestSessionToken, expiresInFor } from './provider-requests/session-token.ts'

const REFRESH_MARGIN_MS = 60_000
export const PASSWORD_REJECTED = 'The application rejected the user name or the password.'

/**
 * HTTP Basic (RFC 7617). Where the manifest declares `sign_in`, exchanges user name and password for a
 * session token.
 */
export const basic: AuthScheme = {
  name: 'BASIC',
  redirects: false,
  ...manifestRevocation,
  canRefresh: (connection) => signInOf(connection) !== undefined,
  needsFirstToken: ({ credentials }) => credentials['session_token'] === undefined,
  async refresh(connection, deps) {
    const signIn = signInOf(connection)
    if (!signIn)
      throw new GrantRejected('not_renewable', 'The application rejected the user name or the password.')
    const { token, expiresAt } = await requestSessionToken(connection, signIn, deps, PASSWORD_REJECTED)
    return { credentials: { session_token: token, ...expiresInFor(expiresAt, deps.now()) }, expiresAt }
  },
  refreshMarginMs(connection) {
    const lifetime = Number(connection.credentials['expires_in']) || signInOf(connection)?.lifetime_seconds
    // At most half the lifetime: a session shorter than the margin would be refreshed at every call.
    return Math.min(REFRESH_MARGIN_MS, lifetime ? lifetime * 500 : REFRESH_MARGIN_MS)
  },
}

const signInOf = ({ scheme }: ConnectionContext) => (scheme.manifest as BasicManifest).sign_in

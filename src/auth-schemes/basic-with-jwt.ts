import { jose } from '../platform/jose.ts'
import type { BasicWithJwtManifest } from '../catalog/index.ts'
import { PASSWORD_REJECTED } from './basic.ts'
import { clampTimestamp } from './credentials/timestamps.ts'
import { manifestRevocation } from './provider-requests/revocation.ts'
import type { AuthScheme } from './scheme.ts'
import {
  sessionRefreshMarginMs,
  requestSessionToken,
  expiresInFor,
} from './provider-requests/session-token.ts'

/** Exchanges a user name and password for a JSON Web Token, which is used until shortly before it expires. */
export const basicWithJwt: AuthScheme = {
  name: 'BASIC_WITH_JWT',
  redirects: false,
  ...manifestRevocation,
  canRefresh: () => true,
  needsFirstToken: ({ credentials }) => credentials['session_token'] === undefined,
  async refresh(connection, deps) {
    const { token, expiresAt: declaredExpiry } = await requestSessionToken(
      connection,
      (connection.scheme.manifest as BasicWithJwtManifest).sign_in,
      deps,
      PASSWORD_REJECTED,
    )
    const expiresAt = expiryOfToken(token) ?? declaredExpiry
    return { credentials: { session_token: token, ...expiresInFor(expiresAt, deps.now()) }, expiresAt }
  },
  refreshMarginMs: sessionRefreshMarginMs,
}

/**
 * Reads the expiry from the token. Its signature is not checked: the value only decides when to sign in
 * again.
 */
function expiryOfToken(token: string): number | null {
  try {
    return clampTimestamp(Number(jose().decodeJwt(token).exp) * 1_000)
  } catch {
    return null
  }
}

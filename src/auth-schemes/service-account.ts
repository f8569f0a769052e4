import { MissingValue, type ServiceAccountManifest, UnsafeValue } from '../catalog/index.ts'
import { parsePrivateKey, UnusableKey } from './signing/private-key.ts'
import { signJwt } from './signing/jwt.ts'
import { manifestRevocation } from './provider-requests/revocation.ts'
import { type AuthScheme, GrantRejected, credentialLookup, ProviderUnavailable } from './scheme.ts'
import {
  sessionRefreshMarginMs,
  requestSessionToken,
  expiresInFor,
} from './provider-requests/session-token.ts'

/** Signs a token with the key of an app and exchanges it for the short-lived token of one installation. */
export const serviceAccount: AuthScheme = {
  name: 'SERVICE_ACCOUNT',
  redirects: false,
  ...manifestRevocation,
  canRefresh: () => true,
  needsFirstToken: ({ credentials }) => credentials['access_token'] === undefined,
  async refresh(connection, deps) {
    const { mint, token } = connection.scheme.manifest as ServiceAccountManifest
    const appJwt = await signGrant(() => signJwt(mint, credentialLookup(connection), deps.now()))
    const session = await requestSessionToken(
      connection,
      token,
      deps,
      'The application rejected the key, the application ID or the installation ID.',
      { app_jwt: appJwt },
    )
    return {
      credentials: { access_token: session.token, ...expiresInFor(session.expiresAt, deps.now()) },
      expiresAt: session.expiresAt,
    }
  },
  refreshMarginMs: sessionRefreshMarginMs,
  validateCredentials: ({ private_key: key }): Readonly<Record<string, string>> =>
    typeof key === 'string' && !isPrivateKey(key)
      ? { private_key: 'must be a private key in PEM format (`-----BEGIN PRIVATE KEY-----` …)' }
      : {},
}

/**
 * Signs a token that an endpoint exchanges for another.
 * @throws GrantRejected for an unusable key, ProviderUnavailable for missing values
 */
export async function signGrant(sign: () => Promise<string>): Promise<string> {
  try {
    return await sign()
  } catch (error) {
    if (error instanceof UnusableKey) throw new GrantRejected('invalid_key', `The key ${error.message}.`)
    if (error instanceof MissingValue || error instanceof UnsafeValue)
      throw new ProviderUnavailable(`The request to the provider cannot be built: ${error.message}`, {
        cause: error,
      })
    throw error
  }
}

export function isPrivateKey(pem: string): boolean {
  try {
    parsePrivateKey(pem)
    return true
  } catch {
    return false
  }
}

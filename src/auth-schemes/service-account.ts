import { MissingValue, type ServiceAccountManifest, UnsafeValue } from '../catalog/index.ts'
import { privateKey, UnusableKey } from './keys.ts'
import { mintJwt } from './mint.ts'
import { revocation } from './revoke.ts'
import { type AuthScheme, GrantRejected, lookupOf, ProviderTrouble } from './scheme.ts'
import { earlyMargin, requestSession, secondsUntil } from './session.ts'

/** An application signs a token with its key and trades it for the short-lived token of one installation. */
export const serviceAccount: AuthScheme = {
  name: 'SERVICE_ACCOUNT',
  redirects: false,
  ...revocation,
  renewable: () => true,
  isEmpty: ({ val }) => val['access_token'] === undefined,
  async renew(setup, tools) {
    const { mint, token } = setup.scheme.manifest as ServiceAccountManifest
    const appJwt = await proof(() => mintJwt(mint, lookupOf(setup), tools.now()))
    const session = await requestSession(
      setup,
      token,
      tools,
      'The application refused the key, the application id or the installation id.',
      { app_jwt: appJwt },
    )
    return {
      val: { access_token: session.token, ...secondsUntil(session.expiresAt, tools.now()) },
      expiresAt: session.expiresAt,
    }
  },
  marginMs: earlyMargin,
  mistakes: ({ private_key: key }): Readonly<Record<string, string>> =>
    typeof key === 'string' && !isPrivateKey(key)
      ? { private_key: 'must be a private key in PEM form (`-----BEGIN PRIVATE KEY-----` …)' }
      : {},
}

/** A token made here, for an endpoint that gives another. @throws GrantRefused for a key that can sign nothing, ProviderTrouble for values that are not there */
export async function proof(make: () => Promise<string>): Promise<string> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof UnusableKey) throw new GrantRejected('invalid_key', `The key ${error.message}.`)
    if (error instanceof MissingValue || error instanceof UnsafeValue)
      throw new ProviderTrouble(`The request to the provider cannot be made: ${error.message}`, {
        cause: error,
      })
    throw error
  }
}

export function isPrivateKey(pem: string): boolean {
  try {
    privateKey(pem)
    return true
  } catch {
    return false
  }
}

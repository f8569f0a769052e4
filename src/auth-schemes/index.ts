import type { Lookup } from '../catalog/index.ts'
import type { AuthSchemeName } from '../contract/schemes.ts'
import { basicWithJwt } from './basic-with-jwt.ts'
import { basic } from './basic.ts'
import { dcrOAuth } from './dcr-oauth/index.ts'
import { googleServiceAccount } from './google-service-account.ts'
import { oauth1 } from './oauth1.ts'
import { serviceAccount } from './service-account.ts'
import { oauth2 } from './oauth2/index.ts'
import { manifestRevocation } from './provider-requests/revocation.ts'
import { s2sOAuth2 } from './s2s-oauth2.ts'
import type { AuthScheme, OutgoingRequest, ConnectionContext } from './scheme.ts'
import { signRequest } from './signing/index.ts'

export { scopeList } from './oauth2/authorize.ts'
export {
  type ProviderRequestLogEntry,
  mapTexts,
  logEntryFor,
  logEntryWithoutRequest,
  shortenText,
} from './provider-requests/log-entry.ts'
export { UnusableKey } from './signing/private-key.ts'
export { answerChallenge, type ChallengeResponse } from './webhook-verification/challenge.ts'
export type { JwksFetcher } from './webhook-verification/jwt.ts'
export { jwksCache } from './webhook-verification/jwks-cache.ts'
export { verifyDelivery, type VerificationContext } from './webhook-verification/verify.ts'
export { signJwts, signJwt } from './signing/jwt.ts'
export { readCodeWebhook, type CodeWebhook } from './oauth2/code-webhook.ts'
export { signRequest } from './signing/index.ts'
export { secretsRedactor, redactSecrets } from './credentials/redaction.ts'
export { fieldsByName, type CredentialSources } from './credentials/lookup.ts'
export {
  type AuthScheme,
  changeConnection,
  type Grant,
  GrantRejected,
  credentialLookup,
  emptyLookup,
  type OutgoingRequest,
  ProviderUnavailable,
  type Redirect,
  type RevocationResult,
  type SchemeDeps,
  type ConnectionContext,
  type Credentials,
} from './scheme.ts'

/** Creates a scheme whose credentials are used exactly as the user entered them. */
const staticScheme = (name: AuthSchemeName): AuthScheme => ({ name, redirects: false, ...manifestRevocation })

/** Supported schemes; creating a connection with another scheme returns 501. */
export const authSchemes: Partial<Record<AuthSchemeName, AuthScheme>> = {
  OAUTH2: oauth2,
  DCR_OAUTH: dcrOAuth,
  S2S_OAUTH2: s2sOAuth2,
  API_KEY: staticScheme('API_KEY'),
  BASIC: basic,
  OAUTH1: oauth1,
  BASIC_WITH_JWT: basicWithJwt,
  GOOGLE_SERVICE_ACCOUNT: googleServiceAccount,
  SERVICE_ACCOUNT: serviceAccount,
  BILLCOM_AUTH: staticScheme('BILLCOM_AUTH'),
  CALCOM_AUTH: staticScheme('CALCOM_AUTH'),
  BEARER_TOKEN: staticScheme('BEARER_TOKEN'),
  NO_AUTH: staticScheme('NO_AUTH'),
}

/** The implementation of a scheme by its name; undefined if this release does not support it. */
export const schemeByName = (mode: string): AuthScheme | undefined => authSchemes[mode as AuthSchemeName]

/** The implementation of the scheme of a connection. */
export const schemeOf = ({ scheme }: Pick<ConnectionContext, 'scheme'>): AuthScheme | undefined =>
  schemeByName(scheme.mode)

/**
 * Signs a finished request: first the signature of the scheme, then that of the manifest. Returns URL and
 * headers.
 */
export function signForConnection(
  connection: ConnectionContext,
  lookup: Lookup,
  request: OutgoingRequest,
  now: number,
): { url: string; headers: Record<string, string> } {
  const schemeSignature = schemeOf(connection)?.sign?.(connection, request, now) ?? {
    url: request.url,
    headers: {},
  }
  const sign = connection.scheme.manifest.apply?.sign
  if (!sign) return schemeSignature
  const signed = signRequest(
    sign,
    lookup,
    { ...request, url: schemeSignature.url, headers: { ...request.headers, ...schemeSignature.headers } },
    now,
  )
  return { url: signed.url, headers: { ...schemeSignature.headers, ...signed.headers } }
}

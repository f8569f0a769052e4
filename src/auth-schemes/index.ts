import type { Lookup } from '../catalog/index.ts'
import type { AuthSchemeName } from '../contract/schemes.ts'
import { basicWithJwt } from './basic-with-jwt.ts'
import { basic } from './basic.ts'
import { dcrOAuth } from './dcr-oauth/index.ts'
import { googleServiceAccount } from './google-service-account.ts'
import { oauth1 } from './oauth1.ts'
import { serviceAccount } from './service-account.ts'
import { oauth2 } from './oauth2/index.ts'
import { revocation } from './revoke.ts'
import { s2sOAuth2 } from './s2s-oauth2.ts'
import type { AuthScheme, OutgoingRequest, ConnectionContext } from './scheme.ts'
import { signRequest } from './signing/index.ts'

export { scopeList } from './oauth2/authorize.ts'
export { type ExchangeNote, mapTexts, noteOf, noteOfNothing, shortened } from './exchange-note.ts'
export { UnusableKey } from './keys.ts'
export { shakeHands, type Shaken } from './webhook-verification/handshake.ts'
export type { KeysAt } from './webhook-verification/jwt.ts'
export { keyMemory } from './webhook-verification/keys-at.ts'
export { isProven, type Proof } from './webhook-verification/verify.ts'
export { mintAll, mintJwt } from './mint.ts'
export { readWebhook, type Webhook } from './oauth2/webhook.ts'
export { signRequest } from './signing/index.ts'
export { secretsHider, withoutSecrets } from './secrets.ts'
export { fieldsByName, type Sources } from './values.ts'
export {
  type AuthScheme,
  type Grant,
  GrantRejected,
  lookupOf,
  lookupOfNothing,
  type OutgoingRequest,
  ProviderTrouble,
  type Redirect,
  type Revoked,
  type SchemeTools,
  type ConnectionContext,
  type Values,
} from './scheme.ts'

/** Schemes whose credentials are used just as the user gave them. */
const asGiven = (name: AuthSchemeName): AuthScheme => ({ name, redirects: false, ...revocation })

/** The schemes that this release can connect; one that is missing here answers 501. */
export const authSchemes: Partial<Record<AuthSchemeName, AuthScheme>> = {
  OAUTH2: oauth2,
  DCR_OAUTH: dcrOAuth,
  S2S_OAUTH2: s2sOAuth2,
  API_KEY: asGiven('API_KEY'),
  BASIC: basic,
  OAUTH1: oauth1,
  BASIC_WITH_JWT: basicWithJwt,
  GOOGLE_SERVICE_ACCOUNT: googleServiceAccount,
  SERVICE_ACCOUNT: serviceAccount,
  BILLCOM_AUTH: asGiven('BILLCOM_AUTH'),
  CALCOM_AUTH: asGiven('CALCOM_AUTH'),
  BEARER_TOKEN: asGiven('BEARER_TOKEN'),
  NO_AUTH: asGiven('NO_AUTH'),
}

/** The address and the headers that signing gives a finished request: what the scheme itself signs, then what the manifest asks for. */
export function signedBy(
  setup: ConnectionContext,
  lookup: Lookup,
  request: OutgoingRequest,
  now: number,
): { url: string; headers: Record<string, string> } {
  const scheme = authSchemes[setup.scheme.mode as AuthSchemeName]
  const own = scheme?.sign?.(setup, request, now) ?? { url: request.url, headers: {} }
  const sign = setup.scheme.manifest.apply?.sign
  if (!sign) return own
  const signed = signRequest(
    sign,
    lookup,
    { ...request, url: own.url, headers: { ...request.headers, ...own.headers } },
    now,
  )
  return { url: signed.url, headers: { ...own.headers, ...signed.headers } }
}

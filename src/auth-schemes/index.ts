import type { AuthSchemeName } from '../contract/schemes.ts'
import { basic } from './basic.ts'
import { oauth2 } from './oauth2/index.ts'
import { revocation } from './revoke.ts'
import type { AuthScheme } from './scheme.ts'

export { scopeList } from './oauth2/authorize.ts'
export { type ExchangeNote, mapTexts, noteOf, noteOfNothing } from './exchange-note.ts'
export { withoutSecrets } from './secrets.ts'
export { fieldsByName, type Sources } from './values.ts'
export { type AuthScheme, type Grant, GrantRefused, lookupOf, lookupOfNothing, type OutgoingRequest, ProviderTrouble, type Redirect, type Revoked, type SchemeTools, type Setup, type Values } from './scheme.ts'

/** Schemes whose credentials are used just as the user gave them. */
const asGiven = (name: AuthSchemeName): AuthScheme => ({ name, redirects: false, ...revocation })

/** The schemes that this release can connect; one that is missing here answers 501. */
export const authSchemes: Partial<Record<AuthSchemeName, AuthScheme>> = {
  OAUTH2: oauth2,
  API_KEY: asGiven('API_KEY'),
  BASIC: basic,
  BEARER_TOKEN: asGiven('BEARER_TOKEN'),
  NO_AUTH: asGiven('NO_AUTH'),
}

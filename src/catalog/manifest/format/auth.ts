import { type Static, Type } from '../../../contract/schema-type.ts'
import {
  BasicWithJwt,
  BillcomAuth,
  CalcomAuth,
  GoogleServiceAccount,
  OAuth1,
  Saml,
  ServiceAccount,
} from './non-oauth2-schemes.ts'
import { Session } from './session.ts'
import { Common } from './auth-common.ts'
import { DcrOAuth, OAuth2, S2SOAuth2 } from './oauth2.ts'
import { optional, Strict } from './shapes.ts'

const ApiKey = Strict({
  scheme: Type.Literal('API_KEY', { description: 'Scheme of this entry.' }),
  ...Common,
})
const BearerToken = Strict({
  scheme: Type.Literal('BEARER_TOKEN', { description: 'Scheme of this entry.' }),
  ...Common,
})
const Basic = Strict({
  scheme: Type.Literal('BASIC', { description: 'Scheme of this entry.' }),
  ...Common,
  sign_in: optional(Session),
})
const NoAuth = Strict({
  scheme: Type.Literal('NO_AUTH', { description: 'Scheme of this entry.' }),
  ...Common,
})

/** One authentication scheme of an application; `scheme` selects the shape. */
export const AuthScheme = Type.Union(
  [
    OAuth2,
    DcrOAuth,
    S2SOAuth2,
    ApiKey,
    BearerToken,
    Basic,
    NoAuth,
    OAuth1,
    BasicWithJwt,
    GoogleServiceAccount,
    ServiceAccount,
    BillcomAuth,
    CalcomAuth,
    Saml,
  ],
  { discriminator: { propertyName: 'scheme' } },
)

export type ApiKeyManifest = Static<typeof ApiKey>
export type BearerTokenManifest = Static<typeof BearerToken>
export type BasicManifest = Static<typeof Basic>
export type NoAuthManifest = Static<typeof NoAuth>
export type AuthSchemeManifest = Static<typeof AuthScheme>

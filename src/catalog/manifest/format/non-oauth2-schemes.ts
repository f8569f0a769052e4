import { type Static, Type } from '../../../contract/schema-type.ts'
import { Common, lifetime } from './auth-common.ts'
import { Jwt } from './mint.ts'
import { Session } from './session.ts'
import { optional, Strict, TemplateText, TextMap } from './shapes.ts'
import { OAuth1Method } from './sign.ts'

const schemeLiteral = <const T extends string>(name: T) =>
  Type.Literal(name, { description: 'Scheme of this entry.' })

/** OAuth 1.0a (RFC 5849). */
export const OAuth1 = Strict({
  scheme: schemeLiteral('OAUTH1'),
  ...Common,
  request_token: Strict(
    { url: TemplateText('Endpoint for temporary credentials (RFC 5849 §2.1).') },
    { description: 'Request for temporary credentials.' },
  ),
  authorize: Strict(
    {
      url: TemplateText('Authorization page (RFC 5849 §2.2).'),
      params: optional(TextMap('Extra parameters.')),
    },
    { description: 'Authorization page.' },
  ),
  access_token: Strict(
    { url: TemplateText('Endpoint that exchanges the verifier for tokens (RFC 5849 §2.3).') },
    { description: 'Request for tokens.' },
  ),
  signature_method: optional(OAuth1Method('Signature method (RFC 5849 §3.4). Default HMAC-SHA1.')),
  realm: optional(TemplateText('Realm of the Authorization header (RFC 5849 §3.5.1).')),
})

/** User name and password that are exchanged for a JSON Web Token. */
export const BasicWithJwt = Strict({ scheme: schemeLiteral('BASIC_WITH_JWT'), ...Common, sign_in: Session })

/** The signed grant of RFC 7523 with a key file. */
export const GoogleServiceAccount = Strict({
  scheme: schemeLiteral('GOOGLE_SERVICE_ACCOUNT'),
  ...Common,
  token: optional(
    Strict(
      {
        url: TemplateText(
          'Token endpoint. A key file with another endpoint is rejected. Default ' +
            'https://oauth2.googleapis.com/token.',
        ),
      },
      { description: 'Endpoint that exchanges the signed grant for a token.' },
    ),
  ),
  scopes: optional(
    Strict(
      {
        default: optional(
          Type.Array(Type.String(), { description: 'Requested when the auth config has none.' }),
        ),
      },
      { description: 'Scopes of the application.' },
    ),
  ),
  lifetime_seconds: optional(
    lifetime('Lifetime of a token in seconds when the response has none. Default 3600.'),
  ),
})

/** An application that gets a token of one installation with its private key. */
export const ServiceAccount = Strict({
  scheme: schemeLiteral('SERVICE_ACCOUNT'),
  ...Common,
  mint: Jwt,
  token: Session,
})

export const BillcomAuth = Strict({ scheme: schemeLiteral('BILLCOM_AUTH'), ...Common })
export const CalcomAuth = Strict({ scheme: schemeLiteral('CALCOM_AUTH'), ...Common })
export const Saml = Strict({ scheme: schemeLiteral('SAML'), ...Common })

export type OAuth1Manifest = Static<typeof OAuth1>
export type BasicWithJwtManifest = Static<typeof BasicWithJwt>
export type GoogleServiceAccountManifest = Static<typeof GoogleServiceAccount>
export type ServiceAccountManifest = Static<typeof ServiceAccount>

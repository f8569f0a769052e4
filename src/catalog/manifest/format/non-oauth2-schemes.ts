import { type Static, Type } from 'typebox'
import { Common, lifetime } from './auth-common.ts'
import { Jwt } from './mint.ts'
import { Session } from './session.ts'
import { optional, Strict, TemplateText, TextMap } from './shapes.ts'
import { OAuth1Method } from './sign.ts'

const schemeLiteral = <const T extends string>(name: T) =>
  Type.Literal(name, { description: 'The kind of this entry.' })

/** OAuth 1.0a (RFC 5849). */
export const OAuth1 = Strict({
  scheme: schemeLiteral('OAUTH1'),
  ...Common,
  request_token: Strict(
    { url: TemplateText('Where temporary credentials are asked for (RFC 5849 §2.1).') },
    { description: 'The first request.' },
  ),
  authorize: Strict(
    {
      url: TemplateText('Where the user is sent to consent (§2.2).'),
      params: optional(TextMap('Extra parameters.')),
    },
    { description: 'Where the user is sent.' },
  ),
  access_token: Strict(
    { url: TemplateText('Where the verifier is traded for tokens (§2.3).') },
    { description: 'The last request.' },
  ),
  signature_method: optional(OAuth1Method('How requests are signed (§3.4). Default HMAC-SHA1.')),
  realm: optional(TemplateText('Realm of the Authorization header (§3.5.1).')),
})

/** User name and password traded for a JSON Web Token. */
export const BasicWithJwt = Strict({ scheme: schemeLiteral('BASIC_WITH_JWT'), ...Common, sign_in: Session })

/** The signed grant of RFC 7523 with a key file. */
export const GoogleServiceAccount = Strict({
  scheme: schemeLiteral('GOOGLE_SERVICE_ACCOUNT'),
  ...Common,
  token: optional(
    Strict(
      {
        url: TemplateText(
          'Token endpoint; a key file that names another is refused. Default https://oauth2.googleapis.com/token.',
        ),
      },
      { description: 'Where the signed grant is traded for a token.' },
    ),
  ),
  scopes: optional(
    Strict(
      {
        default: optional(
          Type.Array(Type.String(), { description: 'Asked for when the auth config names none.' }),
        ),
      },
      { description: 'Scopes of the application.' },
    ),
  ),
  lifetime_seconds: optional(lifetime('Lifetime of a token when the reply does not say. Default 3600.')),
})

/** An application that proves itself with its key to get a token of one installation. */
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

import { type Static, Type } from 'typebox'
import { OneOfText, optional, Strict, TemplateText, Text } from './shapes.ts'

const KEY_ENCODINGS = ['pem', 'utf8', 'hex', 'base64'] as const

/** A JSON Web Token (RFC 7519) that is made here, not by the provider. */
export const Jwt = Strict(
  {
    algorithm: OneOfText(['HS256', 'HS384', 'HS512', 'RS256', 'PS256', 'ES256', 'EdDSA'], {
      description: 'How it is signed (RFC 7518).',
    }),
    key: TemplateText('Key template: a secret for HS256 to HS512, else a private key.'),
    key_encoding: optional(
      OneOfText(KEY_ENCODINGS, {
        description: 'How the key is written. Default `utf8` for HS256 to HS512, else `pem`.',
      }),
    ),
    key_id: optional(TemplateText('Header member `kid`.')),
    headers: optional(
      Type.Record(Type.String(), Type.String(), { description: 'Further members of the header, templates.' }),
    ),
    issuer: optional(TemplateText('Claim `iss`.')),
    subject: optional(TemplateText('Claim `sub`; left out when its `{name?}` is not set.')),
    audience: optional(TemplateText('Claim `aud`.')),
    lifetime_seconds: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: 'Claim `exp`, counted from now.',
    }),
    backdate_seconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: 600,
        description: 'Claim `iat` is set back by this, for providers whose clock is behind. Default 0.',
      }),
    ),
    claims: optional(
      Type.Record(
        Type.String(),
        Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())]),
        { description: 'Further claims; texts are templates, `{uuid}` is fresh each time.' },
      ),
    ),
  },
  { description: 'A signed token, made anew for each request.' },
)

/** Names of templates to the tokens that they stand for. */
export const Mint = Type.Record(Text('Name'), Jwt, {
  description:
    'Tokens made here for each request, by the name under which the templates of `apply` use them.',
})

export type JwtManifest = Static<typeof Jwt>

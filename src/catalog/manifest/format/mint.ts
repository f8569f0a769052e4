import { type Static, Type } from '../../../contract/schema-type.ts'
import { OneOfText, optional, Strict, TemplateText, Text } from './shapes.ts'

const KEY_ENCODINGS = ['pem', 'utf8', 'hex', 'base64'] as const

/** A JSON Web Token (RFC 7519) that the server signs. */
export const Jwt = Strict(
  {
    algorithm: OneOfText(['HS256', 'HS384', 'HS512', 'RS256', 'PS256', 'ES256', 'EdDSA'], {
      description: 'Signature algorithm (RFC 7518).',
    }),
    key: TemplateText('Template of the key: a secret for HS256 to HS512, else a private key.'),
    key_encoding: optional(
      OneOfText(KEY_ENCODINGS, {
        description: 'Encoding of the key. Default `utf8` for HS256 to HS512, else `pem`.',
      }),
    ),
    key_id: optional(TemplateText('Header parameter `kid`.')),
    headers: optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Further header parameters. Values are templates.',
      }),
    ),
    issuer: optional(TemplateText('Claim `iss`.')),
    subject: optional(TemplateText('Claim `sub`. Left out when its `{name?}` is not set.')),
    audience: optional(TemplateText('Claim `aud`.')),
    lifetime_seconds: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: 'Claim `exp`, in seconds from now.',
    }),
    backdate_seconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: 600,
        description:
          'Seconds by which claim `iat` is earlier than now, for providers whose clock is late. Default ' +
          '0.',
      }),
    ),
    claims: optional(
      Type.Record(
        Type.String(),
        Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())]),
        { description: 'Further claims. Texts are templates; `{uuid}` is new each time.' },
      ),
    ),
  },
  { description: 'A signed token, created for each request.' },
)

/** Names for templates to the tokens that the server signs. */
export const Mint = Type.Record(Text('Name'), Jwt, {
  description: 'Tokens that the server signs for each request, by their name in the templates of `apply`.',
})

export type JwtManifest = Static<typeof Jwt>

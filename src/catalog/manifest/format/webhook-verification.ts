import { Type } from '../../../contract/schema-type.ts'
import { OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'

const kind = <const T extends string>(name: T) =>
  Type.Literal(name, { description: 'Kind of the verification.' })

/**
 * A path into a delivery, `{method, headers, query, body, decoded}`. Header names are lower case. A form is
 * an object of its first values.
 */
export const deliveryPath = (what: string) =>
  Path(
    `${what}: a path into the delivery, such as \`headers.x-hub-signature-256\`, \`query.token\` or ` +
      `\`body.signature\`.`,
  )
const ENTRY_FIELDS = {
  separator: optional(Text('Separator of a list, e.g. `,` for `t=1,v1=abc`.', { maxLength: 3 })),
  prefix: optional(
    Text('Prefix of the value, or of the entries of the list that count, e.g. `sha256=`, `v1=`.', {
      maxLength: 40,
    }),
  ),
}
const VALUE_FIELDS = { at: deliveryPath('Location of the value'), ...ENTRY_FIELDS }

const SignedTimestamp = Strict(
  {
    ...VALUE_FIELDS,
    unit: optional(
      OneOfText(['timestamp', 'timestamp_ms', 'date'], {
        description: 'Seconds or milliseconds since 1970, or a date (ISO 8601, HTTP). Default timestamp.',
      }),
    ),
    tolerance_seconds: optional(
      Type.Integer({ minimum: 1, maximum: 86_400, description: 'Maximum difference from now. Default 300.' }),
    ),
  },
  { description: 'Time of the signature, as {timestamp}. Deliveries outside of the tolerance are rejected.' },
)

const SIGNED_FIELDS = {
  signature: Strict(
    {
      ...VALUE_FIELDS,
      encoding: optional(
        OneOfText(['hex', 'base64', 'base64url'], { description: 'Encoding of the signature. Default hex.' }),
      ),
    },
    { description: 'The signature. Of several entries one must be valid.' },
  ),
  message: optional(
    TemplateText(
      'Template of the signed text over {body} (the received bytes), {method}, {url}, {path}, ' +
        '{sorted_form} (names and values of a form, by name), {timestamp} and `values`. Default `{body}`.',
    ),
  ),
  timestamp: optional(SignedTimestamp),
  values: optional(
    Type.Record(Type.String(), deliveryPath('Location of the value'), {
      description: 'Further names for the message to their locations, e.g. `id: headers.webhook-id`.',
    }),
  ),
}

export const DIGEST_FIELDS = {
  algorithm: OneOfText(['sha256', 'sha512', 'sha1'], {
    description: 'Hash function of the HMAC (RFC 2104).',
  }),
  key: TemplateText(
    'Key: {webhook_secret}, a field of `setup`, a value of `registration.save` or `handshake.save`, or ' +
      '{client_secret} and other values of the auth config.',
  ),
  key_prefix: optional(Text('Removed from the key before it is decoded, e.g. `whsec_`.', { maxLength: 20 })),
  key_encoding: optional(
    OneOfText(['utf8', 'hex', 'base64'], { description: 'Encoding of the key. Default utf8.' }),
  ),
}

const Hmac = Strict({ kind: kind('hmac'), ...DIGEST_FIELDS, ...SIGNED_FIELDS })

const PublicKey = Strict({
  kind: kind('public_key'),
  algorithm: OneOfText(['ed25519', 'ecdsa_sha256', 'rsa_sha256', 'rsa_sha1'], {
    description: 'RFC 8032, ECDSA (DER), or RSA PKCS #1 v1.5.',
  }),
  key: TemplateText('Public key of the application.'),
  key_encoding: optional(
    OneOfText(['pem', 'base64', 'hex'], {
      description:
        'pem, or base64 of its DER (SubjectPublicKeyInfo); hex: the 32 bytes of an Ed25519 key. Default pem.',
    }),
  ),
  ...SIGNED_FIELDS,
})

const Token = Strict({
  kind: kind('token'),
  ...VALUE_FIELDS,
  equals: TemplateText('Expected value, e.g. `{webhook_secret}`.'),
  encoding: optional(
    OneOfText(['base64'], { description: 'The value is base64-encoded, as in Basic authentication.' }),
  ),
  each: optional(
    Type.Boolean({
      description:
        '`at` leads into every event of the delivery, as `item.clientState`, and each must have the value.',
    }),
  ),
})

const Jwt = Strict({
  kind: kind('jwt'),
  ...VALUE_FIELDS,
  algorithms: Type.Array(
    OneOfText(['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA', 'HS256', 'HS384', 'HS512']),
    { minItems: 1, maxItems: 10, description: 'Allowed algorithms. HS… use `key`, the others `jwks_url`.' },
  ),
  jwks_url: optional(TemplateText('URL of the public keys of the application (RFC 7517).')),
  key: optional(TemplateText('The shared secret.')),
  issuer: optional(TemplateText('Expected claim `iss`.')),
  audience: optional(TemplateText('Value that claim `aud` must contain.')),
  claims: optional(TextMap('Further claims to their expected values.')),
})

const SecretUrl = Strict(
  { kind: kind('address') },
  {
    description:
      'The application signs nothing: only the secret URL verifies the delivery. Only for `scope: instance`.',
  },
)

export const Verify = Type.Union([Hmac, PublicKey, Token, Jwt, SecretUrl], {
  discriminator: { propertyName: 'kind' },
  description: 'How a delivery is verified. Nothing is stored before that.',
})

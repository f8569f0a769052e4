import { type Static, Type } from 'typebox'
import { WAIT_UNITS } from './limits.ts'
import { Field, OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'
import { Request } from './tool.ts'
import { itemConditions } from './trigger-condition.ts'

const kind = <const T extends string>(name: T) =>
  Type.Literal(name, { description: 'Kind of the verification.' })

/**
 * A path into a delivery, `{method, headers, query, body, decoded}`. Header names are lower case. A form is
 * an object of its first values.
 */
const deliveryPath = (what: string) =>
  Path(
    `${what}: a path into the delivery, such as \`headers.x-hub-signature-256\`, \`query.token\` or \`body.signature\`.`,
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

const DIGEST_FIELDS = {
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

const Handshake = Strict({
  when: itemConditions('Conditions on the request, e.g. on `query.challenge`. All must hold.'),
  verified: optional(
    Type.Boolean({
      description: 'The request is verified like a delivery before the response is sent. Default false.',
    }),
  ),
  expect: optional(
    Type.Record(Type.String(), TemplateText('Expected value.'), {
      description:
        "Path into the request to the expected value, e.g. `query['hub.verify_token']: {verify_token}`.",
    }),
  ),
  values: optional(
    Type.Record(Type.String(), deliveryPath('Location of the value'), {
      description: 'Names for the response to their locations, e.g. `challenge: body.challenge`.',
    }),
  ),
  sign: optional(
    Strict(
      {
        name: Text('Name of the result in the response.', { pattern: '^[a-z_]+$' }),
        message: TemplateText('Template of the signed text, over `values`.'),
        ...DIGEST_FIELDS,
        encoding: optional(OneOfText(['hex', 'base64'], { description: 'Default hex.' })),
      },
      { description: 'HMAC of the challenge for the response.' },
    ),
  ),
  save: optional(
    Type.Record(Type.String(), deliveryPath('Location of the value'), {
      description:
        'Values for `verify`. They are saved once: while an instance is being registered, or while the ' +
        'webhook endpoint does not have them.',
    }),
  ),
  reply: Strict(
    {
      status: optional(Type.Integer({ minimum: 200, maximum: 204, description: 'Default 200.' })),
      text: optional(TemplateText('Plain text of the response, over `values`.')),
      json: optional(
        Type.Record(Type.String(), Type.String(), {
          description: 'JSON object of the response, with texts over `values`.',
        }),
      ),
      headers: optional(TextMap('Headers, over `values`.')),
    },
    { description: 'The response.' },
  ),
})

const Expires = Strict(
  {
    minutes: Type.Integer({
      minimum: 5,
      maximum: 525_600,
      description:
        'Validity of a registration, requested with {webhook_until} (ISO 8601) or {webhook_until_ms}. ' +
        'It applies when the response has no end.',
    }),
    at: optional(Path('Path of the end in the response.')),
    unit: optional(OneOfText(WAIT_UNITS, { description: 'Unit of the end. Default date.' })),
  },
  { description: 'The registration expires, and is renewed before that.' },
)

const Registration = Strict(
  {
    request: Request,
    save: optional(
      Type.Record(Type.String(), Path('Path of the value in the response body.'), {
        description: 'Values for later requests, such as the id: name for templates to the path.',
      }),
    ),
    expires: optional(Expires),
    renew: optional(Request),
    remove: optional(Request),
  },
  {
    description:
      'How an instance is registered at the application, renewed and removed. Requests use the names ' +
      'of `config`, {webhook_url}, {webhook_secret}, {webhook_id} (a new UUID for each registration), ' +
      'saved values, and the values of the connection. Without `renew`, an expiring registration is ' +
      'replaced by a new one.',
  },
)

const Account = Strict(
  {
    at: Path(
      'Path of the account of an event, into `{item, body, headers, query, decoded}`: a value, or a ' +
        'list of values.',
    ),
    equals: TemplateText('The same value in a connection, e.g. `{team_id}` or `{identity.tenant}`.'),
  },
  { description: 'For `scope: app`: the connected accounts of an event.' },
)

const WEBHOOK = {
  scope: optional(
    OneOfText(['instance', 'app'], {
      description:
        'instance: the server registers a URL for every instance. app: one URL for all accounts of an ' +
        'OAuth app, entered once at the application; see `setup`.',
    }),
  ),
  setup: optional(
    Type.Array(Field, {
      maxItems: 10,
      description:
        'For `scope: app`: fields of the webhook endpoint, such as the signing secret of the application.',
    }),
  ),
  constants: optional(
    TextMap('Constants for the templates: the differences between triggers that share the rest.'),
  ),
  registration: optional(Registration),
  verify: optional(Verify),
  handshake: optional(
    Type.Array(Handshake, {
      maxItems: 5,
      description: 'Requests with which the application verifies the URL.',
    }),
  ),
  account: optional(Account),
  decode: optional(
    Strict(
      {
        at: deliveryPath('Location of a text with JSON'),
        as: OneOfText(['json', 'base64'], { description: 'Encoding of the text: plain JSON, or base64.' }),
      },
      { description: 'The events are in a text inside the body. The parsed text is `decoded`.' },
    ),
  ),
  events: optional(
    Path('Path of the list of events, into `{body, decoded}`. Default: the whole body is one event.'),
  ),
  only_when: optional(
    itemConditions(
      'Conditions for an event of this trigger type and instance. All must hold. Paths lead into ' +
        '`{item, body, headers, query, method, decoded}`, e.g. `headers.x-github-event`, `item.type`.',
    ),
  ),
  skip_when: optional(itemConditions('Conditions of which one excludes an event.')),
  ping: optional(
    Type.Boolean({
      description:
        'A delivery contains no event: the trigger, which also has a `poll`, polls immediately. ' +
        'Default false.',
    }),
  ),
  key: optional(
    Type.Union(
      [Path('Path of the value.'), Type.Array(Path('Path of the value.'), { minItems: 1, maxItems: 5 })],
      {
        description:
          'Path of the unique id of an event, such as `item.id`, or several paths. An event that is ' +
          'delivered again has the same id. Default: the whole event.',
      },
    ),
  ),
}

/** A webhook trigger. */
export const TriggerWebhook = Strict(WEBHOOK, {
  description:
    'The application calls the server. Common parts of several triggers are in `webhook` of ' +
    'triggers.json; a key here replaces them.',
})

export type TriggerWebhookManifest = Static<typeof TriggerWebhook>
export type VerifyManifest = Static<typeof Verify>
export type VerifyOf<K extends VerifyManifest['kind']> = Extract<VerifyManifest, { kind: K }>
export type HandshakeManifest = Static<typeof Handshake>
export type RegistrationManifest = Static<typeof Registration>
export interface EntryManifest {
  at: string
  separator?: string
  prefix?: string
}
export interface DigestManifest {
  algorithm: 'sha256' | 'sha512' | 'sha1'
  key: string
  key_prefix?: string
  key_encoding?: 'utf8' | 'hex' | 'base64'
}

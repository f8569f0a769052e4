import { type Static, Type } from 'typebox'
import { WAIT_UNITS } from './limits.ts'
import { Field, OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'
import { Request } from './tool.ts'
import { itemConditions } from './trigger-condition.ts'

const kind = <const T extends string>(name: T) =>
  Type.Literal(name, { description: 'The kind of this proof.' })

/** Paths into a delivery, `{method, headers, query, body, decoded}`; header names are lower case, a form is an object of its first values. */
const deliveryPath = (what: string) =>
  Path(
    `${what}: a path into the delivery, such as \`headers.x-hub-signature-256\`, \`query.token\` or \`body.signature\`.`,
  )
const ENTRY_FIELDS = {
  separator: optional(
    Text('The value is a list with this between its entries, e.g. `,` for `t=1,v1=abc`.', { maxLength: 3 }),
  ),
  prefix: optional(
    Text(
      'What stands before the value, or before those entries of the list that are meant, e.g. `sha256=`, `v1=`.',
      { maxLength: 40 },
    ),
  ),
}
const VALUE_FIELDS = { at: deliveryPath('Where it stands'), ...ENTRY_FIELDS }

const SignedTimestamp = Strict(
  {
    ...VALUE_FIELDS,
    unit: optional(
      OneOfText(['timestamp', 'timestamp_ms', 'date'], {
        description: 'Seconds or milliseconds since 1970, or a date (ISO 8601, HTTP). Default timestamp.',
      }),
    ),
    tolerance_seconds: optional(
      Type.Integer({ minimum: 1, maximum: 86_400, description: 'How far it may be from now. Default 300.' }),
    ),
  },
  { description: 'When it was signed, as {timestamp}: a delivery that is older, or newer, is refused.' },
)

const SIGNED_FIELDS = {
  signature: Strict(
    {
      ...VALUE_FIELDS,
      encoding: optional(
        OneOfText(['hex', 'base64', 'base64url'], { description: 'How it is written. Default hex.' }),
      ),
    },
    { description: 'The signature. Of several entries one has to be right.' },
  ),
  message: optional(
    TemplateText(
      'What is signed: a template over {body} (the bytes as they came), {method}, {url}, {path}, {sorted_form} (names and values of a form, by name), {timestamp} and `values`. Default `{body}`.',
    ),
  ),
  timestamp: optional(SignedTimestamp),
  values: optional(
    Type.Record(Type.String(), deliveryPath('Where the value stands'), {
      description: 'Further names for the message, e.g. `id: headers.webhook-id`.',
    }),
  ),
}

const DIGEST_FIELDS = {
  algorithm: OneOfText(['sha256', 'sha512', 'sha1'], {
    description: 'Hash function of the HMAC (RFC 2104).',
  }),
  key: TemplateText(
    'Key: {webhook_secret}, a field of `setup`, what `registration.save` or `handshake.save` kept, or {client_secret} and other values of the auth config.',
  ),
  key_prefix: optional(Text('Removed from the key before it is decoded, e.g. `whsec_`.', { maxLength: 20 })),
  key_encoding: optional(
    OneOfText(['utf8', 'hex', 'base64'], { description: 'How the key is written. Default utf8.' }),
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
  equals: TemplateText('What it must be, e.g. `{webhook_secret}`.'),
  encoding: optional(
    OneOfText(['base64'], { description: 'It is written in base64, as of Basic authentication.' }),
  ),
  each: optional(
    Type.Boolean({
      description:
        '`at` leads into every event of the delivery, as `item.clientState`, and each must hold it.',
    }),
  ),
})

const Jwt = Strict({
  kind: kind('jwt'),
  ...VALUE_FIELDS,
  algorithms: Type.Array(
    OneOfText(['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA', 'HS256', 'HS384', 'HS512']),
    { minItems: 1, maxItems: 10, description: 'Which may sign. HS… take `key`, the others `jwks_url`.' },
  ),
  jwks_url: optional(TemplateText('Where the public keys of the application stand (RFC 7517).')),
  key: optional(TemplateText('The shared secret.')),
  issuer: optional(TemplateText('What `iss` must be.')),
  audience: optional(TemplateText('What `aud` must hold.')),
  claims: optional(TextMap('What further claims must be.')),
})

const SecretUrl = Strict(
  { kind: kind('address') },
  {
    description:
      'The application signs nothing: only the unguessable address proves the delivery. For `scope: instance` alone.',
  },
)

export const Verify = Type.Union([Hmac, PublicKey, Token, Jwt, SecretUrl], {
  discriminator: { propertyName: 'kind' },
  description: 'How a delivery proves that it is the application’s. Nothing is stored before that.',
})

const Handshake = Strict({
  when: itemConditions('Paths lead into the request, e.g. `query.challenge`; all must hold.'),
  verified: optional(
    Type.Boolean({
      description:
        'The request is signed as every delivery, and answered only if that is right. Default false.',
    }),
  ),
  expect: optional(
    Type.Record(Type.String(), TemplateText('What it must be.'), {
      description:
        "Path into the request to what must stand there, e.g. `query['hub.verify_token']: {verify_token}`.",
    }),
  ),
  values: optional(
    Type.Record(Type.String(), deliveryPath('Where the value stands'), {
      description: 'Names for the reply, e.g. `challenge: body.challenge`.',
    }),
  ),
  sign: optional(
    Strict(
      {
        name: Text('Name of the result for the reply.', { pattern: '^[a-z_]+$' }),
        message: TemplateText('What is signed, over `values`.'),
        ...DIGEST_FIELDS,
        encoding: optional(OneOfText(['hex', 'base64'], { description: 'Default hex.' })),
      },
      { description: 'The reply holds an HMAC of the challenge.' },
    ),
  ),
  save: optional(
    Type.Record(Type.String(), deliveryPath('Where the value stands'), {
      description:
        'What is kept for `verify`, once: while an instance is being registered, or while a webhook endpoint does not hold it.',
    }),
  ),
  reply: Strict(
    {
      status: optional(Type.Integer({ minimum: 200, maximum: 204, description: 'Default 200.' })),
      text: optional(TemplateText('A plain text over `values`.')),
      json: optional(
        Type.Record(Type.String(), Type.String(), {
          description: 'Or members of a JSON object, texts over `values`.',
        }),
      ),
      headers: optional(TextMap('Header fields, over `values`.')),
    },
    { description: 'What is answered.' },
  ),
})

const Expires = Strict(
  {
    minutes: Type.Integer({
      minimum: 5,
      maximum: 525_600,
      description:
        'How long a registration is good: asked for with {webhook_until} (ISO 8601) or {webhook_until_ms}, and what counts if the answer says nothing.',
    }),
    at: optional(Path('Where the answer says when it ends.')),
    unit: optional(OneOfText(WAIT_UNITS, { description: 'How it is written there. Default date.' })),
  },
  { description: 'The registration ends by itself; it is renewed before that.' },
)

const Registration = Strict(
  {
    request: Request,
    save: optional(
      Type.Record(Type.String(), Path('Where the value stands in the answer’s body.'), {
        description: 'What later requests need, such as the id: a name for the templates to its path.',
      }),
    ),
    expires: optional(Expires),
    renew: optional(Request),
    remove: optional(Request),
  },
  {
    description:
      'How an instance is registered at the application, renewed and removed. Requests use the names of `config`, {webhook_url}, {webhook_secret}, {webhook_id} (a new UUID at each registration), what was saved, and the values of the connection. Without `renew`, one that expires is registered anew and the old one removed.',
  },
)

const Account = Strict(
  {
    at: Path(
      'Where a delivery says whose event it is: a path into `{item, body, headers, query, decoded}`; a value, or a list of them.',
    ),
    equals: TemplateText('The same value of a connection, e.g. `{team_id}` or `{identity.tenant}`.'),
  },
  { description: 'For `scope: app`: of which connected accounts an event is.' },
)

const WEBHOOK = {
  scope: optional(
    OneOfText(['instance', 'app'], {
      description:
        'instance: the server registers an address of its own for every instance. app: one address for all accounts of an OAuth app, entered once at the application; see `setup`.',
    }),
  ),
  setup: optional(
    Type.Array(Field, {
      maxItems: 10,
      description:
        'For `scope: app`: what a webhook endpoint must hold, such as the signing secret that the application shows.',
    }),
  ),
  constants: optional(
    TextMap('Names with fixed values for the templates: what differs between triggers that share the rest.'),
  ),
  registration: optional(Registration),
  verify: optional(Verify),
  handshake: optional(
    Type.Array(Handshake, {
      maxItems: 5,
      description: 'Requests with which the application tries the address.',
    }),
  ),
  account: optional(Account),
  decode: optional(
    Strict(
      {
        at: deliveryPath('Where a text stands that holds JSON'),
        as: OneOfText(['json', 'base64'], { description: 'Whether it is JSON as it is, or in base64.' }),
      },
      { description: 'The events stand in a text inside the body; they become `decoded`.' },
    ),
  ),
  events: optional(
    Path(
      'Where the list of events stands: a path into `{body, decoded}`. Default: the whole body is one event.',
    ),
  ),
  only_when: optional(
    itemConditions(
      'Which events are of this trigger type, and wanted by an instance: all must hold. Paths lead into `{item, body, headers, query, method, decoded}`, e.g. `headers.x-github-event`, `item.type`.',
    ),
  ),
  skip_when: optional(itemConditions('An event is none if one of these holds.')),
  ping: optional(
    Type.Boolean({
      description:
        'A delivery says that something changed, and not what: the trigger, which has a `poll` too, polls at once. Default false.',
    }),
  ),
  key: optional(
    Type.Union(
      [Path('Where it stands.'), Type.Array(Path('Where it stands.'), { minItems: 1, maxItems: 5 })],
      {
        description:
          'What makes an event the same when it is delivered again: the id that the application gave it, as a path such as `item.id`, or several. Default: all that it holds.',
      },
    ),
  ),
}

/** How a trigger hears of events by webhooks of the application. */
export const TriggerWebhook = Strict(WEBHOOK, {
  description:
    'The application calls the server. What several triggers share stands once, in `webhook` of triggers.json; a member here takes its place.',
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

import { type Static, Type } from '../../../contract/schema-type.ts'
import { WAIT_UNITS } from './limits.ts'
import { Field, OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'
import { Request } from './tool-request.ts'
import { itemConditions } from './trigger-condition.ts'
import { deliveryPath, DIGEST_FIELDS, Verify } from './webhook-verification.ts'

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

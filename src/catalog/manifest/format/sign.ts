import { type Static, Type } from '../../../contract/schema-type.ts'
import { OneOfText, optional, Strict, TemplateText, Text, TextMap } from './shapes.ts'

const kind = <const T extends string>(name: T) =>
  Type.Literal(name, { description: 'Kind of the signature.' })

const Digest = {
  algorithm: OneOfText(['sha1', 'sha256', 'sha512'], { description: 'Hash function.' }),
  message: Type.String({
    description:
      'Template of the signed text over {method} {scheme} {host} {path} {query} {sorted_query} {url} ' +
      '{body} {timestamp} {timestamp_ms} {date} {nonce} and the values of the connection.',
  }),
  encoding: optional(
    OneOfText(['hex', 'base64', 'base64url'], { description: 'Encoding of {signature}. Default hex.' }),
  ),
  headers: optional(TextMap('Header name to template. It may use {signature} and the names of the message.')),
  query: optional(TextMap('Query key to template, as for `headers`.')),
}

const Hmac = Strict({
  kind: kind('hmac'),
  ...Digest,
  key: TemplateText('Template of the key.'),
  key_encoding: optional(
    OneOfText(['utf8', 'hex', 'base64'], { description: 'Encoding of the key. Default utf8.' }),
  ),
})
const Hash = Strict({ kind: kind('hash'), ...Digest })

export const OAuth1Method = (description: string) =>
  OneOfText(['HMAC-SHA1', 'HMAC-SHA256', 'PLAINTEXT'], { description })

/**
 * RFC 5849 with {consumer_key}, {consumer_secret}, {oauth_token} and {oauth_token_secret} of the connection.
 */
const OAuth1 = Strict({
  kind: kind('oauth1'),
  method: optional(OAuth1Method('Default HMAC-SHA1.')),
  realm: optional(TemplateText('Realm of the header.')),
})

const AwsSigV4 = Strict({
  kind: kind('aws_sigv4'),
  service: TemplateText('Service of the credential scope, e.g. `execute-api`.'),
  region: TemplateText('Region of the credential scope.'),
  access_key_id: TemplateText('Access key id.'),
  secret_access_key: TemplateText('Secret access key.'),
  session_token: optional(
    TemplateText('Token of temporary credentials. Left out when its `{name?}` is not set.'),
  ),
})

const Wsse = Strict({
  kind: kind('wsse'),
  username: TemplateText('User name.'),
  secret: TemplateText('Secret.'),
  digest: optional(
    OneOfText(['binary', 'hex'], {
      description: 'Value that is base64-encoded: the SHA-1 digest, or its hexadecimal text. Default binary.',
    }),
  ),
})

const HttpMessageSignature = Strict({
  kind: kind('http_message_signature'),
  algorithm: OneOfText(['ed25519'], { description: 'RFC 9421 §3.3.' }),
  key: TemplateText('Private key (PEM).'),
  key_id: TemplateText('Parameter `keyid`.'),
  components: Type.Array(
    Text(
      '`@method`, `@target-uri`, `@authority`, `@scheme`, `@request-target`, `@path`, `@query`, or a ' +
        'header name in lower case; `content-digest` and `date` are added when they are missing.',
    ),
    { minItems: 1 },
  ),
  label: optional(Text('Name of the signature. Default sig1.', { pattern: '^[a-z][a-z0-9_-]*$' })),
  send_algorithm: optional(Type.Boolean({ description: 'Adds the parameter `alg`. Default false.' })),
})

/** Signature of every request, over the bytes that are sent. */
export const Sign = Type.Union([Hmac, Hash, OAuth1, AwsSigV4, Wsse, HttpMessageSignature], {
  discriminator: { propertyName: 'kind' },
  description: 'Signature of the request. It is computed last, over the finished request.',
})

export type SignManifest = Static<typeof Sign>
export type SignOf<K extends SignManifest['kind']> = Extract<SignManifest, { kind: K }>

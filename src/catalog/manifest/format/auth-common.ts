import { type Static, Type } from '../../../contract/schema-type.ts'
import { PostConnect, Validate } from './probe-request.ts'
import { ClientAuth } from './client-auth.ts'
import { Mint } from './mint.ts'
import { SetupGuide } from './setup.ts'
import { Field, optional, Strict, TemplateText, Text, TextMap } from './shapes.ts'
import { Sign } from './sign.ts'

/** Places of the credentials in a provider request. */
export const Apply = Strict(
  {
    headers: optional(TextMap('Header name to template, e.g. `authorization: Bearer {access_token}`.')),
    query: optional(TextMap('Query key to template.')),
    body: optional(TextMap('Key of a JSON or form body to template.')),
    basic: optional(
      Strict(
        {
          username: Type.String({
            description: 'Template of the user name of HTTP Basic authentication. May be empty.',
          }),
          password: Type.String({ description: 'Template of the password. May be empty.' }),
        },
        { description: 'HTTP Basic authentication.' },
      ),
    ),
    mint: optional(Mint),
    sign: optional(Sign),
  },
  { description: 'Places of the credentials in every request of this scheme.' },
)

const Fields = Strict(
  {
    auth_config_creation: optional(
      Type.Array(Field, {
        description:
          'Fields of the auth config, which the developer fills once, in addition to those of the scheme.',
      }),
    ),
    connected_account_initiation: optional(
      Type.Array(Field, {
        description: 'Fields of the connection, which each user fills, in addition to those of the scheme.',
      }),
    ),
    omit: optional(
      Type.Array(Type.String(), {
        description: 'Names of fields of the scheme that this application does not need.',
      }),
    ),
  },
  {
    description:
      'Fields in addition to those of the scheme. A field with the same name replaces that of the scheme.',
  },
)

const Revoke = Strict(
  {
    url: TemplateText(
      'Revocation endpoint (RFC 7009), or the URL of another request that ends the access. A path is ' +
        'below `base_url`.',
    ),
    method: optional(
      Type.Union(
        [
          Type.Literal('POST'),
          Type.Literal('GET'),
          Type.Literal('PUT'),
          Type.Literal('PATCH'),
          Type.Literal('DELETE'),
        ],
        { description: 'Method of a request other than RFC 7009. Default POST.' },
      ),
    ),
    body: optional(
      Type.Union([Type.Literal('form'), Type.Literal('json'), Type.Literal('query')], {
        description: 'Where the parameters are sent. Default form.',
      }),
    ),
    params: optional(
      TextMap(
        'Parameters of a request other than RFC 7009. They may use `{access_token}` and ' +
          '`{refresh_token}`.',
      ),
    ),
    headers: optional(TextMap('Headers of the request, e.g. `authorization: Bearer {access_token}`.')),
    client_auth: optional(ClientAuth),
    success_statuses: optional(
      Type.Array(Type.Integer(), {
        description:
          'Default: any 2xx. For a request other than RFC 7009 also 404 and 410, since the access no ' +
          'longer exists.',
      }),
    ),
  },
  {
    description:
      'How access is revoked at the provider. With `method` or `params`, one request is sent as ' +
      'declared (signed under OAUTH1). Otherwise RFC 7009 applies: the refresh token, then the access ' +
      'token, with the client authentication of the scheme.',
  },
)

const Variants = Type.Array(
  Strict({
    by: Text(
      'Name of the field that selects. A field of this name in `fields` declares who fills it and its ' +
        'texts; otherwise the user fills it.',
      { pattern: '^[A-Za-z][A-Za-z0-9_-]*$' },
    ),
    default: optional(Text('Choice when none is made. Without a default, the field is required.')),
    values: Type.Record(Type.String(), TextMap('Name for templates to its value.'), {
      description:
        'Each choice with its values, e.g. `{"us": {"api_host": "api.example.com"}, "eu": {"api_host": ' +
        '"api.example.eu"}}`; all choices have the same names.',
    }),
  }),
  {
    description:
      'Named choices that change URLs: a region, a data center, a sandbox. Only the manifest sets the ' +
      'values of a choice.',
  },
)

/** Fields of every scheme. */
export const Common = {
  name: optional(Text('Display name. Default: the name of the scheme.')),
  fields: optional(Fields),
  variants: optional(Variants),
  base_url: optional(
    TemplateText('Base URL of the API under this scheme, if it differs from that of the toolkit.'),
  ),
  hint_url: optional(Text('Page of the vendor about how to get these credentials.')),
  setup: optional(SetupGuide),
  apply: optional(Apply),
  revoke: optional(Revoke),
  validate: optional(Validate),
  post_connect: optional(PostConnect),
}

export const lifetime = (description: string) => Type.Integer({ minimum: 1, description })

export type VariantManifest = Static<typeof Variants>[number]
export type FieldManifest = Static<typeof Field>
export type ApplyManifest = Static<typeof Apply>
export type RevokeManifest = Static<typeof Revoke>

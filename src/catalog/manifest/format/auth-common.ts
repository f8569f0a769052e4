import { type Static, Type } from 'typebox'
import { PostConnect, Validate } from './probe-request.ts'
import { ClientAuth } from './client-auth.ts'
import { Mint } from './mint.ts'
import { Field, optional, Strict, TemplateText, Text, TextMap } from './shapes.ts'
import { Sign } from './sign.ts'

/** How credentials go onto a provider request. */
export const Apply = Strict(
  {
    headers: optional(TextMap('Header name to template, e.g. `authorization: Bearer {access_token}`.')),
    query: optional(TextMap('Query key to template.')),
    body: optional(TextMap('Key of a JSON or form body to template.')),
    basic: optional(
      Strict(
        {
          username: TemplateText('User name of HTTP Basic authentication.'),
          password: Type.String({ description: 'Password template; may be empty.' }),
        },
        { description: 'HTTP Basic authentication.' },
      ),
    ),
    mint: optional(Mint),
    sign: optional(Sign),
  },
  { description: 'Where the credentials go on every request of this scheme.' },
)

const Fields = Strict(
  {
    auth_config_creation: optional(
      Type.Array(Field, { description: 'Asked of the developer once, beside the fields of the scheme.' }),
    ),
    connected_account_initiation: optional(
      Type.Array(Field, { description: 'Asked of each user, beside the fields of the scheme.' }),
    ),
    omit: optional(
      Type.Array(Type.String(), {
        description: "Names of the scheme's own fields that this application does not have.",
      }),
    ),
  },
  { description: 'What is asked for, beside and in place of the fields of the scheme.' },
)

const Revoke = Strict(
  {
    url: TemplateText(
      'Revocation endpoint (RFC 7009), or where the access is ended otherwise; a path is below `base_url`.',
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
        { description: 'Of a request of its own. Default POST.' },
      ),
    ),
    body: optional(
      Type.Union([Type.Literal('form'), Type.Literal('json'), Type.Literal('query')], {
        description: 'Where the parameters go. Default form.',
      }),
    ),
    params: optional(
      TextMap('Parameters of a request of its own; may use `{access_token}` and `{refresh_token}`.'),
    ),
    headers: optional(TextMap('Headers of the request, e.g. `authorization: Bearer {access_token}`.')),
    client_auth: optional(ClientAuth),
    success_statuses: optional(
      Type.Array(Type.Integer(), {
        description: 'Default: any 2xx, and for a request of its own 404 and 410: what is gone is ended.',
      }),
    ),
  },
  {
    description:
      'How the access is ended at the provider. With `method` or `params` it is one request just as it stands (under OAUTH1 signed as every other); otherwise RFC 7009: the refresh token, then the access token, with the client authentication of the scheme.',
  },
)

const Variants = Type.Array(
  Strict({
    by: Text(
      'Name of the field that chooses. A field of this name in `fields` says who is asked and in which words; without one the user is asked.',
      { pattern: '^[A-Za-z][A-Za-z0-9_-]*$' },
    ),
    default: optional(Text('The choice where nobody made one; without it the field is required.')),
    values: Type.Record(Type.String(), TextMap('Name for templates to its text.'), {
      description:
        'Each choice with what it brings, e.g. `{"us": {"api_host": "api.example.com"}, "eu": {"api_host": "api.example.eu"}}`; all bring the same names.',
    }),
  }),
  {
    description:
      'Named choices that change addresses: a region, a data centre, a sandbox. Nobody but the manifest says what a choice brings.',
  },
)

/** What every scheme may say. */
export const Common = {
  name: optional(Text('Shown to people; the default is the name of the scheme.')),
  fields: optional(Fields),
  variants: optional(Variants),
  base_url: optional(
    TemplateText("Address of the API under this scheme, where it differs from the toolkit's."),
  ),
  hint_url: optional(Text('Page of the vendor that explains how to get these credentials.')),
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

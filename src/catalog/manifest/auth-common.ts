import { type Static, Type } from 'typebox'
import { ClientAuth } from './client-auth.ts'
import { Mint } from './mint.ts'
import { Field, optional, Strict, TemplateText, Text, TextMap } from './shapes.ts'
import { Sign } from './sign.ts'

/** How credentials go onto a provider request. */
export const Apply = Strict({
  headers: optional(TextMap('Header name to template, e.g. `authorization: Bearer {access_token}`.')),
  query: optional(TextMap('Query key to template.')),
  body: optional(TextMap('Key of a JSON or form body to template.')),
  basic: optional(Strict({
    username: TemplateText('User name of HTTP Basic authentication.'),
    password: Type.String({ description: 'Password template; may be empty.' }),
  }, { description: 'HTTP Basic authentication.' })),
  mint: optional(Mint),
  sign: optional(Sign),
}, { description: 'Where the credentials go on every request of this scheme.' })

const Fields = Strict({
  auth_config_creation: optional(Type.Array(Field, { description: 'Asked of the developer once, beside the fields of the scheme.' })),
  connected_account_initiation: optional(Type.Array(Field, { description: 'Asked of each user, beside the fields of the scheme.' })),
  omit: optional(Type.Array(Type.String(), { description: "Names of the scheme's own fields that this application does not have." })),
}, { description: 'What is asked for, beside and in place of the fields of the scheme.' })

const Revoke = Strict({
  url: TemplateText('Revocation endpoint (RFC 7009), or where the access is ended otherwise; a path is below `base_url`.'),
  method: optional(Type.Union([Type.Literal('POST'), Type.Literal('GET'), Type.Literal('PUT'), Type.Literal('PATCH'), Type.Literal('DELETE')], { description: 'Of a request of its own. Default POST.' })),
  body: optional(Type.Union([Type.Literal('form'), Type.Literal('json'), Type.Literal('query')], { description: 'Where the parameters go. Default form.' })),
  params: optional(TextMap('Parameters of a request of its own; may use `{access_token}` and `{refresh_token}`.')),
  headers: optional(TextMap('Headers of the request, e.g. `authorization: Bearer {access_token}`.')),
  client_auth: optional(ClientAuth),
  success_statuses: optional(Type.Array(Type.Integer(), { description: 'Default: any 2xx, and for a request of its own 404 and 410: what is gone is ended.' })),
}, { description: 'How the access is ended at the provider. With `method` or `params` it is one request just as it stands; otherwise RFC 7009: the refresh token, then the access token, with the client authentication of the scheme.' })

/** What every scheme may say. */
export const Common = {
  name: optional(Text('Shown to people; the default is the name of the scheme.')),
  fields: optional(Fields),
  base_url: optional(TemplateText("Address of the API under this scheme, where it differs from the toolkit's.")),
  hint_url: optional(Text('Page of the vendor that explains how to get these credentials.')),
  apply: optional(Apply),
  revoke: optional(Revoke),
  validate: optional(Strict({ path: Text('Path of a harmless request that proves the credentials.'), method: optional(Text('Default GET.')) }, { description: 'How new credentials are tried.' })),
}

export const lifetime = (description: string) => Type.Integer({ minimum: 1, description })

export type FieldManifest = Static<typeof Field>
export type ApplyManifest = Static<typeof Apply>
export type RevokeManifest = Static<typeof Revoke>

import { type Static, Type } from '../../../contract/schema-type.ts'
import { Common } from './auth-common.ts'
import { Callback } from './callback.ts'
import { ClientAuth } from './client-auth.ts'
import { Authorize, Offline, Refresh, Token } from './oauth2-requests.ts'
import { optional, Strict, TemplateText, Text, TextMap } from './shapes.ts'
import { DerivedTokens } from './token-requests.ts'

const Scopes = Strict(
  {
    default: optional(Type.Array(Type.String(), { description: 'Requested when the auth config has none.' })),
    available: optional(Type.Array(Type.String(), { description: 'Scopes that the provider supports.' })),
    user_default: optional(Type.Array(Type.String(), { description: 'As `default`, for the user token.' })),
    descriptions: optional(
      Type.Record(Type.String(), Text('A sentence.', { maxLength: 120, pattern: '^[^a-z].*[^.]$' }), {
        description:
          'Scope to a sentence that tells end users what it permits, e.g. `Read and write your repositories`: ' +
          'a capital first, no full stop. Scopes with the same sentence are shown as one permission.',
      }),
    ),
  },
  { description: 'Scopes of the application.' },
)

const Resource = TemplateText(
  'Resource indicator (RFC 8707), sent in authorization, token and refresh requests.',
)

/** Authorization code grant (RFC 6749). */
export const OAuth2 = Strict({
  scheme: Type.Literal('OAUTH2', { description: 'Scheme of this entry.' }),
  ...Common,
  authorize: Authorize,
  token: Token,
  refresh: optional(Refresh),
  pkce: optional(
    Type.Union([Type.Literal('S256'), Type.Literal('plain'), Type.Literal('off')], {
      description: 'PKCE method (RFC 7636). Default S256.',
    }),
  ),
  client_auth: optional(ClientAuth),
  offline: optional(Offline),
  resource: optional(Resource),
  callback: optional(Callback),
  redirect_rules: optional(
    Strict(
      {
        https_only: optional(Type.Boolean({ description: 'The redirect URI must be https.' })),
        localhost_allowed: optional(Type.Boolean({ description: 'http is allowed for localhost.' })),
        exact: optional(
          Type.Boolean({ description: 'The redirect URI must equal the registered one exactly.' }),
        ),
      },
      { description: 'Requirements of the provider on the redirect URI.' },
    ),
  ),
  scopes: optional(Scopes),
  derived_tokens: optional(DerivedTokens),
  id_token: optional(
    Strict(
      {
        issuer: optional(TemplateText('Required claim `iss`.')),
        jwks_url: optional(
          TemplateText(
            'URL of the keys of the provider (RFC 7517), one of which must have signed the token.',
          ),
        ),
      },
      {
        description:
          'Checks of an id_token in addition to the nonce. With this, its audience must be the client ' +
          'and it must not have expired.',
      },
    ),
  ),
})

/** Client credentials grant (RFC 6749 §4.4), or another that needs no browser. */
export const S2SOAuth2 = Strict({
  scheme: Type.Literal('S2S_OAUTH2', { description: 'Scheme of this entry.' }),
  ...Common,
  token: Token,
  refresh: optional(Refresh),
  client_auth: optional(ClientAuth),
  resource: optional(Resource),
  scope_separator: optional(Type.String({ description: 'Separator of scopes. Default a space.' })),
  scopes: optional(Scopes),
})

/** The client discovers the authorization server (RFC 9728, RFC 8414) and registers itself (RFC 7591). */
export const DcrOAuth = Strict({
  scheme: Type.Literal('DCR_OAUTH', { description: 'Scheme of this entry.' }),
  ...Common,
  issuer: optional(
    TemplateText(
      'Issuer of the authorization server (RFC 8414 §2). Default: the one in the metadata of the ' +
        'protected resource (RFC 9728), else the origin of the resource.',
    ),
  ),
  resource: optional(
    TemplateText(
      'URL of the protected resource, sent in authorization, token and refresh requests (RFC 8707). ' +
        'Default `base_url`.',
    ),
  ),
  registration: optional(
    Strict(
      {
        client_name: optional(Text('Client name that the provider shows to the user. Default Patchbay.')),
        params: optional(TextMap('Further fields of the registration, e.g. `client_uri`.')),
      },
      { description: 'Client metadata of the registration.' },
    ),
  ),
  authorize: optional(
    Type.Omit(Authorize, ['url'], {
      additionalProperties: false,
      description: 'As for OAUTH2. The URL is discovered.',
    }),
  ),
  token: optional(
    Type.Omit(Token, ['url'], {
      additionalProperties: false,
      description: 'As for OAUTH2. The URL is discovered.',
    }),
  ),
  refresh: optional(Refresh),
  offline: optional(Offline),
  callback: optional(Callback),
  scopes: optional(Scopes),
})

export type ScopesManifest = Static<typeof Scopes>
export type OAuth2Manifest = Static<typeof OAuth2>
export type S2SOAuth2Manifest = Static<typeof S2SOAuth2>
export type DcrOAuthManifest = Static<typeof DcrOAuth>

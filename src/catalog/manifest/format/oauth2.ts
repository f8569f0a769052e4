import { type Static, Type } from 'typebox'
import { Common, lifetime } from './auth-common.ts'
import { Callback } from './callback.ts'
import { ClientAuth } from './client-auth.ts'
import { Jwt } from './mint.ts'
import { conditionThat, OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'
import { Sign } from './sign.ts'
import { DerivedTokens, Introspect, steps } from './token-requests.ts'

const Authorize = Strict(
  {
    url: TemplateText('Authorization endpoint (RFC 6749 §3.1); may hold connection fields.'),
    flow: optional(
      OneOfText(['install', 'inbound_install', 'admin_consent'], {
        description:
          'Where it is no authorization request. `install`: the page where an application is installed; it takes the state alone. `inbound_install`: a page of the vendor that begins the sign-in by itself and takes nothing. `admin_consent`: an administrator allows the client, which then asks for tokens by itself; it takes client id, redirect address and state.',
      }),
    ),
    params: optional(TextMap('Extra parameters, e.g. `audience`, `prompt`.')),
    rename: optional(
      TextMap('Standard parameter name to the name this provider wants, e.g. `client_id: client_key`.'),
    ),
    omit: optional(
      Type.Array(Type.String(), {
        description: 'Standard parameters that must be absent, e.g. `response_type`.',
      }),
    ),
    omit_empty: optional(
      Type.Boolean({ description: 'Leave out parameters with an empty value. Default true.' }),
    ),
    response_type: optional(Text('Default `code`.')),
    nonce: optional(
      Type.Boolean({
        description:
          'Send a nonce (OpenID Connect). Every id_token that comes back must carry it, and one must come back when `response_type` asks for it.',
      }),
    ),
    scope_separator: optional(Type.String({ description: 'Default a space.' })),
    scope_param: optional(Text('Name of the scope parameter. Default `scope`.')),
    user_scope_param: optional(
      Text('Name of the second scope parameter of providers with bot and user tokens.'),
    ),
    fragment: optional(
      Type.Boolean({ description: 'Parameters go into the fragment of the address, not its query.' }),
    ),
    raw: optional(
      Type.Array(Type.String(), { description: 'Parameters that must not be percent-encoded; `*` for all.' }),
    ),
  },
  { description: 'Where the user is sent to consent.' },
)

const Token = Strict(
  {
    url: TemplateText('Token endpoint (RFC 6749 §3.2).'),
    method: optional(
      Type.Union([Type.Literal('POST'), Type.Literal('GET')], { description: 'Default POST.' }),
    ),
    body: optional(
      Type.Union([Type.Literal('form'), Type.Literal('json'), Type.Literal('query')], {
        description: 'Where the parameters go. Default form.',
      }),
    ),
    params: optional(TextMap('Extra parameters. `{state}` is the state of the authorization.')),
    in_query: optional(
      Type.Array(Type.String(), {
        description: 'Parameters, as they are sent, that go into the query; the others stay in the body.',
      }),
    ),
    assertion: optional(Jwt),
    sign: optional(
      Type.Union(Sign.anyOf, {
        discriminator: { propertyName: 'kind' },
        description:
          'How the token request is signed, that of a renewal too, as the last thing before it is sent.',
      }),
    ),
    from_cookie: optional(Text('Name of the cookie of the reply that is the access token.')),
    from_header: optional(Text('Name of the header of the reply that is the access token.')),
    headers: optional(TextMap('Extra headers; `{uuid}` is a fresh UUID.')),
    rename: optional(TextMap('Standard parameter name to the name this provider wants.')),
    omit: optional(Type.Array(Type.String(), { description: 'Standard parameters that must be absent.' })),
    grant_type: optional(Text('Where the provider wants another word than `authorization_code`.')),
    success_statuses: optional(Type.Array(Type.Integer(), { description: 'Default: any 2xx.' })),
    success_when: optional(conditionThat('A reply is a success only when this holds.')),
    map: optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Where the standard members stand in the reply: `access_token`, `refresh_token`, `expires_in`, `scope`, `token_type`, `id_token`. `$` is the whole body.',
      }),
    ),
    secondary: optional(
      Strict(
        { access_token: Path('User token beside a bot token.'), scope: optional(Path('Its scope.')) },
        { description: 'A second token in the same reply.' },
      ),
    ),
    lifetime_seconds: optional(lifetime('Lifetime of an access token when the reply does not say.')),
    expiry_unit: optional(
      Type.Union(
        [
          Type.Literal('seconds'),
          Type.Literal('milliseconds'),
          Type.Literal('unix_seconds'),
          Type.Literal('unix_milliseconds'),
          Type.Literal('date'),
        ],
        { description: 'Meaning of the expiry member. Default seconds from now.' },
      ),
    ),
    capture: optional(
      TextMap(
        'Name of a connection value to the path in the reply where it stands, e.g. `instance_url: instance_url`.',
      ),
    ),
    introspect: optional(Introspect),
    steps: optional(
      steps(
        'Further requests before the connection works, e.g. for a token that lives long or a session, in their order. When one fails, the exchange has failed.',
      ),
    ),
  },
  { description: 'How the code is traded for tokens.' },
)

const Refresh = Strict(
  {
    url: optional(TemplateText('Where it differs from the token endpoint.')),
    method: optional(
      Type.Union([Type.Literal('POST'), Type.Literal('GET')], {
        description: 'Default that of the token endpoint.',
      }),
    ),
    body: optional(
      Type.Union([Type.Literal('form'), Type.Literal('json'), Type.Literal('query')], {
        description: 'Default that of the token endpoint.',
      }),
    ),
    params: optional(TextMap('Extra parameters on refresh.')),
    headers: optional(
      TextMap('Extra headers on refresh, beside those of the token endpoint; the same name replaces.'),
    ),
    omit: optional(Type.Array(Type.String(), { description: 'Standard parameters that must be absent.' })),
    grant_type: optional(Text('Default `refresh_token`.')),
    with: optional(
      Type.Union(
        [
          Type.Literal('refresh_token'),
          Type.Literal('access_token'),
          Type.Literal('client'),
          Type.Literal('never'),
        ],
        {
          description:
            'What is traded for a new token. Default refresh_token. `client`: nothing, the client asks anew with the token request, which must not need a code.',
        },
      ),
    ),
    steps: optional(
      steps(
        'As `token.steps`, after a renewal; those of `token` are not repeated then, unless the client asks anew. A refresh token that was handed out before a step failed is kept.',
      ),
    ),
    rotates: optional(
      Type.Union([Type.Literal('always'), Type.Literal('sometimes'), Type.Literal('never')], {
        description: 'Whether a refresh answers a new refresh token and ends the old one.',
      }),
    ),
    reuse_grace_seconds: optional(
      Type.Integer({
        minimum: 0,
        description: 'How long the old refresh token still works after a rotation.',
      }),
    ),
    margin_seconds: optional(
      Type.Integer({ minimum: 0, description: 'Refresh this long before expiry. Default 60.' }),
    ),
    max_idle_seconds: optional(lifetime('Seconds without use after which a refresh token ends.')),
    max_age_seconds: optional(lifetime('Seconds after which a refresh token ends whatever happens.')),
  },
  { description: 'How a token is renewed; without it, none is.' },
)

const Offline = Strict(
  {
    params: optional(TextMap('Parameters that ask for a refresh token.')),
    scope: optional(Text('Scope that asks for a refresh token.')),
  },
  { description: 'How a refresh token is asked for.' },
)

const Scopes = Strict(
  {
    default: optional(
      Type.Array(Type.String(), { description: 'Asked for when the auth config names none.' }),
    ),
    available: optional(Type.Array(Type.String(), { description: 'Scopes that the provider knows.' })),
    user_default: optional(Type.Array(Type.String(), { description: 'As default, for the user token.' })),
  },
  { description: 'Scopes of the application.' },
)

const Resource = TemplateText('RFC 8707 resource indicator, sent on authorize, token and refresh.')

/** Authorization code grant (RFC 6749). */
export const OAuth2 = Strict({
  scheme: Type.Literal('OAUTH2', { description: 'The kind of this entry.' }),
  ...Common,
  authorize: Authorize,
  token: Token,
  refresh: optional(Refresh),
  pkce: optional(
    Type.Union([Type.Literal('S256'), Type.Literal('plain'), Type.Literal('off')], {
      description: 'RFC 7636. Default S256.',
    }),
  ),
  client_auth: optional(ClientAuth),
  offline: optional(Offline),
  resource: optional(Resource),
  callback: optional(Callback),
  redirect_rules: optional(
    Strict(
      {
        https_only: optional(Type.Boolean({ description: 'The redirect address must be https.' })),
        localhost_allowed: optional(Type.Boolean({ description: 'Plain http is allowed for localhost.' })),
        exact: optional(Type.Boolean({ description: 'It must be registered to the letter.' })),
      },
      { description: 'What the provider asks of the redirect address.' },
    ),
  ),
  scopes: optional(Scopes),
  derived_tokens: optional(DerivedTokens),
  id_token: optional(
    Strict(
      {
        issuer: optional(TemplateText('Claim `iss` that it must have.')),
        jwks_url: optional(
          TemplateText(
            'Where the keys of the provider stand (RFC 7517); its signature must be by one of them.',
          ),
        ),
      },
      {
        description:
          'What an id_token is held to beside the nonce: with this its audience must be the client, and it must not have ended.',
      },
    ),
  ),
})

/** Client credentials grant (RFC 6749 §4.4), or another that needs no browser. */
export const S2SOAuth2 = Strict({
  scheme: Type.Literal('S2S_OAUTH2', { description: 'The kind of this entry.' }),
  ...Common,
  token: Token,
  refresh: optional(Refresh),
  client_auth: optional(ClientAuth),
  resource: optional(Resource),
  scope_separator: optional(Type.String({ description: 'Default a space.' })),
  scopes: optional(Scopes),
})

/** The client finds the authorization server (RFC 9728, RFC 8414) and registers itself (RFC 7591); what it finds needs not be said. */
export const DcrOAuth = Strict({
  scheme: Type.Literal('DCR_OAUTH', { description: 'The kind of this entry.' }),
  ...Common,
  issuer: optional(
    TemplateText(
      'The authorization server (RFC 8414 §2). Default: what the protected resource names (RFC 9728), else the origin of the resource.',
    ),
  ),
  resource: optional(
    TemplateText(
      'Address of the protected resource, sent on authorize, token and refresh (RFC 8707). Default `base_url`.',
    ),
  ),
  registration: optional(
    Strict(
      {
        client_name: optional(Text('Shown to the user at the provider. Default Patchbay.')),
        params: optional(TextMap('Further members of the registration, e.g. `client_uri`.')),
      },
      { description: 'What the client says of itself.' },
    ),
  ),
  authorize: optional(
    Type.Omit(Authorize, ['url'], {
      additionalProperties: false,
      description: 'As of OAUTH2; the address is found.',
    }),
  ),
  token: optional(
    Type.Omit(Token, ['url'], {
      additionalProperties: false,
      description: 'As of OAUTH2; the address is found.',
    }),
  ),
  refresh: optional(Refresh),
  offline: optional(Offline),
  callback: optional(Callback),
  scopes: optional(Scopes),
})

export type OAuth2Manifest = Static<typeof OAuth2>
export type S2SOAuth2Manifest = Static<typeof S2SOAuth2>
export type DcrOAuthManifest = Static<typeof DcrOAuth>

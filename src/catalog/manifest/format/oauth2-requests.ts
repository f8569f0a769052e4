import { Type } from '../../../contract/schema-type.ts'
import { lifetime } from './auth-common.ts'
import { Jwt } from './mint.ts'
import { conditionThat, OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'
import { Sign } from './sign.ts'
import { Introspect, steps } from './token-requests.ts'

export const Authorize = Strict(
  {
    url: TemplateText('Authorization endpoint (RFC 6749 §3.1). May contain connection fields.'),
    flow: optional(
      OneOfText(['install', 'inbound_install', 'admin_consent'], {
        description:
          'For pages other than an authorization request. `install`: the installation page of an ' +
          'application, which receives only the state. `inbound_install`: a page of the vendor that ' +
          'starts the sign-in and receives no parameters. `admin_consent`: an administrator allows the ' +
          'client, which then requests tokens itself; the page receives client id, redirect URI and ' +
          'state.',
      }),
    ),
    params: optional(TextMap('Extra parameters, e.g. `audience`, `prompt`.')),
    rename: optional(
      TextMap('Standard parameter name to the name at this provider, e.g. `client_id: client_key`.'),
    ),
    omit: optional(
      Type.Array(Type.String(), {
        description: 'Standard parameters that must be absent, e.g. `response_type`.',
      }),
    ),
    omit_empty: optional(
      Type.Boolean({ description: 'Leave out parameters with an empty value. Default true.' }),
    ),
    response_type: optional(Text('Response type. Default `code`.')),
    nonce: optional(
      Type.Boolean({
        description:
          'Send a nonce (OpenID Connect). Every returned id_token must contain it, and one must be ' +
          'returned when `response_type` requests it.',
      }),
    ),
    scope_separator: optional(Type.String({ description: 'Separator of scopes. Default a space.' })),
    scope_param: optional(Text('Name of the scope parameter. Default `scope`.')),
    user_scope_param: optional(
      Text('Name of the second scope parameter, at providers with bot and user tokens.'),
    ),
    fragment: optional(
      Type.Boolean({ description: 'Send the parameters in the fragment of the URL, not in the query.' }),
    ),
    raw: optional(
      Type.Array(Type.String(), { description: 'Parameters that must not be percent-encoded; `*` for all.' }),
    ),
  },
  { description: 'Page where the user consents.' },
)

export const Token = Strict(
  {
    url: TemplateText('Token endpoint (RFC 6749 §3.2).'),
    method: optional(
      Type.Union([Type.Literal('POST'), Type.Literal('GET')], { description: 'Default POST.' }),
    ),
    body: optional(
      Type.Union([Type.Literal('form'), Type.Literal('json'), Type.Literal('query')], {
        description: 'Where the parameters are sent. Default form.',
      }),
    ),
    params: optional(TextMap('Extra parameters. `{state}` is the state of the authorization request.')),
    in_query: optional(
      Type.Array(Type.String(), {
        description:
          'Parameters that are sent in the query, by the names that are sent. The others are in the body.',
      }),
    ),
    assertion: optional(Jwt),
    sign: optional(
      Type.Union(Sign.anyOf, {
        discriminator: { propertyName: 'kind' },
        description:
          'Signature of the token request and of the refresh request. It is computed last, over the ' +
          'finished request.',
      }),
    ),
    from_cookie: optional(Text('Name of the response cookie with the access token.')),
    from_header: optional(Text('Name of the response header with the access token.')),
    headers: optional(TextMap('Extra headers. `{uuid}` is a new UUID.')),
    rename: optional(TextMap('Standard parameter name to the name at this provider.')),
    omit: optional(Type.Array(Type.String(), { description: 'Standard parameters that must be absent.' })),
    grant_type: optional(Text('Grant type. Default `authorization_code`.')),
    success_statuses: optional(Type.Array(Type.Integer(), { description: 'Default: any 2xx.' })),
    success_when: optional(conditionThat('A response is successful only when this condition holds.')),
    map: optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Paths of the standard fields in the response: `access_token`, `refresh_token`, ' +
          '`expires_in`, `scope`, `token_type`, `id_token`. `$` is the whole body.',
      }),
    ),
    secondary: optional(
      Strict(
        {
          access_token: Path('Path of a user token next to a bot token.'),
          scope: optional(Path('Path of its scope.')),
        },
        { description: 'A second token in the same response.' },
      ),
    ),
    lifetime_seconds: optional(
      lifetime('Lifetime of an access token in seconds when the response has none.'),
    ),
    expiry_unit: optional(
      Type.Union(
        [
          Type.Literal('seconds'),
          Type.Literal('milliseconds'),
          Type.Literal('unix_seconds'),
          Type.Literal('unix_milliseconds'),
          Type.Literal('date'),
        ],
        { description: 'Unit of the expiry field. Default seconds from now.' },
      ),
    ),
    capture: optional(
      TextMap('Name of a connection value to its path in the response, e.g. `instance_url: instance_url`.'),
    ),
    introspect: optional(Introspect),
    steps: optional(
      steps(
        'Further requests before the connection works, e.g. for a long-lived token or a session, in ' +
          'order. If one fails, the exchange fails.',
      ),
    ),
  },
  { description: 'Request that exchanges the code for tokens.' },
)

export const Refresh = Strict(
  {
    url: optional(TemplateText('URL of the refresh request. Default: the token endpoint.')),
    method: optional(
      Type.Union([Type.Literal('POST'), Type.Literal('GET')], {
        description: 'Default: as for the token endpoint.',
      }),
    ),
    body: optional(
      Type.Union([Type.Literal('form'), Type.Literal('json'), Type.Literal('query')], {
        description: 'Default: as for the token endpoint.',
      }),
    ),
    params: optional(TextMap('Extra parameters of the refresh request.')),
    headers: optional(
      TextMap(
        'Extra headers of the refresh request, in addition to those of the token endpoint. The same name ' +
          'replaces.',
      ),
    ),
    omit: optional(Type.Array(Type.String(), { description: 'Standard parameters that must be absent.' })),
    grant_type: optional(Text('Grant type. Default `refresh_token`.')),
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
            'What is exchanged for a new token. Default refresh_token. `client`: the client sends the ' +
            'token request again, which must not need a code.',
        },
      ),
    ),
    steps: optional(
      steps(
        'As `token.steps`, after a refresh. Those of `token` run only with `"with": "client"`. A ' +
          'refresh token that was returned before a step failed is stored.',
      ),
    ),
    rotates: optional(
      Type.Union([Type.Literal('always'), Type.Literal('sometimes'), Type.Literal('never')], {
        description: 'Whether a refresh returns a new refresh token and ends the old one.',
      }),
    ),
    reuse_grace_seconds: optional(
      Type.Integer({
        minimum: 0,
        description: 'Seconds for which the old refresh token works after a rotation.',
      }),
    ),
    margin_seconds: optional(
      Type.Integer({
        minimum: 0,
        description: 'Seconds before expiry at which a token is refreshed. Default 60.',
      }),
    ),
    max_idle_seconds: optional(lifetime('Seconds without use after which a refresh token expires.')),
    max_age_seconds: optional(lifetime('Seconds after which a refresh token expires in any case.')),
  },
  { description: 'How a token is refreshed. Without it, tokens are not refreshed.' },
)

export const Offline = Strict(
  {
    params: optional(TextMap('Parameters that request a refresh token.')),
    scope: optional(Text('Scope that requests a refresh token.')),
  },
  { description: 'How a refresh token is requested.' },
)

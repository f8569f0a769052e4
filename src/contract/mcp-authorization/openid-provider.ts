import { type Static, Type } from '../schema-type.ts'
import { Described, Nullable, Timestamp, Url } from '../common.ts'
import { route } from '../route.ts'

// An extension of this server: users of MCP clients sign in at the identity provider of the project.
const ClientId = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: '^[\\x20-\\x7e]+$',
  description: 'Client id of this server at the provider.',
})
const Scopes = Type.String({
  minLength: 6,
  maxLength: 1_000,
  pattern: '^([\\x21\\x23-\\x5b\\x5d-\\x7e]+ )*openid( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$',
  description: 'Scopes that are requested, separated by spaces, with `openid`.',
  examples: ['openid email'],
})
const Claim = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[A-Za-z0-9_.:/-]+$',
  description: 'Claim whose text is the user id.',
  examples: ['sub'],
})
const DisplayName = Type.String({
  minLength: 1,
  maxLength: 80,
  description: 'Name of the provider on the sign-in page.',
  examples: ['Example SSO'],
})

export const McpOpenIdProvider = Type.Object(
  {
    issuer: Described(Url, 'Issuer of the provider.'),
    client_id: ClientId,
    has_client_secret: Type.Boolean({ description: 'Whether a secret is stored. It is never returned.' }),
    name: DisplayName,
    scopes: Scopes,
    user_id_claim: Claim,
    updated_at: Described(Timestamp, 'When the provider was last changed.'),
  },
  { $id: 'McpOpenIdProvider' },
)
export type McpOpenIdProvider = Static<typeof McpOpenIdProvider>

const Reply = Type.Object({
  provider: Nullable(Described(McpOpenIdProvider, 'The provider; null if none is set.'), {
    description: 'The provider; null if none is set.',
  }),
  redirect_uri: Type.String({ description: 'Redirect URI of this project, to register at the provider.' }),
})

const PATH = '/mcp/authorization/openid_provider'

export const readMcpOpenIdProvider = route({
  id: 'mcp.readOpenIdProvider',
  method: 'GET',
  path: PATH,
  summary: 'Read the identity provider of MCP users',
  description:
    'An extension of this server. Returns the OpenID provider at which users of MCP clients sign in, without its ' +
    'secret, and the redirect URI that the provider must allow.',
  audience: 'project',
  permission: { area: 'sessions', level: 'read' },
  reply: Reply,
})

export const setMcpOpenIdProvider = route({
  id: 'mcp.setOpenIdProvider',
  method: 'PUT',
  path: PATH,
  summary: 'Set the identity provider of MCP users',
  description:
    'An extension of this server. Users of MCP clients sign in at this OpenID provider (authorization code, PKCE, ' +
    'nonce), and the text of a claim is their user id. The metadata of the issuer are read before anything is ' +
    'stored. Without `client_secret` the stored secret stays, unless the issuer or the client id changes.',
  example: {
    body: {
      issuer: 'https://login.example.com',
      client_id: 'patchbay',
      client_secret: 'secret-example',
      name: 'Example SSO',
    },
    needs: 'a provider',
  },
  audience: 'project',
  body: Type.Object({
    issuer: Described(
      Url,
      'Issuer, as the provider writes it, without `/.well-known/openid-configuration`. It must use https; http is ' +
        'for localhost only.',
    ),
    client_id: ClientId,
    client_secret: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 4_000,
          pattern: '^[\\x20-\\x7e]+$',
          description: 'Client secret; null for a public client.',
        }),
        { description: 'Client secret; null for a public client.' },
      ),
    ),
    name: Type.Optional(Described(DisplayName, 'Name on the sign-in page. Default: the host of the issuer.')),
    scopes: Type.Optional(
      Described(Scopes, 'Scopes, with `openid`. Default: `openid`, and those that deliver `user_id_claim`.'),
    ),
    user_id_claim: Type.Optional(
      Described(
        Claim,
        'Claim whose text is the user id. Default `sub`. `email` counts only if the provider verified it.',
      ),
    ),
  }),
  reply: Reply,
  errors: ['Mcp_ProviderUnusable'],
})

export const deleteMcpOpenIdProvider = route({
  id: 'mcp.deleteOpenIdProvider',
  method: 'DELETE',
  path: PATH,
  summary: 'Remove the identity provider of MCP users',
  description: 'An extension of this server. Removes the provider and its secret. Grants of its users stay.',
  example: {},
  audience: 'project',
  reply: Type.Object({ success: Type.Boolean({ description: 'Always true.' }) }),
})

import { type Static, Type } from '../schema-type.ts'
import { Described, Nullable, Timestamp, Url } from '../common.ts'
import {
  Claim,
  ClientId,
  ClientSecret,
  Issuer,
  ProviderName,
  ProviderTest,
  Scopes,
} from '../openid-fields.ts'
import { route } from '../route.ts'

// An extension of this server: users of MCP clients sign in at the identity provider of the project.
const UserIdClaim = Described(Claim, 'Claim whose text is the user id.')

export const McpOpenIdProvider = Type.Object(
  {
    issuer: Described(Url, 'Issuer of the provider.'),
    client_id: ClientId,
    has_client_secret: Type.Boolean({ description: 'Whether a secret is stored. It is never returned.' }),
    name: ProviderName,
    scopes: Scopes,
    user_id_claim: UserIdClaim,
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

const Body = Type.Object({
  issuer: Issuer,
  client_id: ClientId,
  client_secret: Type.Optional(ClientSecret),
  name: Type.Optional(Described(ProviderName, 'Name on the sign-in page. Default: the host of the issuer.')),
  scopes: Type.Optional(
    Described(Scopes, 'Scopes, with `openid`. Default: `openid`, and those that deliver `user_id_claim`.'),
  ),
  user_id_claim: Type.Optional(
    Described(
      Claim,
      'Claim whose text is the user id. Default `sub`. `email` counts only if the provider verified it.',
    ),
  ),
})
export type McpOpenIdProviderDraft = Static<typeof Body>

const example = {
  body: {
    issuer: 'https://login.example.com',
    client_id: 'patchbay',
    client_secret: 'secret-example',
    name: 'Example SSO',
  },
  needs: 'a provider',
}

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
  example,
  audience: 'project',
  body: Body,
  reply: Reply,
  errors: ['Mcp_ProviderUnusable'],
})

export const testMcpOpenIdProvider = route({
  id: 'mcp.testOpenIdProvider',
  method: 'POST',
  path: `${PATH}/test`,
  summary: 'Test an identity provider of MCP users',
  description:
    'An extension of this server. Reads the metadata and keys of a provider, and sends a token request with an ' +
    'invalid code, of which the error says whether the provider accepts the client. Stores nothing. Without ' +
    '`client_secret` the stored secret is used, if issuer and client id are the stored ones.',
  example,
  audience: 'project',
  body: Body,
  reply: ProviderTest,
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

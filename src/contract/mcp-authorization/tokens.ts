import { Type } from '../schema-type.ts'
import { Described, Enum, Timestamp } from '../common.ts'
import { route } from '../route.ts'
import { McpClientGrant } from './client-grants.ts'
import { area } from './shared.ts'

const Token = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'Access token or refresh token of an MCP client.',
  examples: ['mat_…'],
})

export const introspectMcpToken = route({
  id: 'mcp.introspectToken',
  audit: false,
  method: 'POST',
  path: '/mcp/tokens/introspect',
  summary: 'Look up a token of an MCP client',
  description:
    'Returns whether a token is valid, which grant it belongs to and what it may do, for example when one appears in ' +
    'a log. A token that is unknown, expired or of another project is only reported as not active.',
  example: { body: { token: 'mat_example' } },
  audience: 'project',
  permission: { area, level: 'read' },
  body: Type.Object({ token: Token }),
  reply: Type.Object({
    active: Type.Boolean({
      description: 'Whether the token is valid. Without it, there are no other fields.',
    }),
    token_type: Type.Optional(Enum(['access_token', 'refresh_token'], { description: 'Kind of the token.' })),
    expires_at: Type.Optional(Described(Timestamp, 'When the token expires.')),
    key_thumbprint: Type.Optional(
      Type.String({
        description:
          'Thumbprint (RFC 7638) of the key that the token is bound to; absent for a bearer token.',
      }),
    ),
    grant: Type.Optional(Described(McpClientGrant, 'The grant that the token belongs to.')),
  }),
})

export const revokeMcpToken = route({
  id: 'mcp.revokeToken',
  method: 'POST',
  path: '/mcp/tokens/revoke',
  summary: 'Revoke the grant of a token',
  description:
    'Revokes the grant that a token belongs to, with all its tokens, for example when one leaked. The user can sign ' +
    'in again. An expired token revokes its grant, too.',
  example: { body: { token: 'mat_example' }, needs: 'a token' },
  audience: 'project',
  permission: { area, level: 'write' },
  body: Type.Object({ token: Token }),
  reply: Type.Object({
    id: Type.String({ description: 'Id of the grant.' }),
    deleted: Type.Boolean({ description: 'Always true.' }),
  }),
  errors: ['Mcp_GrantNotFound'],
})

import { type Static, Type } from 'typebox'
import { PageOf, PageQuery, Timestamp, UserId } from './common.ts'
import { route } from './route.ts'

const area = 'sessions'
const ServerId = Type.String({
  minLength: 1,
  maxLength: 256,
  examples: ['6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55'],
})
const SessionId = Type.String({ minLength: 1, maxLength: 80, examples: ['trs_h3Pw7Yc0bR2k'] })

export const createMcpSignInLink = route({
  id: 'mcp.createSignInLink',
  method: 'POST',
  path: '/mcp/sign_in_links',
  summary: 'Create a link by which a user signs in for an MCP client',
  audience: 'project',
  permission: { area, level: 'write' },
  body: Type.Object({
    user_id: UserId,
    mcp_server_id: Type.Optional(ServerId),
    session_id: Type.Optional(SessionId),
    sign_in_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description:
          'What the browser brought to the mcp_sign_in_url of the project, in place of a server or session.',
      }),
    ),
  }),
  status: 201,
  reply: Type.Object({
    url: Type.String({ description: 'For the browser of that user only. It works once, for ten minutes.' }),
    expires_at: Timestamp,
  }),
  errors: ['Mcp_ServerNotFound', 'Mcp_SignInNotFound', 'Mcp_OtherUser'],
})

export const McpClientGrant = Type.Object(
  {
    id: Type.String(),
    user_id: Type.String(),
    mcp_server_id: Type.Optional(Type.String()),
    session_id: Type.Optional(Type.String()),
    client: Type.Object({
      id: Type.String(),
      name: Type.String({ description: 'As the client calls itself.' }),
    }),
    created_at: Timestamp,
    last_used_at: Timestamp,
  },
  { $id: 'McpClientGrant' },
)
export type McpClientGrant = Static<typeof McpClientGrant>

export const listMcpClientGrants = route({
  id: 'mcp.listClientGrants',
  method: 'GET',
  path: '/mcp/client_grants',
  summary: 'List the MCP clients that users have signed in to',
  audience: 'project',
  permission: { area, level: 'read' },
  query: Type.Object({
    user_id: Type.Optional(UserId),
    mcp_server_id: Type.Optional(ServerId),
    session_id: Type.Optional(SessionId),
    ...PageQuery,
  }),
  reply: PageOf(McpClientGrant),
})
export const deleteMcpClientGrant = route({
  id: 'mcp.deleteClientGrant',
  method: 'DELETE',
  path: '/mcp/client_grants/:grant_id',
  summary: 'Sign an MCP client out; its tokens stop working at once',
  audience: 'project',
  permission: { area, level: 'write' },
  params: Type.Object({ grant_id: Type.String({ minLength: 1, maxLength: 80 }) }),
  reply: Type.Object({ id: Type.String(), deleted: Type.Boolean() }),
  errors: ['Mcp_GrantNotFound'],
})

import { type Static, Type } from './schema-type.ts'
import { Described, exampleId, PageOf, PageQuery, Timestamp, UserId } from './common.ts'
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
  summary: 'Create a sign-in link for an MCP client',
  description:
    'Creates a link with which a user of your application signs in for an MCP client. Create it only ' +
    'for the user who is signed in to your application, and redirect the browser of that user to it. ' +
    'The link works once and expires after ten minutes. A restricted key also needs `tool_execution` `write`.',
  example: { body: { user_id: 'user-17', session_id: exampleId('trs') }, needs: 'a session of the user' },
  audience: 'project',
  permission: { area, level: 'write' },
  body: Type.Object({
    user_id: Described(UserId, 'Id of the user who signs in.'),
    mcp_server_id: Type.Optional(
      Described(ServerId, 'Id of the MCP server. Send it, `session_id` or `sign_in_id`.'),
    ),
    session_id: Type.Optional(Described(SessionId, 'Id of the session, `trs_…`.')),
    sign_in_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description:
          'Value of `sign_in_id` with which the browser reached the project’s ' +
          '`mcp_sign_in_url`, in place of a server or a session.',
      }),
    ),
  }),
  status: 201,
  reply: Type.Object({
    url: Type.String({
      description: 'URL for the browser of this user only. It works once, for ten minutes.',
    }),
    expires_at: Described(Timestamp, 'When the link expires.'),
  }),
  errors: ['Mcp_ServerNotFound', 'Mcp_SignInNotFound', 'Mcp_OtherUser'],
})

export const McpClientGrant = Type.Object(
  {
    id: Type.String({ description: 'Id of the grant.' }),
    user_id: Type.String({ description: 'Id of the user who signed in.' }),
    mcp_server_id: Type.Optional(
      Type.String({ description: 'Id of the MCP server, when the grant is for one.' }),
    ),
    session_id: Type.Optional(
      Type.String({ description: 'Id of the session, `trs_…`, when the grant is for one.' }),
    ),
    client: Type.Object(
      {
        id: Type.String({ description: 'Id of the client.' }),
        name: Type.String({ description: 'Name that the client gives itself. It is not verified.' }),
      },
      { description: 'MCP client that received the grant.' },
    ),
    created_at: Described(Timestamp, 'When the user signed in.'),
    last_used_at: Described(Timestamp, 'When the client last used the grant.'),
  },
  { $id: 'McpClientGrant' },
)
export type McpClientGrant = Static<typeof McpClientGrant>

export const listMcpClientGrants = route({
  id: 'mcp.listClientGrants',
  method: 'GET',
  path: '/mcp/client_grants',
  summary: 'List the grants of MCP clients',
  description:
    'Returns a page of the grants of MCP clients, newest first: which clients may call which servers ' +
    'and sessions for which users.',
  example: { query: { user_id: 'user-17' } },
  audience: 'project',
  permission: { area, level: 'read' },
  query: Type.Object({
    user_id: Type.Optional(Described(UserId, 'Only grants of this user.')),
    mcp_server_id: Type.Optional(Described(ServerId, 'Only grants for this MCP server.')),
    session_id: Type.Optional(Described(SessionId, 'Only grants for this session.')),
    ...PageQuery,
  }),
  reply: PageOf(McpClientGrant),
})
export const deleteMcpClientGrant = route({
  id: 'mcp.deleteClientGrant',
  method: 'DELETE',
  path: '/mcp/client_grants/:grant_id',
  summary: 'Revoke the grant of an MCP client',
  description:
    'Revokes the grant of an MCP client. Its tokens stop working at once; the user can sign in again.',
  example: { params: { grant_id: exampleId('grant') }, needs: 'a grant' },
  audience: 'project',
  permission: { area, level: 'write' },
  params: Type.Object({
    grant_id: Type.String({ minLength: 1, maxLength: 80, description: 'Id of the grant.' }),
  }),
  reply: Type.Object({
    id: Type.String({ description: 'Id of the grant.' }),
    deleted: Type.Boolean({ description: 'Always true.' }),
  }),
  errors: ['Mcp_GrantNotFound'],
})

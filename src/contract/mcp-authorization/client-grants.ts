import { type Static, Type } from '../schema-type.ts'
import { Described, exampleId, Nullable, PageOf, PageQuery, Timestamp, UserId } from '../common.ts'
import { route } from '../route.ts'
import { area, ServerId, SessionId } from './shared.ts'

const ClientId = Type.String({ minLength: 1, maxLength: 1_024, examples: ['mcc_h3Pw7Yc0bR2kT5nVx8LqZ1Ga'] })

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
        authentication: Nullable(
          Type.String({ description: 'How the client authenticated when the user signed in.' }),
          {
            description:
              'How the client authenticated when the user signed in: `none`, `client_secret_basic`, ' +
              '`client_secret_post` or `private_key_jwt`; null for grants of an earlier release.',
          },
        ),
      },
      { description: 'MCP client that received the grant.' },
    ),
    created_at: Described(Timestamp, 'When the user signed in.'),
    last_used_at: Described(
      Timestamp,
      'When the client last received tokens. A client in use does so every hour.',
    ),
    expires_at: Described(
      Timestamp,
      'When the user has to sign in again, however often the client refreshes.',
    ),
  },
  { $id: 'McpClientGrant' },
)
export type McpClientGrant = Static<typeof McpClientGrant>

/** Filters of grants; several of them select the grants that match all. */
const Filters = {
  user_id: Type.Optional(Described(UserId, 'Only grants of this user.')),
  mcp_server_id: Type.Optional(Described(ServerId, 'Only grants for this MCP server.')),
  session_id: Type.Optional(Described(SessionId, 'Only grants for this session.')),
  client_id: Type.Optional(Described(ClientId, 'Only grants of this client.')),
}

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
    ...Filters,
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

export const deleteMcpClientGrants = route({
  id: 'mcp.deleteClientGrants',
  method: 'DELETE',
  path: '/mcp/client_grants',
  summary: 'Revoke the grants of a user, a client or an MCP server',
  description:
    'Revokes all grants that match every given filter, and returns their number. At least one filter is required. ' +
    'Their tokens stop working at once; the users can sign in again.',
  example: { query: { user_id: 'user-17' } },
  audience: 'project',
  permission: { area, level: 'write' },
  query: Type.Object(Filters),
  reply: Type.Object({ deleted: Type.Integer({ description: 'Number of grants that were revoked.' }) }),
})

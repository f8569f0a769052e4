import { Type } from '../schema-type.ts'
import { Described, Timestamp, UserId } from '../common.ts'
import { route } from '../route.ts'
import {
  INSTANCES_PER_PAGE,
  orderAndPage,
  PageNumberFields,
  readAccess,
  ServerId,
  writeAccess,
} from './schemas.ts'

const Instance = Type.Object(
  {
    id: Type.String({ description: 'Id of the instance.' }),
    instance_id: Type.String({ description: 'Id of the user.' }),
    mcp_server_id: Type.String({ description: 'Id of the MCP server.' }),
    mcp_url: Type.String({ description: 'URL of the server for this user.' }),
    created_at: Described(Timestamp, 'When the instance was created.'),
    updated_at: Described(Timestamp, 'When the instance was last changed.'),
  },
  { $id: 'McpServerInstance' },
)

const ServerParams = Type.Object({ server_id: Described(ServerId, 'Id of the MCP server.') })

export const listMcpInstances = route({
  ...readAccess,
  id: 'mcp.listInstances',
  method: 'GET',
  path: '/mcp/servers/:server_id/instances',
  summary: 'List the instances of an MCP server',
  description: 'Returns a page of the instances of an MCP server: the users that it was set up for.',
  example: { params: { server_id: '6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55' }, needs: 'an MCP server' },
  params: ServerParams,
  query: Type.Object({
    search: Type.Optional(
      Type.String({ maxLength: 256, description: 'Part of the user id, in any letter case.' }),
    ),
    ...orderAndPage(INSTANCES_PER_PAGE),
  }),
  reply: Type.Object({
    instances: Type.Array(Instance, { description: 'Instances of this page.' }),
    server_id: Type.String({ description: 'Id of the MCP server.' }),
    server_name: Type.String({ description: 'Name of the MCP server.' }),
    ...PageNumberFields,
  }),
  errors: ['Mcp_ServerNotFound'],
})

export const createMcpInstance = route({
  ...writeAccess,
  id: 'mcp.createInstance',
  method: 'POST',
  path: '/mcp/servers/:server_id/instances',
  summary: 'Create an instance of an MCP server',
  description:
    'Sets an MCP server up for one user. The user needs a connected account for every auth config of ' +
    'the server; otherwise the call returns `Mcp_NotConnected`.',
  example: {
    params: { server_id: '6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55' },
    body: { user_id: 'user-17' },
    needs: 'an MCP server',
  },
  params: ServerParams,
  body: Type.Object({ user_id: Described(UserId, 'Id of the user.') }),
  status: 201,
  reply: Instance,
  errors: ['Mcp_ServerNotFound', 'Mcp_NotConnected', 'Mcp_InstanceExists'],
})

export const deleteMcpInstance = route({
  ...writeAccess,
  id: 'mcp.deleteInstance',
  method: 'DELETE',
  path: '/mcp/servers/:server_id/instances/:instance_id',
  summary: 'Delete an instance of an MCP server',
  description:
    'Deletes the instance of one user, and the connected accounts that the user has for the auth ' +
    'configs of the server. A restricted key also needs `connected_accounts` `write`.',
  example: {
    params: { server_id: '6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55', instance_id: 'user-17' },
    needs: 'an instance',
  },
  params: Type.Object({
    server_id: Described(ServerId, 'Id of the MCP server.'),
    instance_id: Described(UserId, 'Id of the user.'),
  }),
  reply: Type.Object({
    message: Type.String({ description: 'Summary of what was deleted.' }),
    deleted_connected_accounts: Type.Integer({
      description: 'Number of connected accounts that were deleted.',
    }),
  }),
  errors: ['Mcp_ServerNotFound', 'Mcp_InstanceNotFound'],
})

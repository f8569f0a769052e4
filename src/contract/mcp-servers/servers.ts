import { Type } from '../schema-type.ts'
import { Described, ToolkitSlug, UserId } from '../common.ts'
import { route } from '../route.ts'
import {
  AuthConfigIds,
  McpServer,
  readAccess,
  ServerFields,
  ServerId,
  ServerName,
  ServerPage,
  ServerQuery,
  Toolkits,
  Tools,
  writeAccess,
} from './schemas.ts'

export const listMcpServers = route({
  ...readAccess,
  id: 'mcp.list',
  method: 'GET',
  path: '/mcp/servers',
  summary: 'List MCP servers',
  description: 'Returns a page of the MCP servers of the project. Pages are selected by `page_no`.',
  example: { query: { limit: 20 } },
  query: ServerQuery,
  reply: ServerPage,
})

export const listMcpServersForApp = route({
  ...readAccess,
  id: 'mcp.listForApp',
  method: 'GET',
  path: '/mcp/app/:app_key',
  summary: 'List MCP servers of one toolkit',
  description: 'Returns a page of the MCP servers that offer one toolkit.',
  example: { params: { app_key: 'hackernews' } },
  params: Type.Object({ app_key: Described(ToolkitSlug, 'Slug of the toolkit.') }),
  query: ServerQuery,
  reply: ServerPage,
  errors: ['Toolkit_ToolkitNotFound'],
})

export const createMcpServer = route({
  ...writeAccess,
  id: 'mcp.create',
  method: 'POST',
  path: '/mcp/servers',
  summary: 'Create an MCP server',
  description:
    'Creates an MCP server from auth configs, and from toolkits that need no authentication. Each ' +
    'user calls the tools with their own connected accounts.',
  example: { body: { name: 'News helper', auth_config_ids: [], no_auth_apps: ['hackernews'] } },
  body: Type.Object({
    name: Described(ServerName, 'Name of the server: letters, digits, spaces and hyphens.'),
    auth_config_ids: Described(
      AuthConfigIds,
      'Ids of the auth configs whose accounts the tools use, `ac_…`. At most 100.',
    ),
    no_auth_apps: Type.Optional(
      Type.Array(ToolkitSlug, {
        maxItems: 200,
        description: 'Slugs of toolkits that need no authentication.',
      }),
    ),
    allowed_tools: Type.Optional(Tools),
    managed_auth_via_service: Type.Optional(
      Type.Boolean({
        description: 'Whether clients see a tool with which users connect their accounts. Default false.',
      }),
    ),
  }),
  status: 201,
  reply: McpServer,
  errors: ['Auth_Config_NotFound'],
})

export const createCustomMcpServer = route({
  ...writeAccess,
  id: 'mcp.createCustom',
  method: 'POST',
  path: '/mcp/servers/custom',
  summary: 'Create an MCP server from several toolkits',
  description: 'Creates an MCP server from a list of toolkits. Auth configs are optional.',
  example: { body: { name: 'News helper', toolkits: ['hackernews', 'utilities'] } },
  body: Type.Object({
    name: Described(ServerName, 'Name of the server: letters, digits, spaces and hyphens.'),
    auth_config_ids: Type.Optional(
      Described(AuthConfigIds, 'Ids of the auth configs whose accounts the tools use, `ac_…`. At most 100.'),
    ),
    toolkits: Type.Optional(Described(Toolkits, 'Slugs of toolkits. At most 200.')),
    allowed_tools: Type.Optional(Tools),
    custom_tools: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 1000,
        description: 'Deprecated: use `allowed_tools`.',
      }),
    ),
    managed_auth_via_service: Type.Optional(
      Type.Boolean({
        description: 'Whether clients see a tool with which users connect their accounts. Default false.',
      }),
    ),
  }),
  status: 201,
  reply: Type.Object(ServerFields),
  errors: ['Auth_Config_NotFound'],
})

const UserIds = Type.Array(UserId, { maxItems: 100 })

export const generateMcpUrls = route({
  ...readAccess,
  id: 'mcp.generate',
  method: 'POST',
  path: '/mcp/servers/generate',
  summary: 'Generate the URLs of an MCP server',
  description: 'Returns the URLs of an MCP server for users and connected accounts. Nothing is stored.',
  example: {
    body: { mcp_server_id: '6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55', user_ids: ['user-17'] },
    needs: 'an MCP server',
  },
  permission: { area: 'sessions', level: 'write' },
  body: Type.Object({
    mcp_server_id: Described(ServerId, 'Id of the MCP server.'),
    managed_auth_by_service: Type.Optional(
      Type.Boolean({
        description: 'Whether clients see a tool with which users connect their accounts. Default false.',
      }),
    ),
    user_ids: Type.Optional(Described(UserIds, 'Users to generate URLs for.')),
    connected_account_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
        maxItems: 100,
        description: 'Connected accounts to generate URLs for.',
      }),
    ),
  }),
  reply: Type.Object({
    mcp_url: Type.String({ description: 'URL of the server without a user.' }),
    connected_account_urls: Type.Array(Type.String(), {
      description: 'One URL for each connected account, in the order of the request.',
    }),
    user_ids_url: Type.Array(Type.String(), {
      description: 'One URL for each user, in the order of the request.',
    }),
  }),
  errors: ['Mcp_ServerNotFound'],
})

const ServerIdParams = Type.Object({ id: Described(ServerId, 'Id of the MCP server.') })

export const readMcpServer = route({
  ...readAccess,
  id: 'mcp.read',
  method: 'GET',
  path: '/mcp/:id',
  summary: 'Read an MCP server',
  description: 'Returns one MCP server.',
  example: { params: { id: '6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55' }, needs: 'an MCP server' },
  params: ServerIdParams,
  reply: McpServer,
  errors: ['Mcp_ServerNotFound'],
})

export const updateMcpServer = route({
  ...writeAccess,
  id: 'mcp.update',
  method: 'PATCH',
  path: '/mcp/:id',
  summary: 'Change an MCP server',
  description:
    'Changes the fields that the body contains; all others stay as they are. Connected clients see ' +
    'the new tools with their next request.',
  example: {
    params: { id: '6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55' },
    body: { allowed_tools: ['HACKERNEWS_GET_ITEM'] },
    needs: 'an MCP server',
  },
  params: ServerIdParams,
  body: Type.Object({
    name: Type.Optional(Described(ServerName, 'New name: letters, digits, spaces and hyphens.')),
    toolkits: Type.Optional(Described(Toolkits, 'Slugs of toolkits. They replace the stored ones.')),
    allowed_tools: Type.Optional(Tools),
    managed_auth_via_service: Type.Optional(
      Type.Boolean({
        description: 'Whether clients see a tool with which users connect their accounts. Default false.',
      }),
    ),
    auth_config_ids: Type.Optional(
      Described(AuthConfigIds, 'Ids of auth configs. They replace the stored ones.'),
    ),
  }),
  reply: McpServer,
  errors: ['Mcp_ServerNotFound', 'Auth_Config_NotFound'],
})

export const deleteMcpServer = route({
  ...writeAccess,
  id: 'mcp.delete',
  method: 'DELETE',
  path: '/mcp/:id',
  summary: 'Delete an MCP server',
  description: 'Deletes an MCP server. Its URLs stop working at once; connected accounts stay.',
  example: { params: { id: '6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55' }, needs: 'an MCP server' },
  params: ServerIdParams,
  reply: Type.Object({
    id: Type.String({ description: 'Id of the MCP server.' }),
    deleted: Type.Boolean({ description: 'Always true.' }),
  }),
  errors: ['Mcp_ServerNotFound'],
})

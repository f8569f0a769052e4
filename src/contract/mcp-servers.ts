import { type Static, Type } from 'typebox'
import { Enum, Nullable, QueryList, Timestamp, ToolkitSlug, UserId } from './common.ts'
import { route } from './route.ts'

const reads = { audience: 'project', permission: { area: 'sessions', level: 'read' } } as const
const writes = { audience: 'project', permission: { area: 'sessions', level: 'write' } } as const

const ServerId = Type.String({
  minLength: 1,
  maxLength: 256,
  examples: ['6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55'],
})
const ServerName = Type.String({
  minLength: 4,
  maxLength: 30,
  pattern: '^[a-zA-Z0-9- ]+$',
  examples: ['Mail helper'],
})
const AuthConfigIds = Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: 100 })
const Toolkits = Type.Array(ToolkitSlug, { maxItems: 200 })
const Tools = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 1000,
  description: 'Empty: every tool of the toolkits.',
})

const Short = {
  id: Type.String(),
  name: Type.String(),
  auth_config_ids: Type.Array(Type.String()),
  allowed_tools: Type.Array(Type.String()),
  mcp_url: Type.String({ description: 'Clients add user_id, or connected_account_id, to its query.' }),
  commands: Type.Object(
    { cursor: Type.String(), claude: Type.String(), windsurf: Type.String() },
    { description: 'How a client is told of the server.' },
  ),
}
export const McpServer = Type.Object(
  {
    ...Short,
    toolkits: Type.Array(Type.String()),
    toolkit_icons: Type.Record(Type.String(), Type.String()),
    updated_at: Timestamp,
    created_at: Timestamp,
    server_instance_count: Type.Integer(),
    managed_auth_via_service: Type.Boolean(),
    deleted: Type.Optional(Type.Boolean()),
  },
  { $id: 'McpServer' },
)
export type McpServer = Static<typeof McpServer>

const PageNo = Type.Optional(
  Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'From 1 on.' })),
)
const PageLimit = Type.Optional(
  Nullable(Type.Integer({ minimum: 1, description: 'Items a page; more than 100 is read as 100.' })),
)
const Order = {
  order_by: Type.Optional(Enum(['created_at', 'updated_at'])),
  order_direction: Type.Optional(Enum(['asc', 'desc'])),
  page_no: PageNo,
  limit: PageLimit,
}
const ServerQuery = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 256, description: 'A part of the name, in any case.' })),
  toolkits: Type.Optional(QueryList({ description: 'Servers with any of these.' })),
  auth_config_ids: Type.Optional(QueryList({ description: 'Servers with any of these.' })),
  ...Order,
})
export type ServerFilters = Static<typeof ServerQuery>
const Paged = { total_pages: Type.Integer(), current_page: Type.Integer() }
const ServerPage = Type.Object({ items: Type.Array(McpServer), ...Paged })

export const listMcpServers = route({
  ...reads,
  id: 'mcp.list',
  method: 'GET',
  path: '/mcp/servers',
  summary: 'List MCP servers',
  query: ServerQuery,
  reply: ServerPage,
})
export const listMcpServersForApp = route({
  ...reads,
  id: 'mcp.listForApp',
  method: 'GET',
  path: '/mcp/app/:app_key',
  summary: 'List MCP servers of one toolkit',
  params: Type.Object({ app_key: ToolkitSlug }),
  query: ServerQuery,
  reply: ServerPage,
  errors: ['Toolkit_ToolkitNotFound'],
})
export const createMcpServer = route({
  ...writes,
  id: 'mcp.create',
  method: 'POST',
  path: '/mcp/servers',
  summary: 'Create an MCP server',
  body: Type.Object({
    name: ServerName,
    auth_config_ids: AuthConfigIds,
    no_auth_apps: Type.Optional(
      Type.Array(ToolkitSlug, { maxItems: 200, description: 'Toolkits that need no authentication.' }),
    ),
    allowed_tools: Type.Optional(Tools),
    managed_auth_via_service: Type.Optional(Type.Boolean()),
  }),
  status: 201,
  reply: McpServer,
  errors: ['Auth_Config_NotFound'],
})
export const createCustomMcpServer = route({
  ...writes,
  id: 'mcp.createCustom',
  method: 'POST',
  path: '/mcp/servers/custom',
  summary: 'Create an MCP server over several toolkits',
  body: Type.Object({
    name: ServerName,
    auth_config_ids: Type.Optional(AuthConfigIds),
    toolkits: Type.Optional(Toolkits),
    allowed_tools: Type.Optional(Tools),
    custom_tools: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 1000,
        description: 'Deprecated: use allowed_tools.',
      }),
    ),
    managed_auth_via_service: Type.Optional(Type.Boolean()),
  }),
  status: 201,
  reply: Type.Object(Short),
  errors: ['Auth_Config_NotFound'],
})

const UserIds = Type.Array(UserId, { maxItems: 100 })
export const generateMcpUrls = route({
  ...reads,
  id: 'mcp.generate',
  method: 'POST',
  path: '/mcp/servers/generate',
  summary: 'Generate the addresses of an MCP server',
  permission: { area: 'sessions', level: 'write' },
  body: Type.Object({
    mcp_server_id: ServerId,
    managed_auth_by_service: Type.Optional(
      Type.Boolean({ description: 'The addresses offer a tool with which users connect their accounts.' }),
    ),
    user_ids: Type.Optional(UserIds),
    connected_account_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: 100 }),
    ),
  }),
  reply: Type.Object({
    mcp_url: Type.String(),
    connected_account_urls: Type.Array(Type.String()),
    user_ids_url: Type.Array(Type.String()),
  }),
  errors: ['Mcp_ServerNotFound'],
})

const One = Type.Object({ id: ServerId })
export const readMcpServer = route({
  ...reads,
  id: 'mcp.read',
  method: 'GET',
  path: '/mcp/:id',
  summary: 'Read an MCP server',
  params: One,
  reply: McpServer,
  errors: ['Mcp_ServerNotFound'],
})
export const updateMcpServer = route({
  ...writes,
  id: 'mcp.update',
  method: 'PATCH',
  path: '/mcp/:id',
  summary: 'Change an MCP server',
  params: One,
  body: Type.Object({
    name: Type.Optional(ServerName),
    toolkits: Type.Optional(Toolkits),
    allowed_tools: Type.Optional(Tools),
    managed_auth_via_service: Type.Optional(Type.Boolean()),
    auth_config_ids: Type.Optional(AuthConfigIds),
  }),
  reply: McpServer,
  errors: ['Mcp_ServerNotFound', 'Auth_Config_NotFound'],
})
export const deleteMcpServer = route({
  ...writes,
  id: 'mcp.delete',
  method: 'DELETE',
  path: '/mcp/:id',
  summary: 'Delete an MCP server',
  params: One,
  reply: Type.Object({ id: Type.String(), deleted: Type.Boolean() }),
  errors: ['Mcp_ServerNotFound'],
})

const Instance = Type.Object(
  {
    id: Type.String(),
    instance_id: Type.String({ description: 'The user.' }),
    mcp_server_id: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'McpServerInstance' },
)
const OfServer = Type.Object({ server_id: ServerId })
export const listMcpInstances = route({
  ...reads,
  id: 'mcp.listInstances',
  method: 'GET',
  path: '/mcp/servers/:server_id/instances',
  summary: 'List the instances of an MCP server',
  params: OfServer,
  query: Type.Object({
    search: Type.Optional(Type.String({ maxLength: 256, description: 'A part of the user id.' })),
    ...Order,
  }),
  reply: Type.Object({
    instances: Type.Array(Instance),
    server_id: Type.String(),
    server_name: Type.String(),
    ...Paged,
  }),
  errors: ['Mcp_ServerNotFound'],
})
export const createMcpInstance = route({
  ...writes,
  id: 'mcp.createInstance',
  method: 'POST',
  path: '/mcp/servers/:server_id/instances',
  summary: 'Create an instance of an MCP server',
  params: OfServer,
  body: Type.Object({ user_id: UserId }),
  status: 201,
  reply: Instance,
  errors: ['Mcp_ServerNotFound', 'Mcp_NotConnected', 'Mcp_InstanceExists'],
})
export const deleteMcpInstance = route({
  ...writes,
  id: 'mcp.deleteInstance',
  method: 'DELETE',
  path: '/mcp/servers/:server_id/instances/:instance_id',
  summary: "Delete an instance of an MCP server and the user's accounts of its auth configs",
  params: Type.Object({ server_id: ServerId, instance_id: UserId }),
  reply: Type.Object({ message: Type.String(), deleted_connected_accounts: Type.Integer() }),
  errors: ['Mcp_ServerNotFound', 'Mcp_InstanceNotFound'],
})

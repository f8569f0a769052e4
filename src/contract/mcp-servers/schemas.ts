import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, Nullable, QueryList, Timestamp, ToolkitSlug } from '../common.ts'

export const readAccess = { audience: 'project', permission: { area: 'sessions', level: 'read' } } as const

export const writeAccess = { audience: 'project', permission: { area: 'sessions', level: 'write' } } as const

export const ServerId = Type.String({
  minLength: 1,
  maxLength: 256,
  examples: ['6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55'],
})

export const ServerName = Type.String({
  minLength: 4,
  maxLength: 30,
  pattern: '^[a-zA-Z0-9- ]+$',
  examples: ['Mail helper'],
})

export const AuthConfigIds = Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: 100 })

export const Toolkits = Type.Array(ToolkitSlug, { maxItems: 200 })

export const Tools = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 1000,
  description:
    'Slugs of tools. A toolkit with tools in the list has only these. Tools of other toolkits are added. ' +
    'Empty: every tool of the toolkits.',
})

export const ServerFields = {
  id: Type.String({ description: 'Id of the MCP server, a UUID.' }),
  name: Type.String({ description: 'Name of the MCP server.' }),
  auth_config_ids: Type.Array(Type.String(), {
    description: 'Ids of the auth configs whose accounts the tools use, `ac_…`.',
  }),
  allowed_tools: Type.Array(Type.String(), {
    description:
      'Slugs of tools. A toolkit with tools in the list has only these; tools of other toolkits are added. ' +
      'Empty: every tool of the toolkits.',
  }),
  mcp_url: Type.String({
    description:
      'URL of the server. A client that signs its user in uses it as it is. With a key, add `user_id` or ' +
      '`connected_account_id` to its query.',
  }),
  commands: Type.Object(
    {
      cursor: Type.String({ description: 'Command for Cursor.' }),
      claude: Type.String({ description: 'Command for Claude.' }),
      windsurf: Type.String({ description: 'Command for Windsurf.' }),
    },
    { description: 'Commands that add the server to a client, by client.' },
  ),
}

export const McpServer = Type.Object(
  {
    ...ServerFields,
    toolkits: Type.Array(Type.String(), { description: 'Slugs of the toolkits.' }),
    toolkit_icons: Type.Record(Type.String(), Type.String(), {
      description: 'URLs of the logos by toolkit slug.',
    }),
    updated_at: Described(Timestamp, 'When the server was last changed.'),
    created_at: Described(Timestamp, 'When the server was created.'),
    server_instance_count: Type.Integer({ description: 'Number of instances.' }),
    managed_auth_via_service: Type.Boolean({
      description: 'Whether clients see a tool with which users connect their accounts. Default false.',
    }),
    deleted: Type.Optional(Type.Boolean({ description: 'Whether the server was deleted.' })),
  },
  { $id: 'McpServer' },
)

export type McpServer = Static<typeof McpServer>

/** Order and page of a numbered list; each list has its own default size. */
export const orderAndPage = (defaultSize: number) => ({
  order_by: Type.Optional(
    Enum(['created_at', 'updated_at'], {
      default: 'updated_at',
      description: 'Field to sort by. Default `updated_at`.',
    }),
  ),
  order_direction: Type.Optional(
    Enum(['asc', 'desc'], { default: 'desc', description: 'Sort order. Default `desc`.' }),
  ),
  page_no: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        default: 1,
        description: 'Number of the page, from 1. Default 1.',
      }),
    ),
  ),
  limit: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        default: defaultSize,
        description: `Largest number of items on a page. Default ${defaultSize}; values above 100 count as 100.`,
      }),
    ),
  ),
})

/** Items on a page without `limit`. */
export const SERVERS_PER_PAGE = 10
export const INSTANCES_PER_PAGE = 20

export const ServerQuery = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 256, description: 'Part of the name, in any letter case.' })),
  toolkits: Type.Optional(QueryList({ description: 'Slugs of toolkits; servers with any of them.' })),
  auth_config_ids: Type.Optional(
    QueryList({ description: 'Ids of auth configs; servers with any of them.' }),
  ),
  ...orderAndPage(SERVERS_PER_PAGE),
})

export type ServerFilters = Static<typeof ServerQuery>

export const PageNumberFields = {
  total_pages: Type.Integer({ description: 'Number of pages at this `limit`.' }),
  current_page: Type.Integer({ description: 'Number of this page, from 1.' }),
}

export const ServerPage = Type.Object({
  items: Type.Array(McpServer, { description: 'MCP servers of this page.' }),
  ...PageNumberFields,
})

import { requirementsOf, type Requirement, testsOf } from './requirement.ts'

const servers = testsOf('src/features/mcp-servers/routes.test.ts')
const endpoint = testsOf('src/features/mcp-servers/endpoint/endpoint.test.ts')
const behaviour = testsOf('test/requirements/behaviour.test.ts')

const LIST = servers('MCP servers: a list has numbered pages, filters and a sort order')
const CREATE = servers(
  'MCP servers: creating a custom server returns six fields, and a server with only tools gets their toolkits',
)
const UPDATE = servers('MCP servers: an update changes only the fields in the request, and replaces lists')
const REJECTED = servers('MCP servers: unknown toolkits, tools and auth configs are rejected')
const INSTANCE = servers(
  'MCP servers: an instance needs an account for every auth config, and deleting it deletes these accounts',
)
const FIELDS = servers('MCP servers: a server has the specified fields and the toolkits of its auth configs')
const DEFAULTS = behaviour(
  'MCP servers: lists are sorted by updated_at, newest first, with ten servers a page from page 1',
)
const tools = testsOf('src/features/mcp-servers/endpoint/allowed-tools.test.ts')
const ALLOWED = tools(
  'MCP servers: allowed tools narrow their toolkit, are added to others, and alone are all tools',
)
const INSTANCE_URL = tools(
  'MCP instances: the URL of an instance works as it is, also for a user id with reserved characters',
)

export const MCP_SERVERS: readonly Requirement[] = [
  ...requirementsOf('Resources: MCP server', 'mcp-server', [
    ['uuid', '`id` has the form of a UUID.', behaviour('MCP servers: the id of a server is a UUID')],
    [
      'name',
      '`name` has 4 to 30 letters, digits, spaces or hyphens.',
      behaviour(
        'MCP servers: names have 4 to 30 letters, digits, spaces and hyphens, at creation and update',
      ),
    ],
    [
      'mcp_url',
      '`mcp_url` is {base_url}/v3/mcp/{id} with the user of the instance in `user_id`.',
      INSTANCE_URL,
    ],
    ['commands', '`commands` has set-up commands for three clients.', FIELDS],
    ['toolkit_icons', '`toolkit_icons` maps each toolkit to the URL of its icon.', FIELDS],
    ['toolkits', '`toolkits` has the slugs of the toolkits.', FIELDS],
    ['instance-count', '`server_instance_count` is the number of instances.', INSTANCE],
    ['deleted', '`deleted` is part of the responses of read and update.', FIELDS],
    ['create-custom-fields', 'Creating a custom server returns six fields only.', CREATE],
  ]),
  ...requirementsOf('Resources: MCP server instance', 'mcp-server-instance', [
    ['instance_id', '`instance_id` equals the `user_id` of the creation.', INSTANCE],
    ['mcp_server_id', '`mcp_server_id` names the server.', INSTANCE],
  ]),
  ...requirementsOf('Endpoints: MCP servers', 'mcp.list', [
    ['name', '`name` is a part of the name in any case.', LIST],
    ['toolkits', '`toolkits` takes slugs separated by commas.', LIST],
    ['auth_config_ids', '`auth_config_ids` takes ids separated by commas.', LIST],
    ['order_by', '`order_by` is created_at or updated_at, by default updated_at.', DEFAULTS],
    ['order_direction', '`order_direction` is asc or desc, by default desc.', DEFAULTS],
    ['page_no', '`page_no` starts at 1, the default.', DEFAULTS],
    ['limit', '`limit` is 10 by default.', DEFAULTS],
    ['for-app', 'The list of an app has the servers of that toolkit.', LIST],
    ['for-app-toolkits', 'The list of an app also filters by `toolkits`.', LIST],
  ]),
  ...requirementsOf('Endpoints: MCP servers', 'mcp.create', [
    ['auth_config_ids', '`auth_config_ids` must exist in the project.', REJECTED],
    ['toolkits', '`toolkits` has slugs of toolkits.', REJECTED],
    ['allowed_tools', '`allowed_tools` has slugs of tools.', REJECTED],
    [
      'allowed-tools-outside',
      '`allowed_tools` names tools that are not part of the toolkits of the server.',
      ALLOWED,
    ],
    ['custom_tools', '`custom_tools` (deprecated) means `allowed_tools`.', CREATE],
    ['managed', '`managed_auth_via_service` is stored.', CREATE],
  ]),
  ...requirementsOf('Endpoints: MCP servers', 'mcp', [
    ['read', 'A server is read with all fields.', FIELDS],
    ['update', 'An update changes only the fields in the body.', UPDATE],
    ['update-name', 'An update checks the name like the creation.', UPDATE],
    [
      'not-found',
      'Unknown, deleted and foreign servers are not found.',
      servers('MCP servers: an unknown, deleted, malformed or foreign id gets the same 404 everywhere'),
    ],
    ['instance', 'An instance needs an account of the user for every auth config.', INSTANCE],
    ['instance-conflict', 'A user has one instance a server.', INSTANCE],
    [
      'protocol',
      'MCP clients list and call the tools at the URL.',
      endpoint(
        'MCP servers: both official clients list every page, call a tool, and read the result as structure and text',
      ),
    ],
  ]),
]

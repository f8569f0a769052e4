import type { Section } from './requirement.ts'

/** An operation that the specification names. `!` after a name: required. */
export interface SpecifiedOperation {
  section: Section
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api/v3; the names of path parameters are not part of the wire. */
  path: string
  query?: readonly string[]
  body?: readonly string[]
  headers?: readonly string[]
  /** Values that a parameter or a field accepts. */
  enums?: Readonly<Record<string, readonly string[]>>
  deprecated?: readonly string[]
  /** Values that a missing parameter or field has; the names of fields of objects have a point. */
  defaults?: Readonly<Record<string, string | number | boolean>>
}

const PAGE = ['limit', 'cursor'] as const
const MCP_LIST = 'name toolkits auth_config_ids order_by order_direction page_no limit'.split(' ')
const MCP_ORDER = { order_by: ['created_at', 'updated_at'], order_direction: ['asc', 'desc'] } as const
const MCP_DEFAULTS = { order_by: 'updated_at', order_direction: 'desc', page_no: 1, limit: 10 } as const
const VERSIONS = ['V1', 'V2', 'V3'] as const

export const SPECIFIED_OPERATIONS: readonly SpecifiedOperation[] = [
  {
    section: 'Endpoints: auth configs',
    method: 'GET',
    path: '/auth_configs',
    query: [
      'is_service_managed',
      'toolkit_slug',
      'deprecated_app_id',
      'deprecated_status',
      'show_disabled',
      'search',
      ...PAGE,
    ],
    deprecated: ['deprecated_app_id', 'deprecated_status'],
    defaults: { show_disabled: false },
  },
  {
    section: 'Endpoints: auth configs',
    method: 'POST',
    path: '/auth_configs',
    body: ['toolkit!', 'auth_config'],
    defaults: { auth_config: 'managed credentials' },
  },
  {
    section: 'Endpoints: tools',
    method: 'GET',
    path: '/tools',
    query: [
      'toolkit_slug',
      'tool_slugs',
      'auth_config_ids',
      'important',
      'tags',
      'scopes',
      'query',
      'search',
      'include_deprecated',
      'toolkit_versions',
      ...PAGE,
    ],
    deprecated: ['search'],
    defaults: { include_deprecated: true },
  },
  { section: 'Endpoints: tools', method: 'GET', path: '/tools/{}', query: ['version', 'toolkit_versions'] },
  {
    section: 'Endpoints: tools',
    method: 'POST',
    path: '/tools/execute/{}',
    headers: ['x-llm-gateway-headers'],
    body: [
      'connected_account_id',
      'entity_id',
      'user_id',
      'version',
      'custom_auth_params',
      'custom_connection_data',
      'arguments',
      'text',
      'allow_tracing',
    ],
    deprecated: ['entity_id', 'allow_tracing'],
    defaults: { version: '00000000_00' },
  },
  {
    section: 'Endpoints: toolkits',
    method: 'GET',
    path: '/toolkits/{}',
    query: ['version'],
    defaults: { version: 'latest' },
  },
  {
    section: 'Endpoints: connected accounts',
    method: 'POST',
    path: '/connected_accounts',
    body: ['auth_config!', 'connection!', 'validate_credentials'],
  },
  { section: 'Endpoints: connected accounts', method: 'DELETE', path: '/connected_accounts/{}' },
  {
    section: 'Endpoints: MCP servers',
    method: 'GET',
    path: '/mcp/app/{}',
    query: MCP_LIST,
    enums: MCP_ORDER,
    defaults: MCP_DEFAULTS,
  },
  {
    section: 'Endpoints: MCP servers',
    method: 'GET',
    path: '/mcp/servers',
    query: MCP_LIST,
    enums: MCP_ORDER,
    defaults: MCP_DEFAULTS,
  },
  {
    section: 'Endpoints: MCP servers',
    method: 'POST',
    path: '/mcp/servers/custom',
    body: [
      'name!',
      'auth_config_ids',
      'toolkits',
      'allowed_tools',
      'custom_tools',
      'managed_auth_via_service',
    ],
    deprecated: ['custom_tools'],
  },
  { section: 'Endpoints: MCP servers', method: 'GET', path: '/mcp/{}' },
  {
    section: 'Endpoints: MCP servers',
    method: 'PATCH',
    path: '/mcp/{}',
    body: ['name', 'toolkits', 'allowed_tools', 'managed_auth_via_service', 'auth_config_ids'],
  },
  {
    section: 'Endpoints: MCP servers',
    method: 'POST',
    path: '/mcp/servers/{}/instances',
    body: ['user_id!'],
  },
  {
    section: 'Endpoints: triggers',
    method: 'GET',
    path: '/triggers_types',
    query: ['toolkit_slugs', 'toolkit_versions', ...PAGE],
  },
  { section: 'Endpoints: triggers', method: 'GET', path: '/triggers_types/{}', query: ['toolkit_versions'] },
  {
    section: 'Endpoints: triggers',
    method: 'POST',
    path: '/trigger_instances/{}/upsert',
    body: [
      'connected_account_id',
      'trigger_config',
      'toolkit_versions',
      'connectedAuthId',
      'triggerConfig',
      'version',
    ],
    deprecated: ['connectedAuthId', 'triggerConfig', 'version'],
  },
  {
    section: 'Endpoints: sessions',
    method: 'POST',
    path: '/tool_router/session',
    body: [
      'user_id!',
      'toolkits',
      'auth_configs',
      'connected_accounts',
      'manage_connections',
      'tools',
      'tags',
      'workbench',
      'experimental',
    ],
    defaults: {
      'manage_connections.enable': true,
      'manage_connections.enable_wait_for_connections': false,
      'workbench.enable_proxy_execution': true,
    },
  },
  {
    section: 'Endpoints: sessions',
    method: 'POST',
    path: '/tool_router/session/{}/execute_meta',
    body: ['slug!', 'arguments'],
    enums: {
      slug: [
        'SERVICE_SEARCH_TOOLS',
        'SERVICE_MULTI_EXECUTE_TOOL',
        'SERVICE_MANAGE_CONNECTIONS',
        'SERVICE_WAIT_FOR_CONNECTIONS',
        'SERVICE_REMOTE_WORKBENCH',
        'SERVICE_REMOTE_BASH_TOOL',
        'SERVICE_GET_TOOL_SCHEMAS',
        'SERVICE_UPSERT_RECIPE',
        'SERVICE_GET_RECIPE',
      ],
    },
  },
  {
    section: 'Endpoints: projects',
    method: 'PATCH',
    path: '/org/project/config',
    body: [
      'is_2FA_enabled',
      'logo_url',
      'display_name',
      'mask_secret_keys_in_connected_account',
      'log_visibility_setting',
      'require_mcp_api_key',
      'is_service_link_enabled_for_managed_auth',
      'signed_url_file_expiry_in_seconds',
    ],
    enums: { log_visibility_setting: ['show_all', 'dont_store_data'] },
    deprecated: ['is_service_link_enabled_for_managed_auth'],
  },
  { section: 'Endpoints: projects', method: 'GET', path: '/org/owner/project/{}' },
  {
    section: 'Endpoints: files',
    method: 'GET',
    path: '/files/list',
    query: ['toolkit_slug', 'tool_slug', ...PAGE],
  },
  { section: 'Endpoints: webhook subscriptions', method: 'GET', path: '/webhook_subscriptions/{}' },
  {
    section: 'Endpoints: webhook subscriptions',
    method: 'PATCH',
    path: '/webhook_subscriptions/{}',
    body: ['webhook_url', 'enabled_events', 'version'],
    enums: { version: VERSIONS },
  },
  { section: 'Endpoints: webhook subscriptions', method: 'DELETE', path: '/webhook_subscriptions/{}' },
  {
    section: 'Endpoints: migration',
    method: 'GET',
    path: '/migration/get-nanoid',
    query: ['uuid!', 'type!'],
    enums: { type: ['CONNECTED_ACCOUNT', 'AUTH_CONFIG', 'TRIGGER_INSTANCE'] },
  },
]

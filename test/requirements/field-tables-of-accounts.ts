import type { FieldTable, FieldType } from './field-tables.ts'

/** Keys that `connectionData.val` may have. Which of them an account has depends on its scheme and its toolkit. */
export const SITE_KEYS = [
  'subdomain',
  'your-domain',
  'region',
  'shop',
  'account_url',
  'COMPANYDOMAIN',
  'extension',
  'form_api_base_url',
  'instanceEndpoint',
  'api_url',
  'borneo_dashboard_url',
  'proxy_username',
  'proxy_password',
  'domain',
  'version',
  'dc',
  'site_name',
  'instanceName',
  'account_id',
  'your_server',
  'server_location',
  'base_url',
]

const allStrings = (prefix: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${prefix}${name}`, 'string'])) as Record<string, FieldType>

const CONNECTED_ACCOUNT: FieldTable = {
  section: 'Resources: connected account',
  sample: 'connected account',
  fields: {
    id: 'string',
    status: 'string',
    redirect_url: 'string',
    redirect_uri: 'string',
    'connectionData.authScheme': 'string',
    'connectionData.val': 'object',
    ...allStrings('connectionData.val.', [
      ...SITE_KEYS,
      'status',
      'redirectUrl',
      'callback_url',
      'oauth_token',
      'oauth_token_secret',
      'authUri',
      'callbackUrl',
      'consumer_key',
    ]),
    'deprecated.uuid': 'string',
    'deprecated.authConfigUuid': 'string',
  },
}

const FINISHED_ACCOUNT: FieldTable = {
  section: 'Resources: connected account',
  sample: 'finished connected account',
  fields: {
    'state.val.error': 'string?',
    'state.val.error_description': 'string?',
    'state.val.oauth_verifier': 'string?',
    'state.val.expired_at': 'timestamp?',
  },
}

const MCP_SERVER: FieldTable = {
  section: 'Resources: MCP server',
  sample: 'MCP server',
  fields: {
    id: 'string',
    name: 'string',
    auth_config_ids: 'strings',
    allowed_tools: 'strings',
    mcp_url: 'string',
    commands: 'object',
    'commands.*': 'string',
    toolkits: 'strings',
    toolkit_icons: 'object',
    'toolkit_icons.*': 'string',
    updated_at: 'timestamp',
    created_at: 'timestamp',
    server_instance_count: 'number',
    managed_auth_via_service: 'boolean',
    deleted: 'boolean',
  },
}

const MCP_SERVER_INSTANCE: FieldTable = {
  section: 'Resources: MCP server instance',
  sample: 'MCP server instance',
  fields: {
    id: 'string',
    instance_id: 'string',
    mcp_server_id: 'string',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  },
}

const SESSION: FieldTable = {
  section: 'Resources: session',
  sample: 'session',
  fields: {
    session_id: 'string',
    'mcp.type': 'string',
    'mcp.url': 'string',
    tool_router_tools: 'strings',
    'config.user_id': 'string',
    'config.toolkits.enabled': 'strings',
    'config.auth_configs': 'object',
    'config.auth_configs.*': 'string',
    'config.connected_accounts': 'object',
    'config.connected_accounts.*': 'string',
    'config.manage_connections.enabled': 'boolean',
    'config.manage_connections.callback_url': 'string',
    'config.manage_connections.enable_wait_for_connections': 'boolean',
    'config.tools': 'object',
    'config.tools.*.enabled': 'strings',
    'config.tags.enabled': 'strings',
    'config.tags.disabled': 'strings',
    'config.workbench.proxy_execution_enabled': 'boolean',
    'experimental.assistive_prompt': 'string',
  },
}

const PROJECT_CONFIGURATION: FieldTable = {
  section: 'Resources: project configuration',
  sample: 'project configuration',
  fields: {
    is_2FA_enabled: 'boolean',
    logo_url: 'string',
    display_name: 'string',
    mask_secret_keys_in_connected_account: 'boolean',
    log_visibility_setting: 'string',
    require_mcp_api_key: 'boolean',
    is_service_link_enabled_for_managed_auth: 'boolean',
    signed_url_file_expiry_in_seconds: 'number',
  },
}

const PROJECT: FieldTable = {
  section: 'Resources: project',
  sample: 'project',
  fields: {
    id: 'string',
    org_id: 'string',
    name: 'string',
    email: 'string',
    created_at: 'timestamp',
    updated_at: 'timestamp',
    last_subscribed_at: 'timestamp',
    webhook_url: 'string',
    event_webhook_url: 'string',
    webhook_secret: 'string',
    triggers_enabled: 'boolean',
    is_new_webhook: 'boolean',
    deleted: 'boolean',
    webhook_version: 'string',
    api_keys: 'array',
    'api_keys.*.id': 'string',
    'api_keys.*.name': 'string',
    'api_keys.*.key': 'string',
    'api_keys.*.created_at': 'timestamp',
  },
}

const FILE: FieldTable = {
  section: 'Resources: file',
  sample: 'file',
  fields: allStrings('', ['toolkit_slug', 'tool_slug', 'filename', 'mimetype', 'md5']),
}

const WEBHOOK_SUBSCRIPTION: FieldTable = {
  section: 'Resources: webhook subscription',
  sample: 'webhook subscription',
  fields: {
    ...allStrings('', ['id', 'webhook_url', 'version', 'secret', 'created_at', 'updated_at']),
    enabled_events: 'strings',
  },
}

const EXECUTION: FieldTable = {
  section: 'Endpoints: tools',
  sample: 'execution',
  fields: {
    data: 'object',
    error: 'string | null',
    successful: 'boolean',
    'session_info.session_id': 'string',
    'session_info.expires_at': 'timestamp',
    log_id: 'string',
  },
}

const META_TOOL_EXECUTION: FieldTable = {
  section: 'Endpoints: sessions',
  sample: 'meta tool execution',
  fields: { data: 'object', error: 'string | null', log_id: 'string' },
}

export const FIELD_TABLES_OF_ACCOUNTS: readonly FieldTable[] = [
  CONNECTED_ACCOUNT,
  FINISHED_ACCOUNT,
  MCP_SERVER,
  MCP_SERVER_INSTANCE,
  SESSION,
  PROJECT_CONFIGURATION,
  PROJECT,
  FILE,
  WEBHOOK_SUBSCRIPTION,
  EXECUTION,
  META_TOOL_EXECUTION,
]

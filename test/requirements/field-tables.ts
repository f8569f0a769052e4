import type { Section } from './requirement.ts'

/**
 * Type of a field in a response. `strings` is a list of texts, `timestamp` an ISO 8601 text. After `| null` the field
 * may be null, and after `?` it may be absent; in both cases one sample must have a value.
 */
type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'strings' | 'timestamp'
export type FieldType = JsonType | `${JsonType} | null` | `${JsonType}?`

export interface FieldTable {
  section: Section
  /** Name of the sample in samples.ts that has these fields. */
  sample: string
  /** Path to type; `*` stands for each value of a map or a list. */
  fields: Readonly<Record<string, FieldType>>
}

const TOOLKIT = { 'toolkit.slug': 'string', 'toolkit.name': 'string', 'toolkit.logo': 'string' } as const

const ERROR_ENVELOPE: FieldTable = {
  section: 'Resources: error envelope',
  sample: 'error',
  fields: {
    'error.message': 'string',
    'error.code': 'number',
    'error.slug': 'string',
    'error.status': 'number',
    'error.request_id': 'string',
    'error.suggested_fix': 'string',
    'error.errors': 'strings',
  },
}

const CURSOR_PAGE: FieldTable = {
  section: 'Resources: cursor page',
  sample: 'cursor page',
  fields: {
    items: 'array',
    next_cursor: 'string',
    total_pages: 'number',
    current_page: 'number',
    total_items: 'number',
  },
}

const NUMBERED_PAGE: FieldTable = {
  section: 'Resources: numbered page',
  sample: 'numbered page',
  fields: { items: 'array', 'items.*.mcp_url': 'string', total_pages: 'number', current_page: 'number' },
}

const AUTH_CONFIG: FieldTable = {
  section: 'Resources: auth config',
  sample: 'auth config',
  fields: {
    id: 'string',
    uuid: 'string',
    type: 'string',
    'toolkit.slug': 'string',
    'toolkit.logo': 'string',
    name: 'string',
    auth_scheme: 'string',
    is_service_managed: 'boolean',
    credentials: 'object',
    'proxy_config.proxy_url': 'string',
    'proxy_config.proxy_auth_key': 'string',
    status: 'string',
    created_by: 'string',
    created_at: 'string',
    last_updated_at: 'string',
    no_of_connections: 'number',
    expected_input_fields: 'array',
    'expected_input_fields.*': 'object',
    restrict_to_following_tools: 'strings',
    'tool_access_config.tools_for_connected_account_creation': 'strings',
    'tool_access_config.tools_available_for_execution': 'strings',
    shared_credentials: 'object',
    is_enabled_for_tool_router: 'boolean',
    'deprecated_params.default_connector_id': 'string',
    'deprecated_params.member_uuid': 'string',
    'deprecated_params.toolkit_id': 'string',
    'deprecated_params.expected_input_fields': 'array',
  },
}

const TOOL: FieldTable = {
  section: 'Resources: tool',
  sample: 'tool',
  fields: {
    slug: 'string',
    name: 'string',
    description: 'string',
    ...TOOLKIT,
    input_parameters: 'object',
    'input_parameters.*.type': 'string',
    'input_parameters.*.description': 'string',
    'input_parameters.*.required': 'boolean',
    'input_parameters.*.examples': 'array',
    output_parameters: 'object',
    'output_parameters.*.type': 'string',
    'output_parameters.*.description': 'string',
    'output_parameters.*.examples': 'array',
    'output_parameters.*.properties.*.enum': 'strings?',
    no_auth: 'boolean',
    available_versions: 'strings',
    version: 'string',
    scopes: 'strings',
    tags: 'strings',
    is_deprecated: 'boolean',
    'deprecated.displayName': 'string',
    'deprecated.version': 'string',
    'deprecated.available_versions': 'strings',
    'deprecated.is_deprecated': 'boolean',
    'deprecated.toolkit.logo': 'string',
  },
}

const descriptorFields = (path: string) =>
  Object.fromEntries(
    ['required', 'optional'].flatMap((list) => [
      [`${path}.${list}`, 'array'],
      ...['name', 'displayName', 'type', 'description'].map((name) => [
        `${path}.${list}.*.${name}`,
        'string',
      ]),
      [`${path}.${list}.*.required`, 'boolean'],
    ]),
  ) as Record<string, FieldType>

const TOOLKIT_FIELDS: FieldTable = {
  section: 'Resources: toolkit',
  sample: 'toolkit',
  fields: {
    slug: 'string',
    name: 'string',
    enabled: 'boolean',
    service_managed_auth_schemes: 'strings',
    is_local_toolkit: 'boolean',
    auth_config_details: 'array',
    'auth_config_details.*.mode': 'string',
    'auth_config_details.*.name': 'string',
    ...descriptorFields('auth_config_details.*.fields.auth_config_creation'),
    ...descriptorFields('auth_config_details.*.fields.connected_account_initiation'),
    'auth_config_details.*.fields.*.*.*.default': 'string | null',
    'auth_config_details.*.fields.*.*.*.legacy_template_name': 'string?',
    'auth_config_details.*.proxy.base_url': 'string',
    'auth_config_details.*.deprecated_auth_provider_details.authorization_url': 'string?',
    'auth_config_details.*.deprecated_auth_provider_details.token_url': 'string?',
    base_url: 'string',
    'meta.created_at': 'timestamp',
    'meta.updated_at': 'timestamp',
    'meta.description': 'string',
    'meta.logo': 'string',
    'meta.app_url': 'string',
    'meta.categories': 'array',
    'meta.categories.*.name': 'string',
    'meta.categories.*.slug': 'string',
    'meta.triggers_count': 'number',
    'meta.tools_count': 'number',
    'meta.version': 'string',
    'meta.available_versions': 'strings',
    get_current_user_endpoint: 'string',
    get_current_user_endpoint_method: 'string',
    'deprecated.toolkitId': 'string',
    'deprecated.getCurrentUserEndpoint': 'string',
    'deprecated.rawProxyInfoByAuthSchemes': 'array',
    'deprecated.rawProxyInfoByAuthSchemes.*': 'object',
  },
}

const TRIGGER_TYPE: FieldTable = {
  section: 'Resources: trigger type',
  sample: 'trigger type',
  fields: {
    slug: 'string',
    name: 'string',
    description: 'string',
    instructions: 'string',
    type: 'string',
    ...TOOLKIT,
    config: 'object',
    'config.*.type': 'string',
    'config.*.required': 'boolean',
    'config.*.options': 'strings?',
    payload: 'object',
    'payload.*.type': 'string',
    'payload.*.properties': 'object?',
    version: 'string',
    available_versions: 'strings',
  },
}

const TRIGGER_INSTANCE: FieldTable = {
  section: 'Resources: trigger instance',
  sample: 'trigger instance',
  fields: { trigger_id: 'string', 'deprecated.uuid': 'string' },
}

export const FIELD_TABLES: readonly FieldTable[] = [
  ERROR_ENVELOPE,
  CURSOR_PAGE,
  NUMBERED_PAGE,
  AUTH_CONFIG,
  TOOL,
  TOOLKIT_FIELDS,
  TRIGGER_TYPE,
  TRIGGER_INSTANCE,
]

import type { Column } from './table.ts'

const TOOLS = 'slug name toolkit.slug:toolkit ~version ~description'
const TOOLKITS =
  'slug name auth_schemes:auth meta.tools_count:tools meta.version:version ~meta.description:description'
const KEYS = 'id name key permissions allowed_ips:IP_addresses ~created_at:created'
const MCP_SERVERS = 'id name toolkits server_instance_count:instances ~updated_at:updated'
const LOGS = 'timestamp:time id:log status metadata.tool_slug:tool metadata.user_id:user ~message'
const AUDIT = 'time actor.name:actor action object.id:object outcome ~source_ip:IP_address ~id'
const SOURCES =
  'category toolkit_slug:toolkit tool_slug:tool connected_account_id:account first_read_at:time ~note'

/**
 * The columns of lists. Each is the path of a value, with a title after `:` where the last part of the path is none;
 * `_` is a space in titles. `~` marks the columns that are shortened first.
 */
export const COLUMNS: Readonly<Record<string, string>> = {
  'projects.list': 'id name ~created_at:created',
  'projectKeys.list': KEYS,
  'orgKeys.list': KEYS,
  'members.list': 'id email name role status ~last_sign_in_at:last_sign-in',
  'audit.list': AUDIT,
  'audit.listOrganization': `project_id:project ${AUDIT}`,
  'toolkits.list': TOOLKITS,
  'toolkits.multi': TOOLKITS,
  'toolkits.categories': 'slug name',
  'toolkits.changelog': 'slug name versions.0.version:latest ~versions.0.changelog:changes',
  'toolkits.versions': 'version tools_count:tools source quarantined ~changes ~created_at:created',
  'tools.list': TOOLS,
  'tools.scopesRequired': 'tool scope_requirements:scopes',
  'policies.list': 'id name outcome enabled fallback ~created_at:created',
  'approvals.list': 'id status tool_slug:tool user_id:user reason ~expires_at:expires',
  'approvals.decisions': 'at event tool_slug:tool user_id:user by ~approval_id:approval',
  'authConfigs.list':
    'id name toolkit.slug:toolkit auth_scheme:scheme status no_of_connections:accounts ~created_at:created',
  'connectedAccounts.list':
    'id toolkit.slug:toolkit user_id:user status identity.label:connected_as alias ~auth_config.id:auth_config ' +
    '~created_at:created',
  'connectedAccounts.history': 'at from to reason',
  'connectedAccounts.exchanges': 'at kind outcome code duration_ms:ms',
  'incidents.list': 'id toolkit_slug:toolkit user_id:user frozen revoked ~reason ~created_at:created',
  'incidents.read':
    'connected_account_id:account toolkit user_id:user revocation tools_count:tools ~last_error',
  'users.list':
    'user_id:user active_accounts:active accounts sessions calls_7d failed_7d ~last_call_at:last_call',
  'triggerTypes.list': 'slug name toolkit.slug:toolkit type ~version ~description',
  'triggers.active':
    'id trigger_name:trigger user_id:user connected_account_id:account disabled_at:disabled ~version',
  'webhookEndpoints.list': 'id toolkit_slug:toolkit client_id',
  'webhooks.list':
    'id webhook_url:URL version enabled_events:events disabled_at:disabled ~created_at:created',
  'webhooks.eventTypes': 'event_type supported_versions:versions ~description',
  'webhooks.deliveries': 'id event_type status attempts next_at:next ~created_at:created',
  'events.list': 'id type created_at:created ~ordering_key ~webhook_id:message',
  'events.stream': 'event_id:id payload.type:type payload.timestamp:time',
  'mcp.list': MCP_SERVERS,
  'mcp.listForApp': MCP_SERVERS,
  'mcp.listClientGrants':
    'id user_id:user client mcp_server_id:server session_id:session ~last_used_at:last_used',
  'sessions.list':
    'session_id:session user_id:user config_version:version ~last_used_at:last_used ~created_at:created',
  'sessions.configHistory': 'version is_current:current created_at:created',
  'sessions.toolkits': 'slug name enabled connected_account.id:account connected_account.status:status',
  'sessions.tools': TOOLS,
  'sessions.mountItems': 'mount_relative_path:path size last_modified:modified',
  'sessions.untrustedSources': SOURCES,
  'sessions.addUntrustedSource': SOURCES,
  'sessionConfigs.list': 'id name archived ~description ~updated_at:updated',
  'recipes.list': 'id user_id:user recipe_slug:slug name version ~updated_at:updated',
  'memories.list': 'id user_id:user toolkit sentences is_untrusted:untrusted ~updated_at:updated',
  'files.list': 'filename mimetype toolkit_slug:toolkit tool_slug:tool ~md5',
  'logs.search': LOGS,
  'logs.stream': LOGS,
  'logs.internal': 'createdAt:time id:log status actionKey:tool entityId:user executionTime:ms',
  'logs.triggers': 'createdAt:time id:log status meta.triggerName:trigger entityId:user',
  'budgets.list': 'id name metric scope amount period enabled',
  'alerts.list': 'id name condition threshold status is_enabled:enabled ~last_value:value',
}

/** Columns for a list that has none of its own; those that the rows have are shown. */
const COMMON =
  'id slug name toolkit.slug:toolkit user_id:user status version ~description ~created_at:created'
const COLUMNS_MAX = 6

/** The columns for the rows of an operation. */
export function columnsFor(
  operationId: string,
  rows: readonly unknown[],
  valueAt: (row: unknown, path: string) => unknown,
): readonly Column[] {
  const first = rows[0]
  if (typeof first !== 'object' || first === null) return [{ path: '', title: 'value' }]
  const own = COLUMNS[operationId]
  if (own !== undefined) return columnsOf(own)
  const chosen = columnsOf(COMMON).filter(({ path }) => rows.some((row) => valueAt(row, path) !== undefined))
  if (chosen.length > 0) return chosen
  return Object.entries(first)
    .filter(([, value]) => typeof value !== 'object')
    .slice(0, COLUMNS_MAX)
    .map(([key]) => ({ path: key, title: key.replaceAll('_', ' ') }))
}

export const columnsOf = (text: string): Column[] =>
  text.split(' ').map((part) => {
    const isSecondary = part.startsWith('~')
    const [path = '', title = path.split('.').at(-1) ?? path] = part.slice(isSecondary ? 1 : 0).split(':')
    return { path, title: title.replaceAll('_', ' '), ...(isSecondary && { isSecondary }) }
  })

import { listAuthConfigs } from '../../contract/auth-configs/index.ts'
import { listConnectedAccounts } from '../../contract/connected-accounts/index.ts'
import { listMcpServers } from '../../contract/mcp-servers/index.ts'
import { listPolicies } from '../../contract/policies/index.ts'
import type { Route } from '../../contract/route.ts'
import { readProjectConfig, readSessionInfo } from '../../contract/projects/index.ts'
import { listSavedConfigs, listSessions, readSession } from '../../contract/sessions/index.ts'
import { listTriggers } from '../../contract/triggers/index.ts'
import { listWebhooks } from '../../contract/webhooks/index.ts'
import { isObject } from '../../platform/json-object.ts'
import { callApi } from '../api-client/call.ts'
import { listCustomToolkits, readToolkitContents } from './toolkits.ts'
import { rejected, type Server } from './server.ts'
import { FORMAT, type ListName, LISTS, type ProjectFile, type SourceItem, VERSION } from './project-file.ts'

type Item = Record<string, unknown>

const PAGES_MAX = 10_000

interface Source {
  route: Route
  query?: Item
  fields: readonly string[]
  /** Reads the fields of one object that the list does not have; `parameter` is the name of its id. */
  detail?: { route: Route; parameter: string }
}

/** Settings that are carried over. The form of parameters under /api/v3 depends on the brand of the server. */
const SETTINGS: readonly string[] = [
  'is_2FA_enabled',
  'logo_url',
  'display_name',
  'accent_color',
  'support_url',
  'privacy_url',
  'mask_secret_keys_in_connected_account',
  'log_visibility_setting',
  'require_mcp_api_key',
  'signed_url_file_expiry_in_seconds',
  'triggers_enabled',
  'event_retention_days',
  'rank_tools_by_use',
  'mcp_sign_in_url',
  'identity_verification_url',
]

/** Where each list comes from, and the fields that are carried over. Other servers may lack an operation. */
const SOURCES: Readonly<Record<Exclude<ListName, 'settings' | 'toolkits'>, Source>> = {
  auth_configs: {
    route: listAuthConfigs,
    query: { show_disabled: true },
    fields: [
      'name',
      'toolkit.slug',
      'auth_scheme',
      'is_service_managed',
      'status',
      'credentials',
      'shared_credentials',
      'tool_access_config',
      'is_enabled_for_tool_router',
    ],
  },
  connected_accounts: {
    route: listConnectedAccounts,
    fields: ['user_id', 'toolkit.slug', 'auth_config.id', 'alias', 'status'],
  },
  mcp_servers: {
    route: listMcpServers,
    fields: ['name', 'auth_config_ids', 'toolkits', 'allowed_tools', 'managed_auth_via_service'],
  },
  policies: {
    route: listPolicies,
    fields: [
      'name',
      'outcome',
      'when',
      'enabled',
      'fallback',
      'message',
      'covers_proxy',
      'approval_seconds',
      'approval_link',
    ],
  },
  webhooks: { route: listWebhooks, fields: ['webhook_url', 'version', 'enabled_events'] },
  triggers: {
    route: listTriggers,
    query: { show_disabled: true },
    fields: ['trigger_name', 'connected_account_id', 'user_id', 'trigger_config', 'disabled_at'],
  },
  session_configs: { route: listSavedConfigs, fields: ['name', 'description', 'config'] },
  sessions: {
    route: listSessions,
    fields: ['user_id', 'config', 'experimental'],
    detail: { route: readSession, parameter: 'session_id' },
  },
}

/** Reads the configuration of the key's project, without secrets. @throws CallError */
export async function readProject(server: Server): Promise<ProjectFile> {
  const lists = {} as Record<ListName, SourceItem[]>
  for (const name of LISTS) lists[name] = await readList(server, name)
  lists.toolkits = await readToolkitContents(server, lists.toolkits)
  return {
    format: FORMAT,
    version: VERSION,
    source: server.connection.url,
    exported_at: new Date().toISOString(),
    ...lists,
  }
}

/** Reads all pages of one list. A server without the operation has none of its objects. */
export async function readList(server: Server, name: ListName): Promise<SourceItem[]> {
  if (name === 'settings') return readSettings(server)
  if (name === 'toolkits') return listCustomToolkits(server)
  const { route, query, fields, detail } = SOURCES[name]
  const items: SourceItem[] = []
  let position: Item = {}
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { status, body } = await callApi(server.io, server.connection, route, server.version, {
      params: {},
      query: { limit: 100, ...query, ...position },
      body: undefined,
    })
    if (status === 404 || status === 501) return items
    if (status >= 400) throw rejected(server.connection.url, route.path, status, body)
    const reply = body as { items?: Item[]; next_cursor?: string | null; total_pages?: number }
    for (const item of reply.items ?? []) {
      const whole = detail ? await readDetail(server, detail, item) : item
      if (whole) items.push(pick(withNeutralNames(whole), fields))
    }
    if (reply.next_cursor) position = { cursor: reply.next_cursor }
    else if (!('next_cursor' in reply) && page < (reply.total_pages ?? 1)) position = { page_no: page + 1 }
    else return items
  }
  return items
}

/** Reads one object of a list whole; undefined if it was deleted meanwhile. */
async function readDetail(
  { io, connection, version }: Server,
  { route, parameter }: NonNullable<Source['detail']>,
  item: Item,
): Promise<Item | undefined> {
  const id = String(item[parameter])
  const request = { params: { [parameter]: id }, query: {}, body: undefined }
  const { status, body } = await callApi(io, connection, route, version, request)
  if (status === 404) return undefined
  if (status >= 400) throw rejected(connection.url, route.path, status, body)
  return { ...item, ...(body as Item), id }
}

/** Returns the id of the key's project. @throws CallError */
export async function readProjectId({ io, connection, version }: Server): Promise<string> {
  const request = { params: {}, query: {}, body: undefined }
  const { status, body } = await callApi(io, connection, readSessionInfo, version, request)
  if (status >= 400) throw rejected(connection.url, readSessionInfo.path, status, body)
  return (body as { project: { nano_id: string } }).project.nano_id
}

/** Returns the settings as one object; none if the server has no such operation, or the key may not read them. */
async function readSettings({ io, connection, version }: Server): Promise<SourceItem[]> {
  const request = { params: {}, query: {}, body: undefined }
  const { status, body } = await callApi(io, connection, readProjectConfig, version, request)
  if (status === 403 || status === 404 || status === 501) return []
  if (status >= 400) throw rejected(connection.url, readProjectConfig.path, status, body)
  const settings = Object.entries(body as Item).filter(([name]) => SETTINGS.includes(name))
  return [{ id: 'settings', ...Object.fromEntries(settings) }]
}

/** Other servers have their brand in a few names: `is_<brand>_managed`, `managed_auth_via_<brand>`. */
function withNeutralNames(item: Item): Item {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name
        .replace(/^is_[a-z]+_managed$/, 'is_service_managed')
        .replace(/^managed_auth_via_[a-z]+$/, 'managed_auth_via_service'),
      value,
    ]),
  )
}

function pick(item: Item, fields: readonly string[]): SourceItem {
  const found: SourceItem = { id: String(item['id']) }
  for (const field of fields) {
    const value = field.split('.').reduce<unknown>((at, name) => (at as Item | undefined)?.[name], item)
    const name = field.replace('toolkit.slug', 'toolkit').replace('auth_config.id', 'auth_config_id')
    if (value === undefined || value === null) continue
    found[name] = name.endsWith('credentials') ? withoutSecrets(value as Item) : value
  }
  return found
}

/**
 * Removes the masked values of an object, at every depth. A masked value is of no use elsewhere, and shows the
 * beginning of the secret.
 */
function withoutSecrets(values: Item): Item {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => !isMasked(value))
      .map(([name, value]) => [name, isObject(value) ? withoutSecrets(value) : value]),
  )
}

const isMasked = (value: unknown): boolean =>
  typeof value === 'string' && (value === 'REDACTED' || /\.\.\.|\*\*/.test(value))

import type { Context } from './apply-project.ts'
import type { SourceItem } from './project-file.ts'
import { savedConfigOf, sessionBody } from './session-body.ts'

/** The request that creates an object, or what is missing for it. */
export type Draft = { body: Record<string, unknown>; params?: Record<string, string> } | { missing: string }

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

export function draftAuthConfig(item: SourceItem, { credentials, secrets }: Context): Draft {
  const { name, toolkit, auth_scheme, tool_access_config, is_enabled_for_tool_router } = item
  const stored = secrets.authConfigs.get(item.id)
  const shared = { ...(item['shared_credentials'] as object | undefined), ...stored?.shared_credentials }
  const common = { name, tool_access_config, is_enabled_for_tool_router, shared_credentials: shared }
  const values = {
    ...(item['credentials'] as object | undefined),
    ...stored?.credentials,
    ...credentials[text(name)],
  }
  const custom = { type: 'use_custom_auth', authScheme: auth_scheme, credentials: values }
  const auth = item['is_service_managed'] ? { type: 'use_service_managed_auth' } : custom
  return { body: { toolkit: { slug: toolkit }, auth_config: { ...auth, ...common } } }
}

export function draftMcpServer(item: SourceItem, { ids, toolkitOf }: Context): Draft {
  const known = new Set(ids.values())
  const configs = texts(item['auth_config_ids'])
  const missing = configs.filter((id) => !known.has(id))
  if (missing.length)
    return { missing: `it needs the auth configs ${missing.join(', ')}; create them, and import again` }
  const byTarget = new Map([...ids].map(([source, target]) => [target, toolkitOf.get(source)]))
  const covered = new Set(configs.map((id) => byTarget.get(id)))
  return {
    body: {
      name: item['name'],
      auth_config_ids: configs,
      no_auth_apps: texts(item['toolkits']).filter((slug) => !covered.has(slug)),
      allowed_tools: texts(item['allowed_tools']),
      managed_auth_via_service: item['managed_auth_via_service'] === true,
    },
  }
}

export function draftTrigger(item: SourceItem, { ids }: Context): Draft {
  if (item['disabled_at'] !== undefined) return { missing: 'it is disabled in the source' }
  const account = text(item['connected_account_id'])
  if (![...ids.values()].includes(account))
    return { missing: 'its user is not connected yet; import again afterwards' }
  return {
    params: { slug: text(item['trigger_name']) },
    body: { connected_account_id: account, trigger_config: item['trigger_config'] ?? {} },
  }
}

export function draftSession(item: SourceItem, { ids }: Context): Draft {
  const saved = savedConfigOf(item)
  const body = sessionBody(item)
  if (saved === undefined || ![...ids.values()].includes(saved)) return { body }
  const { toolkits: _toolkits, tools: _tools, tags: _tags, ...rest } = body
  return {
    body: { ...rest, experimental: { ...(rest['experimental'] as object), session_config_id: saved } },
  }
}

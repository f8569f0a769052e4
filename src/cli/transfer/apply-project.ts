import { createAuthConfig } from '../../contract/auth-configs/index.ts'
import { createMcpServer } from '../../contract/mcp-servers/index.ts'
import { createPolicy } from '../../contract/policies/index.ts'
import type { Route } from '../../contract/route.ts'
import { updateProjectConfig } from '../../contract/projects/index.ts'
import { createSavedConfig } from '../../contract/sessions/index.ts'
import { upsertTrigger } from '../../contract/triggers/index.ts'
import { createWebhook } from '../../contract/webhooks/index.ts'
import { callApi } from '../api-client/call.ts'
import type { ListName, ProjectFile, SourceItem } from './project-file.ts'
import { nthKey, replaceIds, stable } from './keys.ts'
import { quoteWord } from './quote-word.ts'
import { errorText, readList, rejected, type Server } from './read-project.ts'

export type Action = 'create' | 'created' | 'exists' | 'connect' | 'skipped' | 'failed'

/** What becomes of one object of the source. */
export interface Step {
  kind: ListName
  name: string
  action: Action
  /** Its id in the target; null while it does not exist there. */
  id: string | null
  /** Why it was skipped or failed, and what to do next. */
  note: string
}

export interface ApplyOptions {
  /** Credentials by the name of their auth config: exported files contain no secrets. */
  credentials: Readonly<Record<string, Record<string, unknown>>>
  /** Sends no request that changes something. */
  dryRun: boolean
}

type Draft = { body: Record<string, unknown>; params?: Record<string, string> } | { missing: string }

interface Kind {
  list: ListName
  route: Route
  label(item: SourceItem): string
  /** Objects with equal keys are the same object. Ids of the source are replaced by those of the target first. */
  key(item: SourceItem): string
  draft(item: SourceItem, context: Context): Draft
  idOf(reply: Record<string, unknown>): string
}

interface Context extends ApplyOptions {
  /** Ids of the target by ids of the source. */
  ids: Map<string, string>
  toolkitOf: ReadonlyMap<string, string>
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/** In the order in which they are created: later ones name the ids of earlier ones. */
const KINDS: readonly Kind[] = [
  {
    list: 'auth_configs',
    route: createAuthConfig,
    label: ({ name, toolkit }) => `${text(name)} (${text(toolkit)})`,
    key: ({ toolkit, auth_scheme, name }) => [toolkit, auth_scheme, name].join('|'),
    draft: draftAuthConfig,
    idOf: (reply) => text((reply['auth_config'] as { id?: string } | undefined)?.id),
  },
  {
    list: 'mcp_servers',
    route: createMcpServer,
    label: ({ name }) => text(name),
    key: ({ name }) => text(name),
    draft: draftMcpServer,
    idOf: ({ id }) => text(id),
  },
  {
    list: 'policies',
    route: createPolicy,
    label: ({ name }) => text(name),
    key: ({ name, outcome, when }) => [name, outcome, stable(when)].join('|'),
    draft: ({ id: _id, ...body }) => ({ body }),
    idOf: ({ id }) => text(id),
  },
  {
    list: 'webhooks',
    route: createWebhook,
    label: ({ webhook_url }) => text(webhook_url),
    key: ({ webhook_url }) => text(webhook_url),
    draft: ({ webhook_url, version, enabled_events }) => ({
      body: { webhook_url, version, enabled_events: texts(enabled_events).map(neutralEvent) },
    }),
    idOf: ({ id }) => text(id),
  },
  {
    list: 'triggers',
    route: upsertTrigger,
    label: ({ trigger_name, user_id }) => `${text(trigger_name)} of ${text(user_id)}`,
    key: ({ trigger_name, connected_account_id, trigger_config }) =>
      [text(trigger_name).toUpperCase(), connected_account_id, stable(trigger_config)].join('|'),
    draft: draftTrigger,
    idOf: ({ trigger_id }) => text(trigger_id),
  },
  {
    list: 'session_configs',
    route: createSavedConfig,
    label: ({ name }) => text(name),
    key: ({ name }) => text(name),
    draft: ({ name, description, config }) => ({ body: { name, description, config } }),
    idOf: ({ id }) => text(id),
  },
  {
    // Settings that differ are replaced by those of the source.
    list: 'settings',
    route: updateProjectConfig,
    label: () => 'of the project',
    key: ({ id: _id, ...settings }) => stable(settings),
    draft: ({ id: _id, ...settings }) => ({ body: settings }),
    idOf: () => 'settings',
  },
]

/**
 * Creates what the target does not have. It may be repeated: existing objects are found by name or URL, so a run
 * that was interrupted continues, and a run after users have connected creates their triggers.
 * @throws CallError when the target is unreachable, or rejects the key
 */
export async function applyProject(
  target: Server,
  file: ProjectFile,
  options: ApplyOptions,
): Promise<Step[]> {
  const context: Context = {
    ...options,
    ids: new Map(),
    toolkitOf: new Map(file.auth_configs.map(({ id, toolkit }) => [id, text(toolkit)])),
  }
  const steps: Step[] = []
  for (const kind of KINDS) {
    if (kind.list === 'triggers') steps.push(...(await matchAccounts(target, file, context)))
    const existing = indexByKey(kind, await readList(target, kind.list))
    const counts = new Map<string, number>()
    for (const source of oldestFirst(file[kind.list])) {
      const item = replaceIds(source, context.ids) as SourceItem
      const key = nthKey(counts, kind.key(item))
      steps.push(await applyItem(target, kind, { ...item, id: source.id }, existing.get(key), context))
    }
  }
  return steps
}

async function applyItem(
  target: Server,
  kind: Kind,
  item: SourceItem,
  existingId: string | undefined,
  context: Context,
): Promise<Step> {
  const step = (action: Action, id: string | null, note = ''): Step => {
    if (id !== null) context.ids.set(item.id, id)
    return { kind: kind.list, name: kind.label(item), action, id, note }
  }
  if (existingId !== undefined) return step('exists', existingId)
  const draft = kind.draft(item, context)
  if ('missing' in draft) return step('skipped', null, draft.missing)
  if (context.dryRun) {
    context.ids.set(item.id, `new:${item.id}`)
    return { kind: kind.list, name: kind.label(item), action: 'create', id: null, note: '' }
  }
  const { status, body } = await callApi(target.io, target.connection, kind.route, target.version, {
    params: draft.params ?? {},
    query: {},
    body: draft.body,
  })
  if (status === 401 || status === 403 || status === 429 || status >= 500)
    throw rejected(target.connection.url, kind.route.path, status, body)
  if (status >= 400) return step('failed', null, errorText(body).message)
  return step('created', kind.idOf(body as Record<string, unknown>))
}

/** Accounts come without credentials: a user who is connected in the target keeps that account. */
async function matchAccounts(target: Server, file: ProjectFile, { ids }: Context): Promise<Step[]> {
  const key = ({ user_id, toolkit }: SourceItem) => [user_id, toolkit].join('|')
  const active = (await readList(target, 'connected_accounts')).filter(({ status }) => status === 'ACTIVE')
  const free = Map.groupBy(active, key)
  return file.connected_accounts.map((account) => {
    const name = `${text(account['toolkit'])} of ${text(account['user_id'])}`
    const candidates = free.get(key(account)) ?? []
    const config = ids.get(text(account['auth_config_id']))
    const at = Math.max(
      0,
      candidates.findIndex(({ auth_config_id }) => auth_config_id === config),
    )
    const [match] = candidates.splice(at, 1)
    if (!match) {
      const note = `patchbay connect ${text(account['toolkit'])} --user ${quoteWord(text(account['user_id']))}`
      return { kind: 'connected_accounts', name, action: 'connect', id: null, note }
    }
    ids.set(account.id, match.id)
    return { kind: 'connected_accounts', name, action: 'exists', id: match.id, note: '' }
  })
}

function draftAuthConfig(item: SourceItem, { credentials }: Context): Draft {
  const { name, toolkit, auth_scheme, tool_access_config, is_enabled_for_tool_router } = item
  const common = { name, tool_access_config, is_enabled_for_tool_router }
  const values = { ...(item['credentials'] as object | undefined), ...credentials[text(name)] }
  const custom = { type: 'use_custom_auth', authScheme: auth_scheme, credentials: values }
  const auth = item['is_service_managed'] ? { type: 'use_service_managed_auth' } : custom
  return { body: { toolkit: { slug: toolkit }, auth_config: { ...auth, ...common } } }
}

function draftMcpServer(item: SourceItem, { ids, toolkitOf }: Context): Draft {
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

function draftTrigger(item: SourceItem, { ids }: Context): Draft {
  if (item['disabled_at'] !== undefined) return { missing: 'it is disabled in the source' }
  const account = text(item['connected_account_id'])
  if (![...ids.values()].includes(account))
    return { missing: 'its user is not connected yet; import again afterwards' }
  return {
    params: { slug: text(item['trigger_name']) },
    body: { connected_account_id: account, trigger_config: item['trigger_config'] ?? {} },
  }
}

/** Types of events start with the brand of their server. */
const neutralEvent = (type: string): string => type.replace(/^[a-z]+\./, 'service.')

function indexByKey(kind: Kind, items: readonly SourceItem[]): Map<string, string> {
  const counts = new Map<string, number>()
  return new Map(oldestFirst(items).map((item) => [nthKey(counts, kind.key(item)), item.id]))
}

/** Lists start with the newest object. Created in this order, equal objects are in the same order again. */
const oldestFirst = (items: readonly SourceItem[]): SourceItem[] => [...items].reverse()

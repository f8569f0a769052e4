import { createAuthConfig } from '../../contract/auth-configs/index.ts'
import { createMcpServer } from '../../contract/mcp-servers/index.ts'
import { createPolicy } from '../../contract/policies/index.ts'
import type { Route } from '../../contract/route.ts'
import { updateProjectConfig } from '../../contract/projects/index.ts'
import { createSavedConfig, createSession } from '../../contract/sessions/index.ts'
import { upsertTrigger } from '../../contract/triggers/index.ts'
import { importToolkit } from '../../contract/toolkits/index.ts'
import { createWebhook } from '../../contract/webhooks/index.ts'
import { callApi } from '../api-client/call.ts'
import { transferAccounts } from './accounts.ts'
import type { ListName, ProjectFile, SourceItem } from './project-file.ts'
import { type Draft, draftAuthConfig, draftMcpServer, draftSession, draftTrigger } from './drafts.ts'
import { nthKey, replaceIds, stable } from './keys.ts'
import { readList } from './read-project.ts'
import { errorText, isServerTrouble, rejected, type Server } from './server.ts'
import type { ProjectSecrets } from './secrets.ts'
import { sessionBody } from './session-body.ts'
import { draftToolkit, leftOutNote } from './toolkits.ts'

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
  /** Credentials by the name of their auth config, for files without secrets. */
  credentials: Readonly<Record<string, Record<string, unknown>>>
  /** Secrets of the file, decrypted; none in a file without them. */
  secrets: ProjectSecrets
  /** Sends no request that changes something. */
  dryRun: boolean
}

interface Kind {
  list: ListName
  route: Route
  label(item: SourceItem): string
  /** Objects with equal keys are the same object. Ids of the source are replaced by those of the target first. */
  key(item: SourceItem): string
  draft(item: SourceItem, context: Context): Draft
  idOf(reply: Record<string, unknown>): string
  /** What a person has to do with the new object. */
  note?(reply: Record<string, unknown>): string
}

export interface Context extends ApplyOptions {
  /** Ids of the target by ids of the source. */
  ids: Map<string, string>
  toolkitOf: ReadonlyMap<string, string>
  /** Slugs of the custom toolkits of the source that the target does not have. */
  missingToolkits: Set<string>
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

/** In the order in which they are created: later ones name the ids of earlier ones. */
const KINDS: readonly Kind[] = [
  {
    list: 'toolkits',
    route: importToolkit,
    label: ({ slug, version }) => [slug, version].map(text).join(' ').trim(),
    key: ({ slug, version, digest }) => [slug, version, digest].join('|'),
    draft: draftToolkit,
    idOf: ({ slug, version }) => `${text(slug)}@${text(version)}`,
    note: leftOutNote,
  },
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
    list: 'sessions',
    route: createSession,
    label: ({ user_id }) => `of ${text(user_id)}`,
    key: (item) => stable(sessionBody(item)),
    draft: draftSession,
    idOf: ({ session_id }) => text(session_id),
    note: ({ mcp }) => `its MCP clients need the URL ${text((mcp as { url?: string } | undefined)?.url)}`,
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
    missingToolkits: new Set(file.toolkits.map(({ slug }) => text(slug))),
    toolkitOf: new Map(file.auth_configs.map(({ id, toolkit }) => [id, text(toolkit)])),
  }
  const steps: Step[] = []
  for (const kind of KINDS) {
    if (kind.list === 'triggers') steps.push(...(await transferAccounts(target, file, context)))
    const present = await readList(target, kind.list)
    if (kind.list === 'toolkits') for (const { slug } of present) context.missingToolkits.delete(text(slug))
    const existing = indexByKey(kind, present)
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
    if (kind.list === 'toolkits' && id !== null) context.missingToolkits.delete(text(item['slug']))
    return { kind: kind.list, name: kind.label(item), action, id, note }
  }
  if (existingId !== undefined) return step('exists', existingId)
  if (context.missingToolkits.has(text(item['toolkit'])))
    return step('skipped', null, 'its toolkit was not imported; its credentials are not for another one')
  const draft = kind.draft(item, context)
  if ('missing' in draft) return step('skipped', null, draft.missing)
  if (context.dryRun) {
    if (kind.list === 'toolkits') context.missingToolkits.delete(text(item['slug']))
    context.ids.set(item.id, `new:${item.id}`)
    return { kind: kind.list, name: kind.label(item), action: 'create', id: null, note: '' }
  }
  const { status, body } = await callApi(target.io, target.connection, kind.route, target.version, {
    params: draft.params ?? {},
    query: {},
    body: draft.body,
  })
  if (isServerTrouble(status)) throw rejected(target.connection.url, kind.route.path, status, body)
  if (status >= 400) return step('failed', null, errorText(body).message)
  const reply = body as Record<string, unknown>
  const action = reply['created'] === false ? 'exists' : 'created'
  return step(action, kind.idOf(reply), kind.note?.(reply))
}

/** Types of events start with the brand of their server. */
const neutralEvent = (type: string): string => type.replace(/^[a-z]+\./, 'service.')

function indexByKey(kind: Kind, items: readonly SourceItem[]): Map<string, string> {
  const counts = new Map<string, number>()
  return new Map(oldestFirst(items).map((item) => [nthKey(counts, kind.key(item)), item.id]))
}

/** Lists start with the newest object. Created in this order, equal objects are in the same order again. */
const oldestFirst = (items: readonly SourceItem[]): SourceItem[] => [...items].reverse()

import { toApiError } from '../../../../platform/http/server/api-errors.ts'
import type { Recipes } from '../../recipes/index.ts'
import type { MetaCall, MetaOutcome, SessionScope } from '../../index.ts'
import {
  BATCH_LIMITS,
  type BatchLimits,
  failuresOf,
  type Item,
  type ItemResult,
  type Refused,
  runBatch,
} from './run-batch.ts'
import { TO_GO_ON } from '../connections/manage-connections.ts'
import { conversation } from '../conversation-id.ts'
import type { Memory } from '../memory/memory.ts'
import { type KeepFile, offload, type RemoteFile } from './offload.ts'
import { told } from '../create-meta-tool.ts'

export interface BatchDeps {
  memory: Memory
  recipes: Recipes
  spell(slug: string): string
  /** Whether a slug, in any spelling, is one of a meta tool. */
  isMeta(slug: string): boolean
  keepFile(scope: SessionScope, name: string, bytes: Buffer): ReturnType<KeepFile>
  limits?: BatchLimits | undefined
}

const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ToolRouterV2_NoActiveConnection',
  'ActionExecute_ConnectedAccountNotFound',
  'ActionExecute_ConnectedAccountExpired',
])
const SLUG_SHOWN_MAX = 100
/** What callers name the tools of their own process. */
const LOCAL = /^LOCAL_/i

/** Runs tools beside each other; each succeeds or fails by itself. */
export async function multiExecute(
  deps: BatchDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
  call: MetaCall,
): Promise<MetaOutcome> {
  const items = (args['tools'] as Item[]).map((item) => ({
    ...item,
    tool_slug: item.tool_slug.slice(0, SLUG_SHOWN_MAX),
  }))
  const { linkOf, isLink } = links(deps, scope)
  const whole = await runBatch(
    items,
    (item, signal) => runItem(deps, scope, linkOf, item, { ...call, signal }),
    call.signal,
    deps.limits ?? BATCH_LIMITS,
  )
  const noted = await note(deps, scope, args['memory'])
  const { results, file } = await shown(deps, scope, whole, args['sync_response_to_workbench'] === true)
  const error = failuresOf(whole)
  const failed = whole.filter((one) => one.error !== null).length
  return {
    data: {
      results,
      total_count: whole.length,
      success_count: whole.length - failed,
      error_count: failed,
      remote_file_info: file,
      next_steps: [...nextSteps(deps, scope, whole, isLink), ...noted].join(' ') || null,
      session: conversation(args['session_id']),
    },
    error,
    visit: visitBefore(whole, isLink),
  }
}

/** The page to visit first, where all that a batch found out is that one connection is missing. Where anything ran, its answer goes before. */
function visitBefore(results: readonly ItemResult[], isLink: IsLink): MetaOutcome['visit'] {
  const [first, ...more] = results.map(({ response }) => response?.data)
  if (!isLink(first) || !more.every((data) => isLink(data) && data['redirect_url'] === first['redirect_url']))
    return undefined
  return {
    id: String(first['connected_account_id']),
    message: `No active connection for ${String(first['toolkit'])}. Connect it here, then let the tools be called again.`,
    url: String(first['redirect_url']),
  }
}

type LinkOf = (toolkit: string) => Promise<Refused>
/** Whether data is a link of ours: what an application answers may look the same. */
type IsLink = (data: unknown) => data is Record<string, unknown>

async function runItem(
  deps: BatchDeps,
  scope: SessionScope,
  linkOf: LinkOf,
  { tool_slug: slug, arguments: args, account }: Item,
  { signal, logId }: MetaCall,
) {
  if (deps.isMeta(slug)) return { refused: `${slug} is not allowed in a batch; call it by itself.` }
  if (LOCAL.test(slug))
    return { refused: `${slug} runs in the process of its caller, not on this server; call it there.` }
  try {
    const options = { account, signal, parentLogId: logId }
    const found = scope.find(slug)
    const recipe = found ? undefined : await deps.recipes.find(scope, slug)
    if (!recipe) return await scope.execute(slug, args, options)
    const missing = await firstMissing(scope, recipe.toolkits)
    return missing === undefined
      ? await deps.recipes.run(scope, recipe, args, options)
      : { ...(await linkOf(missing)), logId }
  } catch (error) {
    const failure = toApiError(error)
    const toolkit = NOT_CONNECTED.has(failure.slug) ? scope.find(slug)?.toolkit : undefined
    if (toolkit) return { ...(await linkOf(toolkit.slug)), logId }
    if (failure.slug === 'HTTP_InternalServerError')
      scope.caller.log.error(
        { err: failure.cause ?? failure, request_id: scope.caller.requestId },
        'an item of a batch could not be run',
      )
    return { refused: told(failure) }
  }
}

/** Of toolkits, one without a connection that works. */
async function firstMissing(scope: SessionScope, toolkits: readonly string[]): Promise<string | undefined> {
  const connections = await scope.connections(toolkits)
  return toolkits.find((slug) => !connections.get(slug)?.active.length)
}

/** A link for each toolkit that is not connected, one however many items need it. */
function links({ spell }: BatchDeps, scope: SessionScope): { linkOf: LinkOf; isLink: IsLink } {
  const made = new Map<string, Promise<Refused>>()
  const own = new WeakSet<object>()
  const make = async (slug: string): Promise<Refused> => {
    const connections = (await scope.connections([slug])).get(slug)
    const needed = `No active connection for ${slug}`
    if (!scope.config.manage_connections.enable)
      return { refused: `${needed}, and this session hands out no links; ask whoever runs it.` }
    if (connections?.isPinned)
      return {
        refused: `${needed}: the account that this session names does not work. Connect it again with ${spell('SERVICE_MANAGE_CONNECTIONS')}.`,
      }
    try {
      const expired = connections?.others.find(({ status }) => TO_GO_ON.has(status))
      const { redirectUrl, connectedAccountId } = await scope.link(slug, { again: expired?.id })
      const data = { toolkit: slug, redirect_url: redirectUrl, connected_account_id: connectedAccountId }
      own.add(data)
      return {
        refused: `${needed}; show the user this link, and call the tool again when it has been followed: ${redirectUrl}`,
        data,
      }
    } catch (error) {
      return { refused: `${needed}. ${told(error)}` }
    }
  }
  return {
    linkOf(slug) {
      let link = made.get(slug)
      if (!link) made.set(slug, (link = make(slug)))
      return link
    },
    isLink: (data): data is Record<string, unknown> =>
      typeof data === 'object' && data !== null && own.has(data),
  }
}

/** Facts about toolkits that there are. What was run stays true when nothing can be noted. */
async function note({ memory }: BatchDeps, scope: SessionScope, given: unknown): Promise<string[]> {
  const {
    projectId,
    userId,
    caller: { settings, log, requestId },
  } = scope
  const facts = Object.entries((given as Record<string, string[]> | undefined) ?? {}).flatMap(
    ([slug, sentences]) => {
      const toolkit = scope.toolkit(slug)
      return toolkit ? [[toolkit.slug, sentences] as const] : []
    },
  )
  if (!facts.length || !settings.storePayloads) return []
  try {
    await memory.note(projectId, userId, Object.fromEntries(facts))
    return []
  } catch (error) {
    log.error({ err: error, request_id: requestId }, 'what a caller wanted remembered could not be')
    return ['What was to be remembered could not be stored.']
  }
}

/** Inline, or the beginnings and a file: when the caller wants that, and when there is more than the session reads at once. A project that stores no payloads keeps no file. */
async function shown(
  deps: BatchDeps,
  scope: SessionScope,
  results: ItemResult[],
  asked: boolean,
): Promise<{ results: ItemResult[]; file: RemoteFile | null }> {
  const {
    config: {
      workbench: { enable, auto_offload_threshold: threshold },
    },
    caller: { settings, log, requestId },
  } = scope
  if (!enable || !settings.storePayloads || !results.some(({ response }) => response))
    return { results, file: null }
  if (!asked && JSON.stringify(results).length <= threshold) return { results, file: null }
  try {
    return await offload(results, threshold, (name, bytes) => deps.keepFile(scope, name, bytes))
  } catch (error) {
    // What was run was run: its answer is told also where it cannot be kept.
    log.warn({ err: error, request_id: requestId }, 'a large answer could not be kept in a file')
    return { results, file: null }
  }
}

function nextSteps(
  { spell }: BatchDeps,
  { config }: SessionScope,
  results: readonly ItemResult[],
  isLink: IsLink,
): string[] {
  const linked = [
    ...new Set(
      results.flatMap(({ response }) => (isLink(response?.data) ? [String(response.data['toolkit'])] : [])),
    ),
  ]
  const held = results
    .filter(({ response }) => isPending(response?.data['approval']))
    .map(({ index }) => index)
  const failed = results
    .filter(
      ({ index, error, response }) => error !== null && !held.includes(index) && !isLink(response?.data),
    )
    .map(({ index }) => index)
  return [
    ...(linked.length
      ? [
          `Show the user the links for ${linked.join(', ')}; when they have been followed, run only the items that needed them.`,
        ]
      : []),
    ...(held.length
      ? [
          `Have a person decide on ${items(held)} (approval), then run ${held.length === 1 ? 'it' : 'them'} again exactly as before.`,
        ]
      : []),
    ...(failed.length && failed.length < results.length
      ? [`Only ${items(failed)} failed; do not run the others again.`]
      : []),
    ...(config.search.enable &&
    failed.length &&
    results.some(({ error }) => error?.includes('Invalid arguments'))
      ? [`Compare the arguments with the schema of ${spell('SERVICE_GET_TOOL_SCHEMAS')}.`]
      : []),
  ]
}

const items = (list: readonly number[]): string =>
  `${list.length === 1 ? 'item' : 'items'} ${list.join(', ')}`
const isPending = (approval: unknown): boolean =>
  (approval as { status?: unknown } | undefined)?.status === 'pending'

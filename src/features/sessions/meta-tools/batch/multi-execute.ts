import { toApiError } from '../../../../platform/http/server/api-errors.ts'
import type { Recipes, StoredContent } from '../../recipes/index.ts'
import type { MetaToolCall, MetaToolOutcome } from '../meta-tool.ts'
import type { SessionScope } from '../../scope/scope.ts'
import {
  BATCH_LIMITS,
  type BatchLimits,
  failureSummary,
  type BatchItem,
  type BatchItemResult,
  runBatch,
} from './run-batch.ts'
import { createBatchLinks, type IsLink, type LinkFor } from './connect-links.ts'
import { readConversation } from '../conversation-id.ts'
import type { UserMemory } from '../memory/memory.ts'
import { type StoreFile, offloadBatch, type RemoteFile } from './offload.ts'
import { describeError } from '../create-meta-tool.ts'

export interface MultiExecuteDeps {
  memory: UserMemory
  storedContent: StoredContent
  recipes: Recipes
  toWireName(slug: string): string
  /** Whether a slug, in any spelling, is one of a meta tool. */
  isMeta(slug: string): boolean
  storeFile(scope: SessionScope, name: string, bytes: Buffer): ReturnType<StoreFile>
  limits?: BatchLimits | undefined
}

const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ToolRouterV2_NoActiveConnection',
  'ActionExecute_ConnectedAccountNotFound',
  'ActionExecute_ConnectedAccountExpired',
])
const SLUG_CHARACTERS_MAX = 100
/** The prefix of tools that run in the process of the caller. */
const LOCAL_SLUG = /^LOCAL_/i

/** Runs tools concurrently. Each succeeds or fails separately. */
export async function multiExecute(
  deps: MultiExecuteDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
  call: MetaToolCall,
): Promise<MetaToolOutcome> {
  const items = (args['tools'] as BatchItem[]).map((item) => ({
    ...item,
    tool_slug: item.tool_slug.slice(0, SLUG_CHARACTERS_MAX),
  }))
  const { linkFor, isLink } = createBatchLinks(deps, scope)
  const itemResults = await runBatch(
    items,
    (item, signal) => runItem(deps, scope, linkFor, item, { ...call, signal }),
    call.signal,
    deps.limits ?? BATCH_LIMITS,
  )
  const memoryMessages = await rememberFacts(deps, scope, args['memory'])
  const { results, file } = await offloadIfLarge(
    deps,
    scope,
    itemResults,
    args['sync_response_to_workbench'] === true,
  )
  const error = failureSummary(itemResults)
  const failed = itemResults.filter((one) => one.error !== null).length
  return {
    data: {
      results,
      total_count: itemResults.length,
      success_count: itemResults.length - failed,
      error_count: failed,
      remote_file_info: file,
      next_steps: [...nextSteps(deps, scope, itemResults, isLink), ...memoryMessages].join(' ') || null,
      session: readConversation(args['session_id']),
    },
    error,
    visit: requiredVisit(itemResults, isLink),
  }
}

/** Returns the connect page if every item of the batch needs the same missing connection, and nothing was run. */
function requiredVisit(results: readonly BatchItemResult[], isLink: IsLink): MetaToolOutcome['visit'] {
  const [first, ...more] = results.map(({ response }) => response?.data)
  if (!isLink(first) || !more.every((data) => isLink(data) && data['redirect_url'] === first['redirect_url']))
    return undefined
  return {
    id: String(first['connected_account_id']),
    message: `No active connection for ${String(first['toolkit'])}. Connect it here, then call the tools again.`,
    url: String(first['redirect_url']),
  }
}

async function runItem(
  deps: MultiExecuteDeps,
  scope: SessionScope,
  linkFor: LinkFor,
  { tool_slug: slug, arguments: args, account }: BatchItem,
  { signal, logId }: MetaToolCall,
) {
  if (deps.isMeta(slug)) return { reason: `${slug} is not allowed in a batch. Call it separately.` }
  if (LOCAL_SLUG.test(slug))
    return { reason: `${slug} runs in the process of the caller, not on this server. Call it there.` }
  try {
    const options = { account, signal, parentLogId: logId }
    const found = scope.find(slug)
    const recipe = found ? undefined : await deps.recipes.find(scope, slug)
    if (!recipe) return await scope.execute(slug, args, options)
    const missing = await firstMissing(scope, recipe.toolkits)
    return missing === undefined
      ? await deps.recipes.run(scope, recipe, args, options)
      : { ...(await linkFor(missing)), logId }
  } catch (error) {
    const failure = toApiError(error)
    const toolkit = NOT_CONNECTED.has(failure.slug) ? scope.find(slug)?.toolkit : undefined
    if (toolkit) return { ...(await linkFor(toolkit.slug)), logId }
    if (failure.slug === 'HTTP_InternalServerError')
      scope.caller.log.error(
        { err: failure.cause ?? failure, request_id: scope.caller.requestId },
        'an item of a batch failed',
      )
    return { reason: describeError(failure) }
  }
}

/** Returns the first toolkit without an active connection. */
async function firstMissing(scope: SessionScope, toolkits: readonly string[]): Promise<string | undefined> {
  const connections = await scope.connections(toolkits)
  return toolkits.find((slug) => !connections.get(slug)?.active.length)
}

/** Stores facts about toolkits of the session. A failure does not change the results of the batch. */
async function rememberFacts(
  { memory, storedContent }: MultiExecuteDeps,
  scope: SessionScope,
  memoryArgument: unknown,
): Promise<string[]> {
  const {
    projectId,
    sessionId,
    userId,
    caller: { settings, log, requestId },
  } = scope
  const facts = Object.entries((memoryArgument as Record<string, string[]> | undefined) ?? {}).flatMap(
    ([slug, sentences]) => {
      const toolkit = scope.toolkit(slug)
      return toolkit ? [[toolkit.slug, sentences] as const] : []
    },
  )
  if (!facts.length || !settings.storePayloads) return []
  try {
    const hasRead = await storedContent.hasRead(projectId, sessionId)
    await memory.note(projectId, userId, Object.fromEntries(facts), hasRead)
    return []
  } catch (error) {
    log.error({ err: error, request_id: requestId }, 'the memory of a batch was not stored')
    return ['The facts in memory were not stored.']
  }
}

/**
 * Moves results to a file, and returns the beginning of each, if the caller requests it or the results are larger than
 * the threshold of the session. A project that does not store payloads gets no file.
 */
async function offloadIfLarge(
  deps: MultiExecuteDeps,
  scope: SessionScope,
  results: BatchItemResult[],
  isRequested: boolean,
): Promise<{ results: BatchItemResult[]; file: RemoteFile | null }> {
  const {
    config: {
      workbench: { enable, auto_offload_threshold: threshold },
    },
    caller: { settings, log, requestId },
  } = scope
  if (!enable || !settings.storePayloads || !results.some(({ response }) => response))
    return { results, file: null }
  if (!isRequested && JSON.stringify(results).length <= threshold) return { results, file: null }
  try {
    return await offloadBatch(results, threshold, (name, bytes) => deps.storeFile(scope, name, bytes))
  } catch (error) {
    // The tools were run, so their results are returned even if the file cannot be written.
    log.warn({ err: error, request_id: requestId }, 'a large result was not stored in a file')
    return { results, file: null }
  }
}

function nextSteps(
  { toWireName }: MultiExecuteDeps,
  { config }: SessionScope,
  results: readonly BatchItemResult[],
  isLink: IsLink,
): string[] {
  const linkedToolkits = [
    ...new Set(
      results.flatMap(({ response }) => (isLink(response?.data) ? [String(response.data['toolkit'])] : [])),
    ),
  ]
  const pending = results
    .filter(({ response }) => isPending(response?.data['approval']))
    .map(({ index }) => index)
  const failed = results
    .filter(
      ({ index, error, response }) => error !== null && !pending.includes(index) && !isLink(response?.data),
    )
    .map(({ index }) => index)
  return [
    ...(linkedToolkits.length
      ? [
          `Show the user the links for ${linkedToolkits.join(', ')}. After the user has connected, run ` +
            'only the items that needed them.',
        ]
      : []),
    ...(pending.length
      ? [
          `Ask a person to decide on ${describeItems(pending)} (approval), then run ` +
            `${pending.length === 1 ? 'it' : 'them'} again exactly as before.`,
        ]
      : []),
    ...(failed.length && failed.length < results.length
      ? [`Only ${describeItems(failed)} failed; do not run the others again.`]
      : []),
    ...(config.search.enable &&
    failed.length &&
    results.some(({ error }) => error?.includes('Invalid arguments'))
      ? [`Compare the arguments with the schema of ${toWireName('SERVICE_GET_TOOL_SCHEMAS')}.`]
      : []),
  ]
}

const describeItems = (list: readonly number[]): string =>
  `${list.length === 1 ? 'item' : 'items'} ${list.join(', ')}`
const isPending = (approval: unknown): boolean =>
  (approval as { status?: unknown } | undefined)?.status === 'pending'

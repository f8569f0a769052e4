import { searchReady } from '../../../../catalog/index.ts'
import type { Clock } from '../../../../platform/clock.ts'
import type { Encryptor } from '../../../../platform/crypto/index.ts'
import { runInSlices } from '../../../../platform/http/turns/run-in-slices.ts'
import type { Recipes, RecipeTool, StoredContent } from '../../recipes/index.ts'
import type { MetaToolCall, MetaToolOutcome } from '../meta-tool.ts'
import type { SessionScope } from '../../scope/scope.ts'
import { readConversation } from '../conversation-id.ts'
import { readSearchContext, type RecentToolUses, type SimilarityOfTools } from './search-context.ts'
import { createToolFinder } from './tool-finder.ts'
import type { UserMemory } from '../memory/memory.ts'
import { type QueryResult, type SearchQuery, searchQuery } from './search-query.ts'
import { demoteWithoutSchema, selectSchemas } from './select-schemas.ts'
import { connectionStatuses } from '../connections/connection-status.ts'

export interface SearchToolsDeps {
  encryptor: Encryptor
  clock: Clock
  memory: UserMemory
  recipes: Recipes
  recentToolUses: RecentToolUses
  similarityTo?: SimilarityOfTools | undefined
  storedContent: StoredContent
  toWireName(slug: string): string
}

/** Bytes of a result with up to three queries. Each further query adds a share. The model reads all of it. */
const RESULT_BYTES_MAX = 22_000
const BYTES_PER_EXTRA_QUERY = 6_000
const QUERIES_INCLUDED = 3

/** Searches tools: one result per query in their order, with everything that calling the primary tools needs. */
export async function searchTools(
  deps: SearchToolsDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
  call: MetaToolCall,
): Promise<MetaToolOutcome> {
  const queries = args['queries'] as SearchQuery[]
  const session = args['session'] as { id?: unknown } | undefined
  const notSearched = await searchReady(scope.catalog)
  const [recipes, context] = await Promise.all([
    deps.recipes.tools(scope),
    readSearchContext(scope, deps.recentToolUses),
  ])
  const find = createToolFinder(scope, { custom: call.custom ?? [], recipes }, context)
  const withPlans = args['search_strategy'] !== 'tool_search'
  const queryResults = await runQueries(deps, scope, find, queries, { withPlans, signal: call.signal })
  await addMemories(deps, scope, queryResults)
  await recordRecipes(deps, scope, recipes, queryResults)
  const connectionStatusList = await connectionStatuses(
    scope,
    deps.encryptor,
    toolkitsOf(queryResults),
    deps.toWireName('SERVICE_MANAGE_CONNECTIONS'),
  )
  const failed = queryResults.flatMap(({ result: { error } }) => (error === null ? [] : [String(error)]))
  const error = failed.length
    ? `${failed.length} out of ${queries.length} searches failed, reasons: ${failed.join('; ')}`
    : null
  const now = deps.clock.now()
  const data = {
    success: error === null,
    error,
    results: queryResults.map(({ result }) => result),
    tool_schemas: {} as Record<string, unknown>,
    toolkit_connection_statuses: connectionStatusList,
    next_steps_guidance: [] as string[],
    time_info: {
      current_time_utc: new Date(now).toISOString(),
      current_time_utc_epoch_seconds: Math.floor(now / 1_000),
      message: 'Ask for the time zone of the user where a date matters.',
    },
    session: readConversation(session?.id, { generated: true }),
  }
  const availableBytes =
    RESULT_BYTES_MAX +
    Math.max(0, queries.length - QUERIES_INCLUDED) * BYTES_PER_EXTRA_QUERY -
    Buffer.byteLength(JSON.stringify(data))
  data.tool_schemas = selectSchemas(deps, queryResults, availableBytes)
  for (const one of queryResults) demoteWithoutSchema(one, data.tool_schemas)
  data.next_steps_guidance = [
    ...describeNotSearched(scope, notSearched),
    ...nextSteps(deps, scope, queryResults, connectionStatusList, data.tool_schemas),
  ]
  return { data, error }
}

/** Slugs of the toolkits of all tools that were found. */
const toolkitsOf = (queryResults: readonly QueryResult[]): string[] =>
  unique(
    queryResults.flatMap(({ primary, related }) =>
      [...primary, ...related].flatMap(({ connectionToolkits: needs, resolvedTool: found }) =>
        found ? [found.toolkit.slug] : needs,
      ),
    ),
  )

/** Slices of searches of one project that wait. More are rejected, so that no caller waits for minutes. */
const WAITING_MAX = 256

/** Runs each query in slices: a search takes milliseconds of a process that all projects share. */
const runQueries = (
  { similarityTo }: SearchToolsDeps,
  scope: SessionScope,
  find: ReturnType<typeof createToolFinder>,
  queries: readonly SearchQuery[],
  { withPlans, signal }: { withPlans: boolean; signal: AbortSignal },
): Promise<QueryResult[]> =>
  Promise.all(
    queries.map(async (query, at) => {
      const similarity = await similarityTo?.(scope.projectId, scope.catalog, query.use_case)
      const work = searchQuery(scope, (text) => find(text, similarity), query, at + 1, withPlans)
      return runInSlices(work, { signal, waitingMax: WAITING_MAX })
    }),
  )

/** Records the use of the recipes that the results contain: names and descriptions are content, too. */
async function recordRecipes(
  { recipes }: SearchToolsDeps,
  scope: SessionScope,
  userRecipes: readonly RecipeTool[],
  queryResults: readonly QueryResult[],
): Promise<void> {
  const slugs = new Set(
    queryResults.flatMap(({ primary, related }) => [...primary, ...related].map(({ slug }) => slug)),
  )
  await recipes.recordUse(
    scope,
    userRecipes.filter(({ slug }) => slugs.has(slug)),
  )
}

/** Adds facts from earlier calls to the results without a plan. */
async function addMemories(
  { memory, storedContent, toWireName }: SearchToolsDeps,
  { projectId, sessionId, userId }: SessionScope,
  queryResults: readonly QueryResult[],
): Promise<void> {
  const open = queryResults.filter(({ result, primary }) => primary.length && !('plan_id' in result))
  const { facts, isUntrusted } = await memory.recall(
    projectId,
    userId,
    unique(
      open.flatMap(({ primary }) =>
        primary.flatMap(({ connectionToolkits: needs, toolkit }) => [toolkit, ...needs]),
      ),
    ),
  )
  if (isUntrusted)
    await storedContent.recordStored(
      projectId,
      sessionId,
      toWireName('SERVICE_SEARCH_TOOLS'),
      'Notes of an earlier session',
    )
  for (const { result, primary } of open) {
    const own = Object.entries(facts).filter(([toolkit]) =>
      primary.some((hit) => hit.toolkit === toolkit || hit.connectionToolkits.includes(toolkit)),
    )
    if (own.length) result['memory'] = Object.fromEntries(own)
  }
}

const NAMED_MAX = 10

/** Names toolkits that the search left out, so that a missing tool is not taken for one that does not exist. */
function describeNotSearched(scope: SessionScope, toolkits: readonly string[]): string[] {
  const slugs = toolkits.filter((toolkit) => scope.isVisible({ slug: '', toolkit, tags: [] }))
  if (slugs.length === 0) return []
  const more = slugs.length > NAMED_MAX ? ` and ${slugs.length - NAMED_MAX} more` : ''
  return [
    `The tools of ${slugs.slice(0, NAMED_MAX).join(', ')}${more} are missing from these results: their search is ` +
      'still being prepared. Search again in a minute if a tool is missing.',
  ]
}

type ConnectionStatusList = Awaited<ReturnType<typeof connectionStatuses>>

/** Returns the next steps, one sentence each. */
function nextSteps(
  { toWireName }: SearchToolsDeps,
  { config }: SessionScope,
  queryResults: readonly QueryResult[],
  connectionStatusList: ConnectionStatusList,
  schemas: Record<string, unknown>,
): string[] {
  const neededToolkits = new Set(
    queryResults.flatMap(({ primary }) => primary.flatMap(({ connectionToolkits: needs }) => needs)),
  )
  const missing = connectionStatusList
    .filter(({ toolkit, has_active_connection: has }) => !has && neededToolkits.has(toolkit))
    .map(({ toolkit }) => toolkit)
  const ambiguous = connectionStatusList
    .filter(({ account_selection: selection }) => selection)
    .map(({ toolkit }) => toolkit)
  const isRunnable = queryResults.some(({ primary }) => primary.length)
  const hasReferences = Object.values(schemas).some(
    (one) => !(one as { hasFullSchema: boolean }).hasFullSchema,
  )
  const run = config.execute.enable_multi_execute ? ` with ${toWireName('SERVICE_MULTI_EXECUTE_TOOL')}` : ''
  return [
    ...(missing.length
      ? [
          config.manage_connections.enable
            ? `Connect ${missing.join(', ')} with ${toWireName('SERVICE_MANAGE_CONNECTIONS')} before ` +
              'calling their tools.'
            : `${missing.join(', ')}: not connected, and this session does not create connect links.`,
        ]
      : []),
    ...(ambiguous.length
      ? [`Ask the user which account to use for ${ambiguous.join(', ')}, and pass it as account.`]
      : []),
    ...(hasReferences && isRunnable
      ? [
          `Fetch the schemas that have only a schemaRef with ${toWireName('SERVICE_GET_TOOL_SCHEMAS')} ` +
            'before calling those tools.',
        ]
      : []),
    ...(isRunnable
      ? [`Run the tools${run}. Put calls that do not depend on each other into one batch.`]
      : ['No tool fits. Search again with other words.']),
  ]
}

const unique = (list: readonly string[]): string[] => [...new Set(list)]

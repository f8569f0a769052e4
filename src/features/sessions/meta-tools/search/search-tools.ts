import type { Clock } from '../../../../platform/clock.ts'
import type { Encryptor } from '../../../../platform/crypto/index.ts'
import type { Recipes } from '../../recipes/index.ts'
import type { MetaToolCall, MetaToolOutcome } from '../meta-tool.ts'
import type { SessionScope } from '../../scope/scope.ts'
import { readConversation } from '../conversation-id.ts'
import { type SearchFindings, createToolFinder, type SearchHit, catalogHit } from './tool-finder.ts'
import type { UserMemory } from '../memory/memory.ts'
import { argumentSources } from './argument-sources.ts'
import { findPitfalls } from './pitfalls.ts'
import { describeDifficulty, knownFieldNames, planCalls } from './plan.ts'
import { truncateText, fitSchemas } from './fit-schemas.ts'
import { connectionStatuses } from '../connections/connection-status.ts'
import { describeError } from '../create-meta-tool.ts'

export interface SearchToolsDeps {
  encryptor: Encryptor
  clock: Clock
  memory: UserMemory
  recipes: Recipes
  toWireName(slug: string): string
}

interface SearchQuery {
  use_case: string
  known_fields?: string
}
interface QueryResult {
  result: Record<string, unknown>
  primary: readonly SearchHit[]
  related: readonly SearchHit[]
}

const PRIMARY_MAX = 2
const TOOLS_MAX = 6
/** A second tool is also primary if its score is at least this fraction of the first one. */
const SECOND_PRIMARY_SCORE = 0.93
const RELATED_DESCRIPTION_MAX = 140
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
  const recipes = await deps.recipes.tools(scope)
  const find = createToolFinder(scope, { custom: call.custom ?? [], recipes })
  const withPlans = args['search_strategy'] !== 'tool_search'
  const queryResults = queries.map((query, at) => searchQuery(scope, find, query, at + 1, withPlans))
  await addMemories(deps, scope, queryResults)
  const connectionStatusList = await connectionStatuses(
    scope,
    deps.encryptor,
    unique(
      queryResults.flatMap(({ primary, related }) =>
        [...primary, ...related].flatMap(({ connectionToolkits: needs, resolvedTool: found }) =>
          found ? [found.toolkit.slug] : needs,
        ),
      ),
    ),
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
  data.next_steps_guidance = nextSteps(deps, scope, queryResults, connectionStatusList, data.tool_schemas)
  return { data, error }
}

function searchQuery(
  scope: SessionScope,
  find: (text: string) => SearchFindings,
  { use_case: useCase, known_fields: known }: SearchQuery,
  index: number,
  withPlans: boolean,
): QueryResult {
  try {
    const { hits, fit } = find(useCase)
    const primary =
      fit.level === 'none'
        ? []
        : hits.filter(
            ({ score }, at) =>
              at === 0 || (at < PRIMARY_MAX && score >= hits[0]!.score * SECOND_PRIMARY_SCORE),
          )
    const goal = primary[0]?.resolvedTool
    const names = knownFieldNames(known)
    const plan = goal && withPlans ? planCalls(goal, names, scope.catalog, scope.find) : undefined
    const steps = (plan?.slugs ?? []).flatMap((slug) => catalogHit(scope, slug) ?? [])
    const related = [...steps, ...hits]
      .filter(
        (hit, at, all) =>
          !primary.some(({ slug }) => slug === hit.slug) &&
          all.findIndex(({ slug }) => slug === hit.slug) === at,
      )
      .slice(0, Math.max(TOOLS_MAX - primary.length, steps.length))
    const pitfalls = withPlans
      ? unique(
          primary.flatMap(({ resolvedTool: found }) =>
            found
              ? findPitfalls(
                  found,
                  argumentSources(found, scope.catalog, scope.find).filter(
                    ({ argument }) => !names.has(argument.toLowerCase()),
                  ),
                )
              : [],
          ),
        )
      : []
    return {
      primary,
      related,
      result: {
        index,
        use_case: useCase,
        ...(primary.length && withPlans ? { difficulty: describeDifficulty(plan) } : {}),
        primary_tool_slugs: primary.map(({ slug }) => slug),
        related_tool_slugs: related.map(({ slug }) => slug),
        toolkits: unique([...primary, ...related].map(({ toolkit }) => toolkit)),
        execution_guidance: executionGuidance(primary, fit.level, plan !== undefined),
        ...(plan ? { plan_id: plan.id, recommended_plan_steps: plan.steps } : {}),
        ...(pitfalls.length ? { known_pitfalls: pitfalls } : {}),
        error: null,
      },
    }
  } catch (error) {
    scope.caller.log.error({ err: error, request_id: scope.caller.requestId }, 'a search failed')
    return {
      primary: [],
      related: [],
      result: {
        index,
        use_case: useCase,
        primary_tool_slugs: [],
        related_tool_slugs: [],
        toolkits: [],
        error: describeError(error),
      },
    }
  }
}

function executionGuidance(primary: readonly SearchHit[], level: string, hasPlan: boolean): string {
  if (!primary.length) return 'No tool fits. Describe the task in other words, or name the application.'
  const doubt =
    level === 'good' ? '' : 'The tools fit only partly: read their descriptions before you call one. '
  return (
    doubt +
    (hasPlan
      ? 'Follow the steps in order. Skip the steps whose value is known.'
      : `Call ${primary[0]!.slug} with arguments from its schema.`)
  )
}

/** Adds facts from earlier calls to the results without a plan. */
async function addMemories(
  { memory }: SearchToolsDeps,
  { projectId, userId }: SessionScope,
  queryResults: readonly QueryResult[],
): Promise<void> {
  const open = queryResults.filter(({ result, primary }) => primary.length && !('plan_id' in result))
  const facts = await memory.recall(
    projectId,
    userId,
    unique(
      open.flatMap(({ primary }) =>
        primary.flatMap(({ connectionToolkits: needs, toolkit }) => [toolkit, ...needs]),
      ),
    ),
  )
  for (const { result, primary } of open) {
    const own = Object.entries(facts).filter(([toolkit]) =>
      primary.some((hit) => hit.toolkit === toolkit || hit.connectionToolkits.includes(toolkit)),
    )
    if (own.length) result['memory'] = Object.fromEntries(own)
  }
}

/**
 * Returns full schemas of primary tools while there is room, the first tool of each query before all others. The other
 * tools get a reference.
 */
function selectSchemas(
  { toWireName }: SearchToolsDeps,
  queryResults: readonly QueryResult[],
  bytes: number,
): Record<string, unknown> {
  const all = new Map(
    queryResults.flatMap(({ primary, related }) => [...primary, ...related]).map((hit) => [hit.slug, hit]),
  )
  const firsts = unique(queryResults.flatMap(({ primary }) => primary.slice(0, 1).map(({ slug }) => slug)))
  const seconds = unique(
    queryResults.flatMap(({ primary }) => primary.slice(1).map(({ slug }) => slug)),
  ).filter((slug) => !firsts.includes(slug))
  const references = new Map([...all.values()].map((hit) => [hit.slug, schemaReference(hit, toWireName)]))
  const inputs = (slugs: readonly string[]) => new Map(slugs.map((slug) => [slug, all.get(slug)!.input()]))
  const left = bytes - Buffer.byteLength(JSON.stringify(Object.fromEntries(references)))
  const fullSchemas = fitSchemas(inputs(firsts), left)
  const used = [...fullSchemas.values()].reduce((sum, one) => sum + one.bytes, 0)
  for (const [slug, one] of fitSchemas(inputs(seconds), left - used)) fullSchemas.set(slug, one)
  return Object.fromEntries(
    [...references].map(([slug, reference]) => {
      const hit = all.get(slug)!
      const schema = fullSchemas.get(slug)?.schema
      return [
        slug,
        schema
          ? {
              tool_slug: slug,
              toolkit: hit.toolkit,
              description: truncateText(hit.description, 400),
              hasFullSchema: true,
              input_schema: schema,
            }
          : reference,
      ]
    }),
  )
}

/** Makes a second primary tool without a full schema a related tool: a primary tool can be called at once. */
function demoteWithoutSchema({ result, primary }: QueryResult, schemas: Record<string, unknown>): void {
  const isWhole = ({ slug }: SearchHit, at: number) =>
    at === 0 || (schemas[slug] as { hasFullSchema: boolean }).hasFullSchema
  const demoted = primary.filter((hit, at) => !isWhole(hit, at)).map(({ slug }) => slug)
  if (!demoted.length) return
  result['primary_tool_slugs'] = primary.filter(isWhole).map(({ slug }) => slug)
  result['related_tool_slugs'] = [...demoted, ...(result['related_tool_slugs'] as string[])]
}

const schemaReference = (
  { slug, toolkit, description }: SearchHit,
  toWireName: SearchToolsDeps['toWireName'],
) => ({
  tool_slug: slug,
  toolkit,
  description: truncateText(description, RELATED_DESCRIPTION_MAX),
  hasFullSchema: false,
  schemaRef: {
    tool: toWireName('SERVICE_GET_TOOL_SCHEMAS'),
    args: { tool_slugs: [slug] },
    message: 'Fetch the schema before you call the tool.',
  },
})

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

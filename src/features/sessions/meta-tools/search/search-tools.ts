import type { Clock } from '../../../../platform/clock.ts'
import type { Encryptor } from '../../../../platform/crypto/index.ts'
import type { Recipes } from '../../recipes/index.ts'
import type { MetaCall, MetaOutcome, SessionScope } from '../../index.ts'
import { conversation } from '../conversation-id.ts'
import { type Findings, finder, type Hit, hitOf } from './tool-finder.ts'
import type { Memory } from '../memory/memory.ts'
import { needsOf } from './argument-sources.ts'
import { pitfallsOf } from './pitfalls.ts'
import { difficultyOf, knownNames, planOf } from './plan.ts'
import { beginning, fitting } from './fit-schemas.ts'
import { connectionStatuses } from '../connections/connection-status.ts'
import { told } from '../create-meta-tool.ts'

export interface SearchDeps {
  encryptor: Encryptor
  clock: Clock
  memory: Memory
  recipes: Recipes
  spell(slug: string): string
}

interface Query {
  use_case: string
  known_fields?: string
}
interface Answered {
  result: Record<string, unknown>
  primary: readonly Hit[]
  related: readonly Hit[]
}

const PRIMARY_MAX = 2
const FOUND_MAX = 6
/** A second tool is primary too when it fits nearly as well as the first. */
const NEARLY = 0.93
const RELATED_DESCRIPTION_MAX = 140
/** Of a whole answer with up to three queries; each more adds a share. Models read all of it. */
const BYTES_MAX = 22_000
const BYTES_A_QUERY = 6_000
const QUERIES_IN_BYTES = 3

/** What is answered to queries: one result each in their order, with everything that calling the primary tools needs. */
export async function search(
  deps: SearchDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
  call: MetaCall,
): Promise<MetaOutcome> {
  const queries = args['queries'] as Query[]
  const session = args['session'] as { id?: unknown } | undefined
  const recipes = await deps.recipes.tools(scope)
  const find = finder(scope, { custom: call.custom ?? [], recipes })
  const withPlans = args['search_strategy'] !== 'tool_search'
  const answered = queries.map((query, at) => answer(scope, find, query, at + 1, withPlans))
  await recall(deps, scope, answered)
  const statuses = await connectionStatuses(
    scope,
    deps.encryptor,
    unique(
      answered.flatMap(({ primary, related }) =>
        [...primary, ...related].flatMap(({ needs, found }) => (found ? [found.toolkit.slug] : needs)),
      ),
    ),
    deps.spell('SERVICE_MANAGE_CONNECTIONS'),
  )
  const failed = answered.flatMap(({ result: { error } }) => (error === null ? [] : [String(error)]))
  const error = failed.length
    ? `${failed.length} out of ${queries.length} searches failed, reasons: ${failed.join('; ')}`
    : null
  const now = deps.clock.now()
  const data = {
    success: error === null,
    error,
    results: answered.map(({ result }) => result),
    tool_schemas: {} as Record<string, unknown>,
    toolkit_connection_statuses: statuses,
    next_steps_guidance: [] as string[],
    time_info: {
      current_time_utc: new Date(now).toISOString(),
      current_time_utc_epoch_seconds: Math.floor(now / 1_000),
      message: 'Ask for the time zone of the user where a date matters.',
    },
    session: conversation(session?.id, { generated: true }),
  }
  const room =
    BYTES_MAX +
    Math.max(0, queries.length - QUERIES_IN_BYTES) * BYTES_A_QUERY -
    Buffer.byteLength(JSON.stringify(data))
  data.tool_schemas = schemasOf(deps, answered, room)
  for (const one of answered) demote(one, data.tool_schemas)
  data.next_steps_guidance = guidance(deps, scope, answered, statuses, data.tool_schemas)
  return { data, error }
}

function answer(
  scope: SessionScope,
  find: (text: string) => Findings,
  { use_case: useCase, known_fields: known }: Query,
  index: number,
  withPlans: boolean,
): Answered {
  try {
    const { hits, fit } = find(useCase)
    const primary =
      fit.level === 'none'
        ? []
        : hits.filter(({ score }, at) => at === 0 || (at < PRIMARY_MAX && score >= hits[0]!.score * NEARLY))
    const goal = primary[0]?.found
    const names = knownNames(known)
    const plan = goal && withPlans ? planOf(goal, names, scope.catalog, scope.find) : undefined
    const steps = (plan?.slugs ?? []).flatMap((slug) => hitOf(scope, slug) ?? [])
    const related = [...steps, ...hits]
      .filter(
        (hit, at, all) =>
          !primary.some(({ slug }) => slug === hit.slug) &&
          all.findIndex(({ slug }) => slug === hit.slug) === at,
      )
      .slice(0, Math.max(FOUND_MAX - primary.length, steps.length))
    const pitfalls = withPlans
      ? unique(
          primary.flatMap(({ found }) =>
            found
              ? pitfallsOf(
                  found,
                  needsOf(found, scope.catalog, scope.find).filter(
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
        ...(primary.length && withPlans ? { difficulty: difficultyOf(plan) } : {}),
        primary_tool_slugs: primary.map(({ slug }) => slug),
        related_tool_slugs: related.map(({ slug }) => slug),
        toolkits: unique([...primary, ...related].map(({ toolkit }) => toolkit)),
        execution_guidance: guide(primary, fit.level, plan !== undefined),
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
        error: told(error),
      },
    }
  }
}

function guide(primary: readonly Hit[], level: string, hasPlan: boolean): string {
  if (!primary.length) return 'No tool fits this. Say the task in other words, or name the application.'
  const doubt = level === 'good' ? '' : 'The tools fit only in part: read what they do before you call one. '
  return (
    doubt +
    (hasPlan
      ? 'Follow the steps in order; leave out those whose value is known.'
      : `Call ${primary[0]!.slug} with arguments of its schema.`)
  )
}

/** Facts of earlier calls go to the results that have no plan. */
async function recall(
  { memory }: SearchDeps,
  { projectId, userId }: SessionScope,
  answered: readonly Answered[],
): Promise<void> {
  const open = answered.filter(({ result, primary }) => primary.length && !('plan_id' in result))
  const facts = await memory.recall(
    projectId,
    userId,
    unique(open.flatMap(({ primary }) => primary.flatMap(({ needs, toolkit }) => [toolkit, ...needs]))),
  )
  for (const { result, primary } of open) {
    const own = Object.entries(facts).filter(([toolkit]) =>
      primary.some((hit) => hit.toolkit === toolkit || hit.needs.includes(toolkit)),
    )
    if (own.length) result['memory'] = Object.fromEntries(own)
  }
}

/** Primary tools whole as far as there is room, the first of each query before all others; the rest by reference. */
function schemasOf(
  { spell }: SearchDeps,
  answered: readonly Answered[],
  bytes: number,
): Record<string, unknown> {
  const all = new Map(
    answered.flatMap(({ primary, related }) => [...primary, ...related]).map((hit) => [hit.slug, hit]),
  )
  const firsts = unique(answered.flatMap(({ primary }) => primary.slice(0, 1).map(({ slug }) => slug)))
  const seconds = unique(answered.flatMap(({ primary }) => primary.slice(1).map(({ slug }) => slug))).filter(
    (slug) => !firsts.includes(slug),
  )
  const references = new Map([...all.values()].map((hit) => [hit.slug, referenceTo(hit, spell)]))
  const inputs = (slugs: readonly string[]) => new Map(slugs.map((slug) => [slug, all.get(slug)!.input()]))
  const left = bytes - Buffer.byteLength(JSON.stringify(Object.fromEntries(references)))
  const whole = fitting(inputs(firsts), left)
  const used = [...whole.values()].reduce((sum, one) => sum + one.bytes, 0)
  for (const [slug, one] of fitting(inputs(seconds), left - used)) whole.set(slug, one)
  return Object.fromEntries(
    [...references].map(([slug, reference]) => {
      const hit = all.get(slug)!
      const schema = whole.get(slug)?.schema
      return [
        slug,
        schema
          ? {
              tool_slug: slug,
              toolkit: hit.toolkit,
              description: beginning(hit.description, 400),
              hasFullSchema: true,
              input_schema: schema,
            }
          : reference,
      ]
    }),
  )
}

/** A further primary tool whose schema found no room is related: primary ones can be called as they are told. */
function demote({ result, primary }: Answered, schemas: Record<string, unknown>): void {
  const isWhole = ({ slug }: Hit, at: number) =>
    at === 0 || (schemas[slug] as { hasFullSchema: boolean }).hasFullSchema
  const demoted = primary.filter((hit, at) => !isWhole(hit, at)).map(({ slug }) => slug)
  if (!demoted.length) return
  result['primary_tool_slugs'] = primary.filter(isWhole).map(({ slug }) => slug)
  result['related_tool_slugs'] = [...demoted, ...(result['related_tool_slugs'] as string[])]
}

const referenceTo = ({ slug, toolkit, description }: Hit, spell: SearchDeps['spell']) => ({
  tool_slug: slug,
  toolkit,
  description: beginning(description, RELATED_DESCRIPTION_MAX),
  hasFullSchema: false,
  schemaRef: {
    tool: spell('SERVICE_GET_TOOL_SCHEMAS'),
    args: { tool_slugs: [slug] },
    message: 'Fetch the schema before the call.',
  },
})

type Statuses = Awaited<ReturnType<typeof connectionStatuses>>

/** What to do with the answer, each in a sentence. */
function guidance(
  { spell }: SearchDeps,
  { config }: SessionScope,
  answered: readonly Answered[],
  statuses: Statuses,
  schemas: Record<string, unknown>,
): string[] {
  const needed = new Set(answered.flatMap(({ primary }) => primary.flatMap(({ needs }) => needs)))
  const missing = statuses
    .filter(({ toolkit, has_active_connection: has }) => !has && needed.has(toolkit))
    .map(({ toolkit }) => toolkit)
  const several = statuses
    .filter(({ account_selection: selection }) => selection)
    .map(({ toolkit }) => toolkit)
  const isRunnable = answered.some(({ primary }) => primary.length)
  const hasReferences = Object.values(schemas).some(
    (one) => !(one as { hasFullSchema: boolean }).hasFullSchema,
  )
  const run = config.execute.enable_multi_execute ? ` with ${spell('SERVICE_MULTI_EXECUTE_TOOL')}` : ''
  return [
    ...(missing.length
      ? [
          config.manage_connections.enable
            ? `Connect ${missing.join(', ')} with ${spell('SERVICE_MANAGE_CONNECTIONS')} before calling their tools.`
            : `${missing.join(', ')}: not connected, and this session hands out no links.`,
        ]
      : []),
    ...(several.length
      ? [`Ask the user which account is meant for ${several.join(', ')}, and pass it as account.`]
      : []),
    ...(hasReferences && isRunnable
      ? [
          `Fetch schemas that are only referred to with ${spell('SERVICE_GET_TOOL_SCHEMAS')} before calling those tools.`,
        ]
      : []),
    ...(isRunnable
      ? [`Run the tools${run}; calls that do not depend on each other go together.`]
      : ['Nothing fits: search again in other words.']),
  ]
}

const unique = (list: readonly string[]): string[] => [...new Set(list)]

import type { SessionScope } from '../../scope/scope.ts'
import { describeError } from '../create-meta-tool.ts'
import { argumentSources, prepareArgumentSources } from './argument-sources.ts'
import { misfitReason } from './misfit-reason.ts'
import { findPitfalls } from './pitfalls.ts'
import { describeDifficulty, knownFieldNames, planCalls } from './plan.ts'
import { catalogHit, type FindTools, type SearchFindings, type SearchHit } from './tool-finder.ts'

/** One query of a search. */
export interface SearchQuery {
  use_case: string
  known_fields?: string
}
/** The result of one query, and the tools that it found. */
export interface QueryResult {
  result: Record<string, unknown>
  primary: readonly SearchHit[]
  related: readonly SearchHit[]
}

const PRIMARY_MAX = 2
const TOOLS_MAX = 6
const NEAREST_MAX = 3
/** A second tool is also primary if its score is at least this fraction of the first one. */
const SECOND_PRIMARY_SCORE = 0.93

/**
 * Finds the tools of one query, with a plan if `withPlans`. A failure is part of the result. Yields between its parts,
 * each of which takes up to a few milliseconds.
 */
export function* searchQuery(
  scope: SessionScope,
  find: FindTools,
  { use_case: useCase, known_fields: known }: SearchQuery,
  index: number,
  withPlans: boolean,
): Generator<void, QueryResult> {
  try {
    const { hits, fit } = yield* find(useCase)
    yield
    const primary = fit.level === 'none' ? [] : primaryHits(hits)
    if (primary.length === 0) return nothingFits(useCase, index, hits, fit.misfit)
    if (withPlans)
      for (const { resolvedTool } of primary)
        if (resolvedTool) yield* prepareArgumentSources(resolvedTool, scope.catalog)
    const names = knownFieldNames(known)
    const goal = primary[0]?.resolvedTool
    const plan = goal && withPlans ? planCalls(goal, names, scope.catalog, scope.find) : undefined
    yield
    const related = relatedHits(scope, hits, primary, plan?.slugs ?? [])
    const pitfalls = withPlans ? pitfallsOf(scope, primary, names) : []
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
    return resultWithoutTools(useCase, index, { error: describeError(error) })
  }
}

/** Returns the best hit that does not do the opposite, and the next one if its score is close to it. */
function primaryHits(hits: SearchFindings['hits']): SearchHit[] {
  const allowed = hits.filter(({ isOpposite }) => !isOpposite)
  return allowed.filter(
    ({ score }, at) => at === 0 || (at < PRIMARY_MAX && score >= allowed[0]!.score * SECOND_PRIMARY_SCORE),
  )
}

/** The result without tools: why, and the nearest ones under a key of their own, so that none is called by mistake. */
const nothingFits = (
  useCase: string,
  index: number,
  hits: SearchFindings['hits'],
  misfit: SearchFindings['fit']['misfit'],
): QueryResult =>
  resultWithoutTools(useCase, index, {
    execution_guidance: `No tool fits. ${misfitReason(misfit)}`,
    no_fit_reason: misfitReason(misfit),
    nearest_tool_slugs: hits.slice(0, NEAREST_MAX).map(({ slug }) => slug),
    error: null,
  })

const resultWithoutTools = (
  useCase: string,
  index: number,
  reason: Partial<QueryResult['result']> & Pick<QueryResult['result'], 'error'>,
): QueryResult => ({
  primary: [],
  related: [],
  result: {
    index,
    use_case: useCase,
    primary_tool_slugs: [],
    related_tool_slugs: [],
    toolkits: [],
    ...reason,
  },
})

/** Returns the steps of the plan, and then the other hits while there is room. */
function relatedHits(
  scope: SessionScope,
  hits: readonly SearchHit[],
  primary: readonly SearchHit[],
  planSlugs: readonly string[],
): SearchHit[] {
  const steps = planSlugs.flatMap((slug) => catalogHit(scope, slug) ?? [])
  return [...steps, ...hits]
    .filter(
      (hit, at, all) =>
        !primary.some(({ slug }) => slug === hit.slug) &&
        all.findIndex(({ slug }) => slug === hit.slug) === at,
    )
    .slice(0, Math.max(TOOLS_MAX - primary.length, steps.length))
}

/** Returns the known pitfalls of the primary tools, without those of arguments whose values are known. */
const pitfallsOf = (
  { catalog, find }: SessionScope,
  primary: readonly SearchHit[],
  knownNames: ReadonlySet<string>,
): string[] =>
  unique(
    primary.flatMap(({ resolvedTool }) =>
      resolvedTool
        ? findPitfalls(
            resolvedTool,
            argumentSources(resolvedTool, catalog, find).filter(
              ({ argument }) => !knownNames.has(argument.toLowerCase()),
            ),
          )
        : [],
    ),
  )

function executionGuidance(primary: readonly SearchHit[], level: string, hasPlan: boolean): string {
  const doubt =
    level === 'good' ? '' : 'The tools fit only partly: read their descriptions before you call one. '
  return (
    doubt +
    (hasPlan
      ? 'Follow the steps in order. Skip the steps whose value is known.'
      : `Call ${primary[0]!.slug} with arguments from its schema.`)
  )
}

const unique = (list: readonly string[]): string[] => [...new Set(list)]

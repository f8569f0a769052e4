import { type Catalog, type ResolvedTool, listIncludesTool } from '../../../catalog/index.ts'
import type { Outcome, PolicyCondition, UntrustedContent } from '../../../contract/policies/index.ts'
import { dataFlowOf } from '../data-flow/classify-tool.ts'
import type { UntrustedSourceRow } from '../data-flow/store.ts'
import { compileArgumentTest } from './argument-tests.ts'
import { allTrue, type Truth, toTruth } from './three-valued-logic.ts'

/** A policy with its conditions compiled. */
export interface CompiledPolicy {
  id: string
  name: string
  outcome: Outcome
  fallback: boolean
  message: string | null
  coversProxy: boolean
  approvalSeconds: number
  approvalLink: boolean
  /** The condition on untrusted content, if the policy has one. */
  untrustedContent: UntrustedContent | undefined
  appliesTo(call: CallFacts): Truth
}

/** The properties of a call that policies test. */
export interface CallFacts {
  catalog: Catalog
  resolvedTool: ResolvedTool
  /** A proxy request: its toolkit is known, its effect is not. */
  isProxy: boolean
  arguments: Readonly<Record<string, unknown>>
  userId: string | null
  accountId: string | null
  sessionId: string | null
  /** What the session has read. Undefined if the call belongs to none, so that this is not known. */
  sources: readonly UntrustedSourceRow[] | undefined
}

interface AppliedPolicy {
  policy: CompiledPolicy
  certain: boolean
}
/** `applied`: every policy that counted, including the decisive ones. */
export interface PolicyDecision {
  outcome: Outcome
  applied: readonly AppliedPolicy[]
}

const STRICTNESS: Readonly<Record<Outcome, number>> = { allow: 0, ask: 1, deny: 2 }
export const strictestOutcome = (outcomes: Iterable<Outcome>): Outcome =>
  [...outcomes].reduce(
    (strictest, outcome) => (STRICTNESS[outcome] > STRICTNESS[strictest] ? outcome : strictest),
    'allow',
  )

/**
 * Decides a call by the strictest outcome (deny, ask, allow) of the policies that apply to it, in any order.
 * Fallback policies count only if no other policy applies. Without an applicable policy the call is allowed.
 * A policy that only might apply counts if it asks or denies, and does not count if it allows.
 */
export function evaluatePolicies(policies: readonly CompiledPolicy[], call: CallFacts): PolicyDecision {
  const candidates = policies.flatMap((policy): AppliedPolicy[] => {
    const applies = policy.appliesTo(call)
    const counts =
      applies === 'yes' ||
      (applies === 'maybe' && policy.outcome !== 'allow' && (!call.isProxy || policy.coversProxy))
    return counts ? [{ policy, certain: applies === 'yes' }] : []
  })
  const primary = candidates.filter(({ policy }) => !policy.fallback)
  const applied = primary.length > 0 ? primary : candidates
  return { outcome: strictestOutcome(applied.map(({ policy }) => policy.outcome)), applied }
}

/** Returns the applied policies whose outcome is the outcome of the decision. */
export const decisivePolicies = ({ outcome, applied }: PolicyDecision): CompiledPolicy[] =>
  applied.map(({ policy }) => policy).filter((policy) => policy.outcome === outcome)

const PROXY = 'PROXY_EXECUTE'

/** Compiles the conditions of a policy. @throws SyntaxError for an invalid argument path */
export function compileConditions({
  tools,
  toolkits,
  hints,
  user_ids: users,
  connected_account_ids: accounts,
  session_ids: sessions,
  sends_data: sendsData,
  untrusted_content: untrustedContent,
  arguments: tests,
}: PolicyCondition): (call: CallFacts) => Truth {
  const toolSlugs = tools?.map((slug) => slug.toUpperCase())
  const toolkitSlugs = toolkits && new Set(toolkits.map((slug) => slug.toLowerCase()))
  const argumentTests = tests?.map(compileArgumentTest)
  return (call) => {
    const { tool, toolkit } = call.resolvedTool
    // The effect of a proxy request is unknown, so it might match any tool of its toolkit, unless the policy
    // names proxy requests themselves.
    const isUnknownAction = call.isProxy && !toolSlugs?.includes(PROXY)
    return allTrue(
      (function* (): Generator<Truth> {
        if (toolkitSlugs) yield toTruth(toolkitSlugs.has(toolkit.slug))
        if (users) yield toTruth(call.userId !== null && users.includes(call.userId))
        if (accounts) yield toTruth(call.accountId !== null && accounts.includes(call.accountId))
        if (sessions) yield toTruth(call.sessionId !== null && sessions.includes(call.sessionId))
        if (toolSlugs)
          yield isUnknownAction
            ? couldReachTool(call, toolSlugs)
            : call.isProxy
              ? 'yes'
              : toTruth(listIncludesTool(call.catalog, toolSlugs, tool, call.resolvedTool.version))
        if (sendsData !== undefined)
          yield call.isProxy ? 'maybe' : toTruth(dataFlowOf(call.resolvedTool, false).sends === sendsData)
        if (untrustedContent) yield hasReadContent(untrustedContent, call.sources)
        if (hints) yield call.isProxy ? 'maybe' : toTruth(hints.some((hint) => tool.tags.includes(hint)))
        if (argumentTests)
          yield isUnknownAction ? 'maybe' : allTrue(argumentTests.map((test) => test(call.arguments)))
      })(),
    )
  }
}

/** Returns the sources that a condition names. */
export const matchingSources = (
  { categories, toolkits }: UntrustedContent,
  sources: readonly UntrustedSourceRow[],
): readonly UntrustedSourceRow[] =>
  sources.filter(
    ({ category, toolkit_slug: toolkit }) =>
      (!categories || categories.includes(category)) &&
      (!toolkits || toolkits.some((slug) => slug.toLowerCase() === toolkit)),
  )

/** Outside of sessions the content is not known: it might be any. */
function hasReadContent(condition: UntrustedContent, sources: CallFacts['sources']): Truth {
  if (!sources) return condition.traced_only ? 'no' : 'maybe'
  return toTruth(matchingSources(condition, sources).length > 0)
}

/** Returns `maybe` if one of the tools belongs to the toolkit that the proxy request is sent to. */
const couldReachTool = ({ catalog, resolvedTool }: CallFacts, toolSlugs: readonly string[]): Truth =>
  toolSlugs.some((slug) => catalog.ownerOf(slug) === resolvedTool.toolkit.slug) ? 'maybe' : 'no'

import { type Catalog, type ResolvedTool, listIncludesTool } from '../../../catalog/index.ts'
import type { Outcome, When } from '../../../contract/policies.ts'
import { compileArgumentTest } from './argument-tests.ts'
import { allOf, type Sure, sure } from './three-valued-logic.ts'

/** What a policy says, and of which calls. */
export interface Rule {
  id: string
  name: string
  outcome: Outcome
  fallback: boolean
  message: string | null
  coversProxy: boolean
  approvalSeconds: number
  approvalLink: boolean
  about(call: Facts): Sure
}

/** What is known of a call before it is made. */
export interface Facts {
  catalog: Catalog
  found: ResolvedTool
  /** A request of the caller's own: what it will do is not known, only where it goes. */
  isProxy: boolean
  arguments: Readonly<Record<string, unknown>>
  userId: string | null
  accountId: string | null
  sessionId: string | null
}

interface Applied {
  rule: Rule
  certain: boolean
}
/** `applied`: every policy that was counted, the deciding ones among them. */
export interface Verdict {
  outcome: Outcome
  applied: readonly Applied[]
}

const STRICTNESS: Readonly<Record<Outcome, number>> = { allow: 0, ask: 1, deny: 2 }
export const strictest = (outcomes: Iterable<Outcome>): Outcome =>
  [...outcomes].reduce((most, one) => (STRICTNESS[one] > STRICTNESS[most] ? one : most), 'allow')

/**
 * What the policies say to a call: of those that are about it the strictest (deny, ask, allow), whatever their order; fallbacks count only where no other is about it; without any it is allowed.
 * Where it cannot be told whether a policy is about the call, it counts if it asks or denies, and does not if it allows.
 */
export function decide(rules: readonly Rule[], call: Facts): Verdict {
  const applied = rules.flatMap((rule): Applied[] => {
    const about = rule.about(call)
    const counts =
      about === 'yes' ||
      (about === 'maybe' && rule.outcome !== 'allow' && (!call.isProxy || rule.coversProxy))
    return counts ? [{ rule, certain: about === 'yes' }] : []
  })
  const first = applied.filter(({ rule }) => !rule.fallback)
  const counted = first.length > 0 ? first : applied
  return { outcome: strictest(counted.map(({ rule }) => rule.outcome)), applied: counted }
}

/** The policies that brought the outcome about. */
export const deciding = ({ outcome, applied }: Verdict): Rule[] =>
  applied.filter(({ rule }) => rule.outcome === outcome).map(({ rule }) => rule)

const PROXY = 'PROXY_EXECUTE'

/** Compiles what calls a policy is about. @throws SyntaxError for a path that is none */
export function compileWhen({
  tools,
  toolkits,
  hints,
  user_ids: users,
  connected_account_ids: accounts,
  session_ids: sessions,
  arguments: tests,
}: When): (call: Facts) => Sure {
  const named = tools?.map((slug) => slug.toUpperCase())
  const kits = toolkits && new Set(toolkits.map((slug) => slug.toLowerCase()))
  const compiled = tests?.map(compileArgumentTest)
  return (call) => {
    const {
      found: { tool, toolkit },
    } = call
    // Not knowing what a request does, one can only say that it may be what is meant; unless the policy is about such requests.
    const isMeant = call.isProxy && !named?.includes(PROXY)
    return allOf(
      (function* (): Generator<Sure> {
        if (kits) yield sure(kits.has(toolkit.slug))
        if (users) yield sure(call.userId !== null && users.includes(call.userId))
        if (accounts) yield sure(call.accountId !== null && accounts.includes(call.accountId))
        if (sessions) yield sure(call.sessionId !== null && sessions.includes(call.sessionId))
        if (named)
          yield isMeant
            ? mayReach(call, named)
            : call.isProxy
              ? 'yes'
              : sure(listIncludesTool(call.catalog, named, tool, call.found.version))
        if (hints) yield call.isProxy ? 'maybe' : sure(hints.some((hint) => tool.tags.includes(hint)))
        if (compiled) yield isMeant ? 'maybe' : allOf(compiled.map((test) => test(call.arguments)))
      })(),
    )
  }
}

/** Whether a request to a toolkit could do what one of its tools does. */
const mayReach = ({ catalog, found }: Facts, named: readonly string[]): Sure =>
  named.some((slug) => catalog.ownerOf(slug) === found.toolkit.slug) ? 'maybe' : 'no'

import type { ToolManifest } from '../../src/catalog/index.ts'
import type { Plan } from './plan.ts'
import { changesIn } from './polled.ts'
import { readRequest, type Surface } from './read-request.ts'
import type { WireRequest } from './wire.ts'

/** A request understood: what it does, and the arguments it was made from. */
export interface Match {
  readonly plan: Plan
  readonly args: Record<string, unknown>
  readonly literals: number
}

/**
 * The plan that a request is meant for. A trigger may ask as a tool does: it is answered in its own order
 * (`match`), and understood as the tool (`told`).
 */
export function matchOf(
  plans: readonly Plan[],
  surface: Surface,
  request: WireRequest,
): { match: Match; toolMatch: Match } | undefined {
  const found = plans.flatMap((plan) => {
    const read = readRequest(
      plan.route.request,
      plan.route.input,
      surfaceOf(surface, plan.route.tool),
      request,
    )
    if (!read || (plan.op === 'changes' && changesIn(read.args) === undefined)) return []
    // A list of changes differs from a tool's list by the cursor that was issued for it.
    return [{ plan, ...read, literals: read.literals + (plan.op === 'changes' ? 1 : 0) }]
  })
  const match = best(found)
  return match && { match, toolMatch: best(found.filter(({ plan }) => !plan.route.trigger)) ?? match }
}

/** What a tool asks for is what a tool is meant; whose account it is comes after them. */
const best = (matches: readonly Match[]): Match | undefined =>
  matches.reduce<Match | undefined>(
    (one, other) => (!one || (other.literals > one.literals && other.plan.type !== 'identity') ? other : one),
    undefined,
  )

/** A body may hold the idempotency key, which no argument is. */
function surfaceOf(surface: Surface, tool: ToolManifest | undefined): Surface {
  const key = tool?.idempotency_key?.body
  return key === undefined ? surface : { ...surface, credentials: new Set([...surface.credentials, key]) }
}

import { EgressError } from '../../platform/egress/index.ts'
import { UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import { cooldownKey } from '../throttling/cooldown-key.ts'
import { RateLimited } from '../throttling/rate-limited.ts'
import type { HasConnection, HasDeadline, HasOperation, HasSignal, StepDeps } from './context.ts'

/** The largest random delay after a wait, so that callers that waited together do not continue together. */
export const JITTER_MAX_MS = 1_000
/** With less time left, no response can arrive. */
export const RESPONSE_MIN_MS = 100

type Waiting = HasOperation & HasConnection & HasDeadline & HasSignal

/** Waits while the application accepts no calls of the account. @throws RateLimited if the wait is too long */
export function waitForCooldown(context: Waiting, deps: StepDeps): Unchanged | Promise<Unchanged> {
  const { operation, connection, deadlineAt } = context
  if (deadlineAt === undefined) return UNCHANGED
  const remainingMs = deps.throttling.cooldowns.remainingMs(cooldownKey(operation, connection))
  return remainingMs > 0 ? waitOrReject(context, deps, remainingMs, deadlineAt) : UNCHANGED
}

async function waitOrReject(
  { operation: { toolkit }, signal }: Waiting,
  deps: StepDeps,
  remainingMs: number,
  deadlineAt: number,
): Promise<Unchanged> {
  const waitMs = remainingMs + Math.min(JITTER_MAX_MS, remainingMs / 10) * deps.throttling.random()
  if (waitMs + RESPONSE_MIN_MS > deadlineAt - deps.clock.now()) {
    const seconds = Math.ceil(remainingMs / 1_000)
    throw new RateLimited(
      `${toolkit.name} accepts no more calls of this account for ${seconds} s, as it said after an earlier call. ` +
        'Nothing was sent. Call again after that time.',
      'application',
      remainingMs,
      429,
    )
  }
  await wait(deps, signal, waitMs)
  return UNCHANGED
}

/** @throws EgressError when the client disconnects */
export async function wait({ throttling }: StepDeps, signal: AbortSignal, ms: number): Promise<void> {
  try {
    await throttling.wait(ms, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    const message = 'The client disconnected while the call waited to be repeated.'
    throw new EgressError('aborted', message, { cause: error })
  }
}

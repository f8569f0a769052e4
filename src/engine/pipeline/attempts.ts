import type { FoundTool } from '../../catalog/index.ts'
import { ToolFailure } from '../../catalog/index.ts'
import { EgressError, type EgressRequest } from '../../platform/egress/index.ts'
import { TooManyWaiting } from '../throttling/index.ts'
import type { Connection, EngineDeps, Execution } from '../types.ts'
import { meaningOf, type ProviderAnswer, readAnswer } from './shape-result.ts'

const ATTEMPTS_MAX = 5
/** A host that refuses connections is seldom back in a moment; two more tries bridge a restart. */
const CONNECT_ATTEMPTS_MAX = 3
const BACKOFF_FIRST_MS = 250
const BACKOFF_MAX_MS = 8_000
/** After what an application asked for, so that callers that waited together do not come back together. */
const JITTER_MAX_MS = 1_000
/** Less is no time for an answer. */
const ANSWER_MIN_MS = 100

/** The application, or our bound for an account, takes no call for a while. */
export class RateLimited extends ToolFailure {
  readonly retryAfterMs: number
  readonly limiter: 'application' | 'account'

  constructor(
    message: string,
    limiter: 'application' | 'account',
    retryAfterMs: number,
    statusCode?: number,
  ) {
    super(message, statusCode === undefined ? {} : { statusCode })
    this.limiter = limiter
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * Sends a request until it is answered for good: waits while the application wants no calls, and repeats what may be repeated after a transient fault or a
 * refusal for its rate, with growing, jittered pauses, within the time of the execution. A wait that would be longer is not begun.
 * @param prepare makes the request anew for each attempt: signatures and tokens have a time
 * @throws EgressError, RateLimited
 */
export async function attempts(
  deps: EngineDeps,
  execution: Execution,
  found: FoundTool,
  connection: Connection,
  repeats: boolean,
  prepare: () => Promise<EgressRequest>,
): Promise<ProviderAnswer> {
  const pauseKey = pauseKeyOf(found, connection)
  let inDoubt = false
  for (let attempt = 1; ; attempt++) {
    const pausedMs = execution.run && !execution.dryRun ? deps.traffic.pauses.leftMs(pauseKey) : 0
    if (pausedMs > 0) await sitOut(deps, execution, found, pausedMs)
    const outcome = await once(deps, execution, found, connection, await prepare())
    const meaning = outcome instanceof EgressError ? undefined : meaningOf(found, outcome)
    const told =
      outcome instanceof EgressError
        ? undefined
        : toldWait(deps, execution, found, outcome, meaning, pauseKey)
    const waitMs = nextWait(deps, execution, { outcome, meaning, told, attempt, repeats })
    if (waitMs === undefined) {
      if (outcome instanceof EgressError) throw outcome
      return told === undefined && !inDoubt
        ? outcome
        : { ...outcome, ...(told !== undefined && { retryAfterMs: told }), inDoubt }
    }
    inDoubt ||= outcome instanceof EgressError ? outcome.kind !== 'connect' : meaning === 'transient'
    await pass(deps, execution, waitMs)
  }
}

/** How long until the next attempt; undefined when there is none. */
function nextWait(
  deps: EngineDeps,
  { run }: Execution,
  {
    outcome,
    meaning,
    told,
    attempt,
    repeats,
  }: {
    outcome: ProviderAnswer | EgressError
    meaning: string | undefined
    told: number | undefined
    attempt: number
    repeats: boolean
  },
): number | undefined {
  if (!run) return undefined
  if (outcome instanceof EgressError) {
    // No connection, nothing sent: a write may try again as well.
    const again =
      outcome.kind === 'connect'
        ? attempt < CONNECT_ATTEMPTS_MAX
        : repeats && attempt < ATTEMPTS_MAX && (outcome.kind === 'reset' || outcome.kind === 'timeout')
    if (!again) return undefined
  } else if (!repeats || attempt >= ATTEMPTS_MAX || (meaning !== 'transient' && meaning !== 'rate_limit')) {
    return undefined
  }
  const random = deps.traffic.random()
  const waitMs =
    told === undefined
      ? Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1)) * (0.5 + random / 2)
      : told + Math.min(JITTER_MAX_MS, told / 10) * random
  return waitMs + ANSWER_MIN_MS <= run.deadlineAt - deps.clock.now() ? waitMs : undefined
}

/** What an answer says about waiting, in ms; a refusal for the rate, or the last call that was left, is remembered for the calls after it. */
function toldWait(
  deps: EngineDeps,
  { projectId }: Execution,
  { toolkit: { rateLimit } }: FoundTool,
  answer: ProviderAnswer,
  meaning: string | undefined,
  pauseKey: string | undefined,
): number | undefined {
  if (meaning === 'rate_limit' || (meaning === 'transient' && answer.status === 503)) {
    const told = rateLimit.waitAfter(answer, deps.clock.now())
    if (told !== undefined && meaning === 'rate_limit') deps.traffic.pauses.begin(projectId, pauseKey, told)
    return told
  }
  const spent = rateLimit.waitWhenSpent?.(answer, deps.clock.now())
  if (spent !== undefined) deps.traffic.pauses.begin(projectId, pauseKey, spent)
  return undefined
}

async function once(
  deps: EngineDeps,
  execution: Execution,
  found: FoundTool,
  connection: Connection,
  request: EgressRequest,
): Promise<ProviderAnswer | EgressError> {
  const { run, signal, projectId, userId } = execution
  const { slots } = deps.traffic
  const leftMs = run ? run.deadlineAt - deps.clock.now() : request.timeoutMs
  const origin = originOf(String(request.url))
  const account =
    connection.kind === 'account'
      ? connection.account.id
      : `${projectId}:${found.toolkit.slug}:${userId ?? ''}`
  try {
    if (leftMs <= 0)
      throw new EgressError('timeout', 'The time of the execution was up before the application answered.')
    const turn = slots.enter(origin, account, found.toolkit.rateLimit.concurrency, signal, leftMs)
    if (turn) await turn
    try {
      return readAnswer(
        await deps.egress.send({ ...request, timeoutMs: Math.min(request.timeoutMs, leftMs), signal }),
      )
    } finally {
      slots.leave(origin, account)
    }
  } catch (error) {
    if (error instanceof EgressError) return error
    if (error instanceof TooManyWaiting)
      throw new RateLimited(
        'Too many calls of this account are under way or wait for their turn; call again when some of them have ended.',
        'account',
        1_000,
      )
    throw error
  }
}

/** Waits for the end of a pause, if there is time for it. @throws RateLimited */
async function sitOut(
  deps: EngineDeps,
  execution: Execution,
  { toolkit }: FoundTool,
  pausedMs: number,
): Promise<void> {
  const { run } = execution
  const waitMs = pausedMs + Math.min(JITTER_MAX_MS, pausedMs / 10) * deps.traffic.random()
  if (!run || waitMs + ANSWER_MIN_MS > run.deadlineAt - deps.clock.now()) {
    throw new RateLimited(
      `${toolkit.name} takes no more calls of this account for ${Math.ceil(pausedMs / 1_000)} s, as it said when it was last asked; nothing was sent. Call again then.`,
      'application',
      pausedMs,
      429,
    )
  }
  await pass(deps, execution, waitMs)
}

async function pass({ traffic }: EngineDeps, { signal }: Execution, ms: number): Promise<void> {
  try {
    await traffic.wait(ms, signal)
  } catch (error) {
    if (signal.aborted)
      throw new EgressError('aborted', 'The caller left while the call waited to be repeated.', {
        cause: error,
      })
    throw error
  }
}

/** Whom a pause is for. Credentials that came with the call are nobody's account. */
export function pauseKeyOf(
  { tool, toolkit: { rateLimit } }: FoundTool,
  connection: Connection,
): string | undefined {
  if (connection.kind !== 'account') return undefined
  const { id, authConfigId } = connection.account
  if (rateLimit.counts === 'tool') return `${id}/${tool.slug}`
  return `${rateLimit.counts === 'app' ? authConfigId : id}/${tool.limits.bucket ?? ''}`
}

/** `https://host:port` of an address, without parsing all of it. */
function originOf(url: string): string {
  const end = url.slice(8).search(/[/?#]/)
  return end < 0 ? url : url.slice(0, end + 8)
}

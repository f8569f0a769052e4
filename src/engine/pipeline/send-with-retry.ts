import type { ErrorMeaning } from '../../catalog/index.ts'
import { EgressError } from '../../platform/egress/index.ts'
import { type Doubt, type ProviderResponse, responseMeaning } from '../http/provider-response.ts'
import { sendAttempt } from '../http/send-attempt.ts'
import { cooldownKey } from '../throttling/cooldown-key.ts'
import { addCredentials } from './add-credentials.ts'
import type {
  CallStart,
  HasAuthorization,
  HasConnection,
  HasDeadline,
  HasOperation,
  HasRepeatability,
  HasRequest,
  HasResponse,
  HasSignal,
  HasSignedRequest,
  HasStartedRow,
  HasTurn,
  MayHaveRecorder,
  StepDeps,
} from './context.ts'
import { JITTER_MAX_MS, RESPONSE_MIN_MS, wait, waitForCooldown } from './wait-for-cooldown.ts'
import { waitForTurn } from './wait-for-turn.ts'

const ATTEMPTS_MAX = 5
/** A host that rejects connections is seldom back within seconds. Two more attempts bridge a restart. */
const CONNECT_ATTEMPTS_MAX = 3
const BACKOFF_FIRST_MS = 250
const BACKOFF_MAX_MS = 8_000

/** The fields a request is repeated with. */
export type Sendable = CallStart &
  HasOperation &
  HasConnection &
  HasDeadline &
  HasSignal &
  HasRequest &
  HasRepeatability &
  HasAuthorization &
  HasStartedRow &
  MayHaveRecorder

interface Attempt {
  readonly outcome: ProviderResponse | EgressError
  /** Undefined for a network error and a success. */
  readonly meaning: ErrorMeaning | undefined
  /** How long the application asks to wait, in ms. */
  readonly retryAfterMs: number | undefined
  readonly number: number
}

/**
 * Sends the request, and repeats it after transient failures and rate limits if it may be repeated. Waits grow and
 * are jittered. No wait starts that would end after the deadline.
 * @throws EgressError, RateLimited
 */
export async function sendWithRetry(
  context: Sendable & HasSignedRequest & HasTurn,
  deps: StepDeps,
): Promise<HasResponse> {
  const { operation, signal } = context
  let { signedRequest, turn } = context
  let doubt: Doubt | undefined
  for (let number = 1; ; number++) {
    const outcome = await sendAttempt(context, deps.egress, signedRequest, turn)
    const isError = outcome instanceof EgressError
    const meaning = isError ? undefined : responseMeaning(operation, outcome)
    const retryAfterMs = isError ? undefined : startCooldown(context, deps, outcome, meaning)
    const waitMs = nextWaitMs(context, deps, { outcome, meaning, retryAfterMs, number })
    if (waitMs === undefined) {
      if (isError)
        throw doubt && outcome.kind === 'busy' ? new EgressError('reset', outcome.message) : outcome
      return { response: withRetryInfo(outcome, retryAfterMs, doubt) }
    }
    if (isError) doubt = outcome.kind === 'connect' ? doubt : 'no_response'
    else if (meaning === 'transient') doubt ??= 'server_error'
    await wait(deps, signal, waitMs)
    ;({ signedRequest, turn } = await prepareAttempt(context, deps))
  }
}

/** Sends the request from the start: waits for the cooldown and a turn, and signs it again. */
export async function sendAgain(context: Sendable, deps: StepDeps): Promise<HasResponse> {
  return sendWithRetry({ ...context, ...(await prepareAttempt(context, deps)) }, deps)
}

async function prepareAttempt(context: Sendable, deps: StepDeps): Promise<HasSignedRequest & HasTurn> {
  await waitForCooldown(context, deps)
  const signed = await addCredentials(context, deps)
  return { ...signed, ...(await waitForTurn({ ...context, ...signed }, deps)) }
}

function withRetryInfo(
  response: ProviderResponse,
  retryAfterMs: number | undefined,
  doubt: Doubt | undefined,
): ProviderResponse {
  if (retryAfterMs === undefined && !doubt) return response
  return { ...response, ...(retryAfterMs !== undefined && { retryAfterMs }), ...(doubt && { doubt }) }
}

/** Returns how long to wait before the next attempt; undefined if there is none. */
function nextWaitMs(
  { deadlineAt, isRepeatable }: HasDeadline & HasRepeatability,
  deps: StepDeps,
  attempt: Attempt,
): number | undefined {
  if (deadlineAt === undefined || !mayRepeat(attempt, isRepeatable)) return undefined
  const { retryAfterMs } = attempt
  const random = deps.throttling.random()
  const waitMs =
    retryAfterMs === undefined
      ? backoffMs(attempt.number, random)
      : retryAfterMs + Math.min(JITTER_MAX_MS, retryAfterMs / 10) * random
  return waitMs + RESPONSE_MIN_MS <= deadlineAt - deps.clock.now() ? waitMs : undefined
}

function mayRepeat({ outcome, meaning, number }: Attempt, isRepeatable: boolean): boolean {
  if (outcome instanceof EgressError) {
    // Without a connection nothing was sent, so a write may be repeated, too.
    if (outcome.kind === 'connect') return number < CONNECT_ATTEMPTS_MAX
    const isTransient = outcome.kind === 'reset' || outcome.kind === 'timeout'
    return isRepeatable && number < ATTEMPTS_MAX && isTransient
  }
  return isRepeatable && number < ATTEMPTS_MAX && (meaning === 'transient' || meaning === 'rate_limit')
}

/** Doubles with each attempt. Up to half of it is random, so that callers do not return together. */
function backoffMs(attempt: number, random: number): number {
  return Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1)) * (0.5 + random / 2)
}

/**
 * Returns how long the application asks to wait, in ms. After a rate limit, or the last call that the limit allows,
 * the next calls wait, too.
 */
function startCooldown(
  { call, operation, connection }: CallStart & HasOperation & HasConnection,
  deps: StepDeps,
  response: ProviderResponse,
  meaning: ErrorMeaning | undefined,
): number | undefined {
  const { rateLimit } = operation.toolkit
  const start = (ms: number) =>
    deps.throttling.cooldowns.start(call.projectId, cooldownKey(operation, connection), ms)
  if (meaning === 'rate_limit' || (meaning === 'transient' && response.status === 503)) {
    const waitMs = rateLimit.waitAfter(response, deps.clock.now())
    if (waitMs !== undefined && meaning === 'rate_limit') start(waitMs)
    return waitMs
  }
  const waitMs = rateLimit.waitWhenSpent?.(response, deps.clock.now())
  if (waitMs !== undefined) start(waitMs)
  return undefined
}

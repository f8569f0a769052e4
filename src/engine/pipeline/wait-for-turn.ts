import { EgressError } from '../../platform/egress/index.ts'
import { QueueFullError, type Turn } from '../throttling/index.ts'
import { RateLimited } from '../throttling/rate-limited.ts'
import type {
  CallStart,
  HasConnection,
  HasDeadline,
  HasOperation,
  HasSignal,
  HasSignedRequest,
  HasTurn,
  StepDeps,
} from './context.ts'

type Waiting = CallStart & HasOperation & HasConnection & HasDeadline & HasSignal & HasSignedRequest

/** Waits until the concurrency limits of the account and the host allow another request. */
export function waitForTurn(context: Waiting, deps: StepDeps): HasTurn | Promise<HasTurn> {
  const { call, operation, connection, deadlineAt, signal, signedRequest } = context
  const { limiter } = deps.throttling
  const leftMs = deadlineAt === undefined ? signedRequest.timeoutMs : deadlineAt - deps.clock.now()
  if (leftMs <= 0) {
    throw new EgressError('timeout', 'The time limit of the call ended before the application responded.')
  }
  const origin = originOf(String(signedRequest.url))
  const { toolkit } = operation
  const account =
    connection.kind === 'account'
      ? connection.account.id
      : `${call.projectId}:${toolkit.slug}:${call.userId ?? ''}`
  try {
    const queued = limiter.acquire(origin, account, toolkit.rateLimit.concurrency, signal, leftMs)
    const turn = new AcquiredTurn(leftMs, () => limiter.release(origin, account))
    return queued ? queued.then(() => ({ turn })) : { turn }
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error
    throw new RateLimited(
      'Too many calls of this account are running or waiting for their turn. Call again when some of them have ended.',
      'account',
      1_000,
    )
  }
}

class AcquiredTurn implements Turn {
  readonly leftMs: number
  #release: (() => void) | undefined

  constructor(leftMs: number, release: () => void) {
    this.leftMs = leftMs
    this.#release = release
  }

  release(): void {
    this.#release?.()
    this.#release = undefined
  }
}

/** Releases the turn of the first attempt if the request was not sent. */
export function releaseTurn({ turn }: HasTurn): void {
  turn.release()
}

/** Returns `https://host:port` of a URL without parsing all of it. */
function originOf(url: string): string {
  const end = url.slice(8).search(/[/?#]/)
  return end < 0 ? url : url.slice(0, end + 8)
}

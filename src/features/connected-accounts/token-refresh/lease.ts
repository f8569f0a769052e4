import { setTimeout as wait } from 'node:timers/promises'
import type { EngineAccount } from '../../../engine/index.ts'
import { randomText } from '../../../platform/ids.ts'
import type { RefreshDeps } from './refresh.ts'
import { refreshTimeout } from './timeouts.ts'

/**
 * The holder extends its lease three times in this span. If a second use of a refresh token would end the
 * grant, the lease is longer than a process should ever pause. If the provider accepts a second use for a
 * grace period, the lease is a third of that period: a process that takes over from a killed one is in time,
 * even the second one.
 */
const LEASE_SECONDS = 8
const LEASE_SECONDS_MIN = 2
const LEASE_SECONDS_MAX_WITH_GRACE = 4
/**
 * A scheme may need several requests of 15 s each. After this, a stuck holder no longer blocks the account.
 */
const EXTEND_MAX_MS = 60_000
const FIRST_POLL_MS = 20
const POLL_MAX_MS = 250

/** The right to request a new token for one account. */
export interface Lease {
  token: string
  /** Version of the credentials that this holder stored last. */
  version: number
  /** Duration of the lease without an extension. */
  seconds: number
  /**
   * The former holder neither stored credentials nor released the lease: its response may come late, or
   * never.
   */
  isTakenOver: boolean
  /**
   * Whether this process certainly still holds the lease. A process that was paused must not send a request.
   */
  isCertain(): boolean
  stopExtending(): void
}

/** The duration of a lease for the grace period in which the provider accepts a used refresh token. */
export function leaseSeconds(reuseGraceMs: number): number {
  if (reuseGraceMs <= 0) return LEASE_SECONDS
  const third = Math.floor(reuseGraceMs / 3_000)
  return Math.max(LEASE_SECONDS_MIN, Math.min(LEASE_SECONDS_MAX_WITH_GRACE, third))
}

/**
 * Waits for the lease. Returns undefined if the account has changed meanwhile, so that no refresh is needed.
 * Callers of one process share this wait; each poll is one small statement, at growing intervals. @throws
 * ActionExecute_UpstreamTimeout if `isLate` returns true
 */
export async function obtainLease(
  { db, leases }: RefreshDeps,
  projectId: string,
  { id, version }: EngineAccount,
  seconds: number,
  isLate: () => boolean,
): Promise<Lease | undefined> {
  const token = randomText(16)
  let holder: string | null = null
  const orphans = new OrphanWatch((seconds * 1_000) / 4)
  for (let pollMs = FIRST_POLL_MS; ; pollMs = nextPollMs(pollMs)) {
    const requestedAt = performance.now()
    const attempt = await leases.claimLease(db, projectId, id, version, token, seconds, orphans.due())
    orphans.observe(attempt?.orphan ?? null)
    if (attempt?.isClaimed) {
      const extend = () => leases.extendLease(db, projectId, id, token, seconds)
      return holdLease({ token, version, isTakenOver: attempt.isTakenOver, seconds }, requestedAt, extend)
    }
    if (attempt?.status !== 'ACTIVE') return undefined
    if (attempt.version === version) holder = attempt.holder
    // The holder has stored the first part and continues. The refresh is not complete until it releases the
    // lease.
    else if (holder === null || attempt.holder !== holder) return undefined
    if (isLate()) throw refreshTimeout()
    await wait(pollMs)
  }
}

/**
 * An expired lease that is seen for the first time. Its holder may have been killed, or it may have fetched a token
 * and could not store it while the database failed over. Then it stores the token in the first moments after that,
 * and a second use of the refresh token would end the grant. So an orphan must be seen for a while before it is taken
 * over: a quarter of the lease, during which a holder tries several times.
 */
class OrphanWatch {
  readonly #delayMs: number
  #orphan: string | null = null
  #seenAt = 0

  constructor(delayMs: number) {
    this.#delayMs = delayMs
  }

  observe(orphan: string | null): void {
    if (orphan === this.#orphan) return
    this.#orphan = orphan
    this.#seenAt = performance.now()
  }

  /** The orphan that may be taken over now. */
  due(): string | null {
    return performance.now() - this.#seenAt >= this.#delayMs ? this.#orphan : null
  }
}

/** The next poll interval: about 50 % longer, so that a wait is at most 50 % longer than necessary. */
export const nextPollMs = (pollMs: number): number =>
  Math.min(pollMs * (1.4 + Math.random() * 0.2), POLL_MAX_MS)

/** Releases a lease. An error is ignored, because the lease expires automatically. */
export async function releaseLease(
  { db, leases }: RefreshDeps,
  projectId: string,
  id: string,
  token: string,
): Promise<void> {
  await leases.releaseLease(db, projectId, id, token).catch(() => {})
}

function holdLease(
  lease: Pick<Lease, 'token' | 'version' | 'seconds' | 'isTakenOver'>,
  requestedAt: number,
  extend: () => Promise<boolean>,
): Lease {
  const { seconds } = lease
  let confirmedAt = requestedAt
  const timer = setInterval(
    () => {
      const now = performance.now()
      if (now - requestedAt > EXTEND_MAX_MS) return clearInterval(timer)
      extend().then(
        (isHeld) => {
          if (isHeld) confirmedAt = now
          else clearInterval(timer)
        },
        () => {}, // While the database is unavailable, no other process can claim the lease.
      )
    },
    (seconds * 1_000) / 3,
  ).unref()
  return {
    ...lease,
    isCertain: () => performance.now() - confirmedAt < seconds * 500,
    stopExtending: () => clearInterval(timer),
  }
}

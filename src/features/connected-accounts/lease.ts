import { setTimeout as wait } from 'node:timers/promises'
import type { Account } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { randomText } from '../../platform/ids.ts'
import type { AccountDeps } from './deps.ts'
import * as leases from './lease-store.ts'

/**
 * A holder says three times in this span that it lives. Where a second use of what is traded is fatal, it is longer than a process should ever pause.
 * Where the provider forgives it for a while, a third of that: whoever takes over from a process that was killed comes in time, even the second one.
 */
const LEASE_SECONDS = 8
const LEASE_SECONDS_MIN = 2
const LEASE_SECONDS_FORGIVEN = 4
/** A scheme may need several requests of 15 s each; a holder that is stuck does not keep others out for ever. */
const HOLD_MAX_MS = 60_000
const POLL_FIRST_MS = 20
const POLL_MAX_MS = 250

/** The right to ask the provider for fresh credentials of one account. */
export interface Lease {
  token: string
  /** That of the credentials as this holder last stored them. */
  version: number
  /** How long it stands when its holder says nothing. */
  seconds: number
  /** Its former holder neither stored nor released: what the provider answered it may come late, or never. */
  takenOver: boolean
  /** Whether it certainly still holds; a process that stood still for a while must not ask. */
  isFresh(): boolean
  /** Stops saying that the holder lives. */
  stop(): void
}

/** How long one account is kept for a holder that says nothing. */
export function leaseSeconds(reuseGraceMs: number): number {
  return reuseGraceMs > 0
    ? Math.max(LEASE_SECONDS_MIN, Math.min(LEASE_SECONDS_FORGIVEN, Math.floor(reuseGraceMs / 3_000)))
    : LEASE_SECONDS
}

/**
 * Waits for the lease; undefined when the account has changed meanwhile, so that there is nothing to do. Callers of one process share this wait, and
 * each look is one small statement, ever more seldom. @throws ApiError when `isLate` says so
 */
export async function obtainLease(
  { db }: Pick<AccountDeps, 'db'>,
  projectId: string,
  { id, version }: Account,
  seconds: number,
  isLate: () => boolean,
): Promise<Lease | undefined> {
  const token = randomText(16)
  let holder: string | null = null
  for (let pause = POLL_FIRST_MS; ; pause = nextPause(pause)) {
    const askedAt = performance.now()
    const attempt = await leases.take(db, projectId, id, version, token, seconds)
    if (attempt?.taken)
      return held({
        token,
        version,
        takenOver: attempt.takenOver,
        askedAt,
        seconds,
        extend: () => leases.extend(db, projectId, id, token, seconds),
      })
    if (attempt?.status !== 'ACTIVE') return undefined
    if (attempt.version === version) holder = attempt.holder
    // Whoever holds it has stored a part and goes on: what the account has now is not yet what was waited for.
    else if (holder === null || attempt.holder !== holder) return undefined
    if (isLate())
      throw new ApiError(
        'ActionExecute_UpstreamTimeout',
        'The credentials are being renewed and the provider has not answered in time.',
      )
    await wait(pause)
  }
}

/** Half as long again each time, so that a wait is never longer by more than half of what had to be waited anyway. */
export const nextPause = (pause: number): number => Math.min(pause * (1.4 + Math.random() * 0.2), POLL_MAX_MS)

function held({
  askedAt,
  extend,
  ...lease
}: Pick<Lease, 'token' | 'version' | 'seconds' | 'takenOver'> & {
  askedAt: number
  extend: () => Promise<boolean>
}): Lease {
  const { seconds } = lease
  let confirmedAt = askedAt
  const timer = setInterval(
    () => {
      const now = performance.now()
      if (now - askedAt > HOLD_MAX_MS) clearInterval(timer)
      // While the database is away nobody can take it either.
      else
        extend().then(
          (ours) => {
            if (ours) confirmedAt = now
            else clearInterval(timer)
          },
          () => {},
        )
    },
    (seconds * 1_000) / 3,
  ).unref()
  return {
    ...lease,
    isFresh: () => performance.now() - confirmedAt < seconds * 500,
    stop: () => clearInterval(timer),
  }
}

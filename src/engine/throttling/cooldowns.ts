import { createCache } from '../../platform/cache.ts'
import type { Clock } from '../../platform/clock.ts'

const COOLDOWNS_MAX = 10_000
/** After an hour the application is called again, so that a misread unit does not block an account for a day. */
const COOLDOWN_MAX_MS = 3_600_000
/** Shorter cooldowns end before another replica receives them. */
const SHARED_MIN_MS = 1_000

/**
 * The times until which applications accept no calls of an account, as they said themselves. They are in memory,
 * so that a look-up costs nothing. Longer ones are shared with the other replicas.
 */
export interface Cooldowns {
  /** Returns how long to wait, in ms; 0 without a cooldown. */
  remainingMs(key: string | undefined): number
  /** Starts a cooldown that the application asked for. */
  start(projectId: string, key: string | undefined, ms: number): void
  /** Adds a cooldown that another replica started. */
  learn(key: string, ms: number): void
}

/** @param share sends a cooldown to the other replicas; it handles its own errors */
export function createCooldowns(
  clock: Clock,
  share: (projectId: string, key: string, ms: number) => void,
): Cooldowns {
  const endByKey = createCache<string, number>({ max: COOLDOWNS_MAX })

  /** Returns whether the cooldown became longer by enough to share it. */
  function extend(key: string, ms: number): boolean {
    const end = clock.now() + Math.min(ms, COOLDOWN_MAX_MS)
    const knownEnd = endByKey.get(key) ?? 0
    if (end <= knownEnd) return false
    endByKey.set(key, end)
    return end - knownEnd >= SHARED_MIN_MS
  }

  return {
    remainingMs(key) {
      if (key === undefined || endByKey.size === 0) return 0
      const end = endByKey.get(key)
      if (end === undefined) return 0
      const remaining = end - clock.now()
      if (remaining <= 0) endByKey.delete(key)
      return Math.max(0, remaining)
    },
    start(projectId, key, ms) {
      if (key === undefined || ms <= 0) return
      if (extend(key, ms) && ms >= SHARED_MIN_MS) share(projectId, key, Math.min(ms, COOLDOWN_MAX_MS))
    },
    learn(key, ms) {
      if (Number.isFinite(ms) && ms > 0) extend(key, ms)
    },
  }
}

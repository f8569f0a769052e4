import { createCache } from '../../../platform/cache.ts'
import type { Clock } from '../../../platform/clock.ts'
import { TooManyRequests } from '../../../platform/http/middleware/rate-limit.ts'

const WINDOW_MS = 60_000
/** Different unknown keys of one IP address in a minute. */
const FAILURES_MAX = 100
const SOURCES_MAX = 10_000
const VALID_KEYS_MAX = 10_000
const VALID_TTL_MS = 3_600_000

/**
 * Limits the unknown keys that one IP address can try. Keys that were valid within the last hour are always looked up,
 * so that a client with a wrong key does not block others behind the same proxy.
 */
export function createFailedKeyLimit(clock: Clock) {
  const failures = createCache<string, { window: number; count: number }>({ max: SOURCES_MAX })
  const validKeys = createCache<string, true>({ max: VALID_KEYS_MAX, ttl: VALID_TTL_MS })
  const windowOf = (now: number) => Math.floor(now / WINDOW_MS) * WINDOW_MS
  return {
    /** @throws TooManyRequests when the IP address has sent too many unknown keys */
    check(key: string, ip: string): void {
      const now = clock.now()
      const window = windowOf(now)
      const failed = failures.get(ip)
      if (failed?.window !== window || failed.count < FAILURES_MAX || validKeys.has(key)) return
      throw new TooManyRequests(FAILURES_MAX, Math.ceil((window + WINDOW_MS - now) / 1_000))
    },
    record(key: string, ip: string, isValid: boolean): void {
      if (isValid) return void validKeys.set(key, true)
      const window = windowOf(clock.now())
      const failed = failures.get(ip)
      if (failed?.window === window) failed.count++
      else failures.set(ip, { window, count: 1 })
    },
  }
}

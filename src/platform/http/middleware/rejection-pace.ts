import { createCache } from '../../cache.ts'

const SOURCES_MAX = 10_000
const PER_SECOND = 50
/** Rejections that are sent at once before the first one is delayed. */
const BURST = 100
const DELAY_MAX_MS = 1_000
/** Delayed responses of this process. Further ones are sent at once: each holds a connection. */
const DELAYED_MAX = 2_000

const INTERVAL_MS = 1_000 / PER_SECOND

/**
 * Delays rejections of a source that ignores them. Otherwise a caller that repeats a rejected request without a pause
 * takes the whole process, although each rejection is cheap.
 * @param now milliseconds
 */
export function createRejectionPace(now: () => number = () => performance.now()) {
  const nextAt = createCache<string, number>({ max: SOURCES_MAX })
  let delayed = 0
  return {
    /** Counts a rejection, and returns the milliseconds by which its response is delayed. */
    delayMs(source: string): number {
      const at = now()
      const next = Math.max(nextAt.get(source) ?? -Infinity, at) + INTERVAL_MS
      nextAt.set(source, Math.min(next, at + BURST * INTERVAL_MS + DELAY_MAX_MS))
      if (delayed >= DELAYED_MAX) return 0
      return Math.min(DELAY_MAX_MS, Math.max(0, next - at - BURST * INTERVAL_MS))
    },
    /** Waits for the delay of a rejection. */
    wait(ms: number): Promise<void> {
      delayed++
      return new Promise((resolve) => {
        setTimeout(() => {
          delayed--
          resolve()
        }, ms)
      })
    },
  }
}

/** Seconds between an attempt and the next one: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
export const RETRY_SECONDS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
/** Delays are up to a fifth shorter or longer, so that deliveries that failed together are not retried together. */
const JITTER = 0.2
const RETRY_AFTER_SECONDS_MAX = 86_400

/**
 * Seconds until the next attempt when `attempts` of this round have failed; undefined after the last. A
 * receiver may ask for more time, not for less.
 */
export function retryDelay(
  attempts: number,
  retryAfterSeconds = 0,
  random: () => number = Math.random,
  schedule = RETRY_SECONDS,
): number | undefined {
  const delay = schedule[attempts - 1]
  return delay === undefined
    ? undefined
    : Math.max(
        delay * (1 + JITTER * (2 * random() - 1)),
        Math.min(retryAfterSeconds, RETRY_AFTER_SECONDS_MAX),
      )
}

/** Parses `Retry-After` (RFC 9110 10.2.3: seconds or a date) to seconds; 0 if it is absent or invalid. */
export function parseRetryAfter(value: string | string[] | undefined, nowMs: number): number {
  if (typeof value !== 'string') return 0
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const date = /GMT$/.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? 0 : Math.max(0, (date - nowMs) / 1_000)
}

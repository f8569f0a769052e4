/** Seconds before each attempt after the first, from the one before it: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
export const RETRY_SECONDS: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
/** Each is up to a fifth shorter or longer, so that what failed together does not come back together. */
const JITTER = 0.2
const RETRY_AFTER_MAX_S = 86_400

/** Seconds until the next attempt when `tries` of this round have failed; undefined after the last. A receiver may ask for more time, not for less. */
export function nextDelay(
  tries: number,
  retryAfterS = 0,
  random: () => number = Math.random,
  waits = RETRY_SECONDS,
): number | undefined {
  const delay = waits[tries - 1]
  return delay === undefined
    ? undefined
    : Math.max(delay * (1 + JITTER * (2 * random() - 1)), Math.min(retryAfterS, RETRY_AFTER_MAX_S))
}

/** `Retry-After` in seconds (RFC 9110 10.2.3: seconds or a date); 0 for none, or for what is neither. */
export function retryAfter(value: string | string[] | undefined, nowMs: number): number {
  if (typeof value !== 'string') return 0
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const date = /GMT$/.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? 0 : Math.max(0, (date - nowMs) / 1_000)
}

/** End of the year 9999: the last date that the database and every client can represent. */
const LATEST_MS = 253_402_300_799_000

/** Expiry after this many seconds, in ms since the epoch; null if the lifetime is unknown. */
export const expiresAtAfter = (now: number, seconds: number | undefined): number | null =>
  seconds === undefined ? null : clampTimestamp(now + seconds * 1_000)

/** A timestamp from a provider, limited to the representable range; null if it is not a valid timestamp. */
export const clampTimestamp = (ms: number): number | null =>
  Number.isFinite(ms) && ms > 0 ? Math.min(ms, LATEST_MS) : null

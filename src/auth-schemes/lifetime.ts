/** The last moment of the year 9999: what a date column and every client can read. */
const LATEST_MS = 253_402_300_799_000

/** When something that lives this many seconds ends; null when nobody says. */
export const endOf = (now: number, seconds: number | undefined): number | null =>
  seconds === undefined ? null : momentOf(now + seconds * 1_000)

/** A moment that a provider named, within what dates can hold; null for one that is none. */
export const momentOf = (ms: number): number | null =>
  Number.isFinite(ms) && ms > 0 ? Math.min(ms, LATEST_MS) : null

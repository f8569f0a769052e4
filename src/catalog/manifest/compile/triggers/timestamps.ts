import type { SinceFormat } from '../../format/index.ts'

/** Above it a number counts milliseconds: it is the year 5138 in seconds, and 1973 in milliseconds. */
const SECONDS_MAX = 100_000_000_000
/** What Date can hold. */
const MS_MAX = 8_640_000_000_000_000
const NUMBER = /^\d{1,16}(\.\d{1,9})?$/
const DATE = /^\d{4}-\d{2}-\d{2}/

/**
 * A moment as applications write it, in milliseconds since the epoch: ISO 8601 or RFC 3339, or seconds or
 * milliseconds since 1970, also as text.
 */
export function parseTimestamp(value: unknown): number | undefined {
  if (typeof value === 'string' && !NUMBER.test(value)) {
    const ms = DATE.test(value) && value.length <= 40 ? Date.parse(value) : Number.NaN
    return Number.isNaN(ms) ? undefined : ms
  }
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return undefined
  const ms = number < SECONDS_MAX ? number * 1_000 : number
  return ms <= MS_MAX ? ms : undefined
}

/** How a moment is written for an application. */
export const TIMESTAMP_WRITERS: Readonly<Record<SinceFormat, (ms: number) => string | number>> = {
  iso: (ms) => new Date(ms).toISOString().replace('.000Z', 'Z'),
  seconds: (ms) => Math.floor(ms / 1_000),
  milliseconds: (ms) => Math.floor(ms),
  date: (ms) => new Date(ms).toISOString().slice(0, 10),
}

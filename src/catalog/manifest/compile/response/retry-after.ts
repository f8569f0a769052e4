import type { WaitUnit } from '../../format/limits.ts'

/** Longer than this nobody is asked to wait by sense: the value is misread or a lie. */
const WAIT_MAX_MS = 31 * 24 * 3_600_000
const TEXT_MAX = 200

const NUMBER = /^\+?\d{1,18}(\.\d{1,9})?$/
const ISO = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i
/** RFC 9110 §5.6.7: the fixed form, and the two obsolete ones that recipients must know. */
const HTTP_DATE =
  /^(\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT|\w{6,9}, \d{2}-\w{3}-\d{2} \d{2}:\d{2}:\d{2} GMT|\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/

/**
 * How long to wait from `now` on, in whole ms ≥ 0, as a reply says it in a unit; undefined for what cannot be
 * read or is beyond a month.
 * @param now milliseconds since the epoch
 */
export function parseWaitMs(value: unknown, unit: WaitUnit, now: number): number | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  if (text === '' || text.length > TEXT_MAX) return undefined
  const ms = UNIT_PARSERS[unit](text, now)
  // A moment that has passed, also by the other clock's error: no wait.
  return ms === undefined || Number.isNaN(ms) || ms > WAIT_MAX_MS ? undefined : Math.max(0, Math.ceil(ms))
}

const UNIT_PARSERS: Readonly<Record<WaitUnit, (text: string, now: number) => number | undefined>> = {
  milliseconds: (text) => scaleNumber(text, 1),
  seconds: (text) => scaleNumber(text, 1_000),
  minutes: (text) => scaleNumber(text, 60_000),
  timestamp: (text, now) => msUntil(scaleNumber(text, 1_000), now),
  timestamp_ms: (text, now) => msUntil(scaleNumber(text, 1), now),
  date: (text, now) => msUntil(parseDate(text), now),
  retry_after: (text, now) => scaleNumber(text, 1_000) ?? msUntil(parseDate(text), now),
  duration: parseDuration,
}

/** Longest that a moment is taken seriously. */
const CENTURY_MS = 100 * 365 * 24 * 3_600_000

/**
 * A moment as a value says it in a unit, ms since the epoch; a delay counts from `now`. Undefined for what
 * cannot be read.
 */
export function parseTimestampMs(value: unknown, unit: WaitUnit, now: number): number | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const ms = text === '' || text.length > TEXT_MAX ? undefined : UNIT_PARSERS[unit](text, now)
  return ms === undefined || Number.isNaN(ms) || Math.abs(ms) > CENTURY_MS ? undefined : now + ms
}

const scaleNumber = (text: string, factor: number): number | undefined =>
  NUMBER.test(text) ? Number(text) * factor : undefined
const msUntil = (moment: number | undefined, now: number): number | undefined =>
  moment === undefined ? undefined : moment - now

function parseDate(text: string): number | undefined {
  if (ISO.test(text)) return Date.parse(text.replace(' ', 'T'))
  if (!HTTP_DATE.test(text)) return undefined
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
}

const UNITS_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }
const PART = /(\d{1,9}(?:\.\d{1,9})?)(ms|[dhms])/g

/** `1m30s`, `850ms`, `PT1M30S` (ISO 8601 without years and months); a bare number is seconds. */
function parseDuration(text: string): number | undefined {
  const plain = text
    .toLowerCase()
    .replace(/^p(?=[\dt])/, '')
    .replace('t', '')
  if (NUMBER.test(plain)) return Number(plain) * 1_000
  const parts = [...plain.matchAll(PART)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== plain) return undefined
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS_MS[unit as string]!, 0)
}

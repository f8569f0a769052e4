import { DateTime, FixedOffsetZone, IANAZone, type Zone } from 'luxon'
import { ToolFailure } from '../../src/catalog/code-tool.ts'

/** A local date and time without a time zone; `month` is 1 to 12. */
export interface LocalTime {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  millisecond: number
}
/** Which instant a local time means that occurs twice because the clocks are set back. */
export type Overlap = 'earlier' | 'later'
/** The result of parsing a text: an instant, or a local time whose zone may be given in the text. */
export type ParsedTime = { epochMs: number } | { local: LocalTime; zone?: string; offsetMs?: number }

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)? ?(Z|z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?(?:\[([A-Za-z0-9_+\-/:]{1,64})\])?$/
const UNIX = /^-?\d{1,15}(\.\d{1,9})?$/
/** Unix times from this value on are milliseconds: as seconds they would be after the year 5000. */
const UNIX_MILLISECONDS_MIN = 100_000_000_000

/** Years 1 to 9999, with one day to spare on both sides because zones differ by up to 26 hours. */
const EPOCH_MS_MIN = DateTime.utc(1, 1, 2).toMillis()
const EPOCH_MS_MAX = DateTime.utc(9999, 12, 30).toMillis()

/** Throws a `ToolFailure` for a date that the calendar does not have, such as 30 February. */
export function checkLocalTime(local: LocalTime): LocalTime {
  if (local.year < 1 || local.hour > 23 || !DateTime.fromObject(local, { zone: 'utc' }).isValid)
    throw new ToolFailure('There is no such date or time in the calendar')
  return local
}

/**
 * Returns the IANA name in its usual spelling: `utc` and `Z` are `UTC`, `europe/berlin` is `Europe/Berlin`. A name
 * that the system knows under another one is returned as it is.
 */
export function zoneName(zone: string): string {
  if (/^(z|utc)$/i.test(zone)) return 'UTC'
  try {
    const resolved = new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone
    return resolved.toLowerCase() === zone.toLowerCase() ? resolved : zone
  } catch (error) {
    throw new ToolFailure(
      `"${zone}" is not a time zone; give an IANA name such as Europe/Berlin, UTC, or an offset such as +05:30`,
      { cause: error },
    )
  }
}

// Not by name: luxon takes "local" and "system" for the zone of the machine.
const zoneFor = (name: string): Zone =>
  name === 'UTC' ? FixedOffsetZone.utcInstance : IANAZone.create(zoneName(name))

/** Returns the instant in the zone. Throws a `ToolFailure` outside of the years 1 to 9999. */
export function inZone(epochMs: number, zone: string): DateTime {
  if (!(epochMs >= EPOCH_MS_MIN && epochMs <= EPOCH_MS_MAX))
    throw new ToolFailure('The date is outside the years 1 to 9999')
  return DateTime.fromMillis(epochMs, { zone: zoneFor(zoneName(zone)) })
}

/** Chooses between the two instants at which the clocks of a zone show the same local time. */
export function resolveOverlap(time: DateTime, overlap: Overlap): number {
  const instants = time.getPossibleOffsets().map((possible) => possible.toMillis())
  return overlap === 'earlier' ? Math.min(...instants) : Math.max(...instants)
}

/**
 * Returns the instant at which the clocks of the zone show a local time. A time that they skip (clocks are set
 * forward) moves by the length of the gap: 02:30 in a gap of one hour becomes 03:30.
 */
function localToEpoch(local: LocalTime, zone: string, overlap: Overlap): number {
  return resolveOverlap(DateTime.fromObject(local, { zone: zoneFor(zone) }), overlap)
}

/** Converts `+05:30`, `-0800`, `+01` or `Z` to milliseconds. */
export function offsetToMs(offset: string): number {
  if (/^z$/i.test(offset)) return 0
  const digits = offset.slice(1).replaceAll(':', '')
  const [hours = 0, minutes = 0, seconds = 0] = [
    digits.slice(0, 2),
    digits.slice(2, 4),
    digits.slice(4, 6),
  ].map(Number)
  if (hours > 23 || minutes > 59 || seconds > 59) throw new ToolFailure(`${offset} is not an offset from UTC`)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds) * 1000
}

/** Parses ISO 8601, or Unix time in seconds or milliseconds. Returns undefined for any other text. */
export function parseIsoOrUnix(text: string): ParsedTime | undefined {
  const trimmed = text.trim()
  if (UNIX.test(trimmed)) {
    const value = Number(trimmed)
    return { epochMs: Math.round(Math.abs(value) >= UNIX_MILLISECONDS_MIN ? value : value * 1000) }
  }
  const match = ISO.exec(trimmed)
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset, zone] = match
  const local = checkLocalTime({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Math.floor(Number(`0.${fraction || '0'}`) * 1000),
  })
  return { local, zone, offsetMs: offset === undefined ? undefined : offsetToMs(offset) }
}

/** Converts to an instant. An offset in the text takes precedence over a zone in it, and both over `zone`. */
export function toEpoch(time: ParsedTime, zone: string, overlap: Overlap = 'earlier'): number {
  if ('epochMs' in time) return time.epochMs
  if (time.offsetMs !== undefined) return localToEpoch(time.local, 'UTC', 'earlier') - time.offsetMs
  return localToEpoch(time.local, time.zone ?? zone, overlap)
}

/** Parses an instant. Throws a `ToolFailure` that shows how to write one. */
export function parseInstant(text: string, zone: string, overlap: Overlap = 'earlier'): number {
  const time = parseIsoOrUnix(text)
  if (time === undefined)
    throw new ToolFailure(
      `"${text.slice(0, 60)}" is not a date; write it as 2026-01-31T14:30:00+01:00, 2026-01-31 or Unix time`,
    )
  return toEpoch(time, zone, overlap)
}

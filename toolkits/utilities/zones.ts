import { ToolFailure } from '../../src/catalog/code-tool.ts'

/** A date and time as a wall clock shows it, without a zone; `month` is 1 to 12. */
export interface WallTime {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  millisecond: number
}
export type Overlap = 'earlier' | 'later'
export interface Zoned {
  epochMs: number
  zone: string
  wall: WallTime
  offsetMs: number
  weekday: number
}

const DAY_MS = 86_400_000
const FORMATS_KEPT_MAX = 500
const formats = new Map<string, Intl.DateTimeFormat>()

/** Years 1 to 9999, with a day to spare on both sides for every zone. */
export const EPOCH_MS_MIN = utcEpoch({
  year: 1,
  month: 1,
  day: 2,
  hour: 0,
  minute: 0,
  second: 0,
  millisecond: 0,
})
export const EPOCH_MS_MAX = utcEpoch({
  year: 9999,
  month: 12,
  day: 30,
  hour: 0,
  minute: 0,
  second: 0,
  millisecond: 0,
})

const outsideCalendar = () => new ToolFailure('The date is outside the years 1 to 9999')

/** The wall time read as if its zone were UTC. `Date.UTC` takes years below 100 for 19xx. */
export function utcEpoch(wall: WallTime): number {
  const date = new Date(0)
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day)
  date.setUTCHours(wall.hour, wall.minute, wall.second, wall.millisecond)
  return date.getTime()
}

export function wallOfUtc(epochMs: number): WallTime {
  const date = new Date(epochMs)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (format === undefined) {
    try {
      format = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        calendar: 'gregory',
        numberingSystem: 'latn',
        hourCycle: 'h23',
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      })
    } catch (error) {
      throw new ToolFailure(
        `"${zone}" is not a time zone; give an IANA name such as Europe/Berlin, UTC, or an offset such as +05:30`,
        { cause: error },
      )
    }
    if (formats.size >= FORMATS_KEPT_MAX) formats.clear()
    formats.set(zone, format)
  }
  return format
}

/** `utc` and `Z` are `UTC`, `europe/berlin` is `Europe/Berlin`; a name that the system knows by another one stays as it is. */
export function zoneName(zone: string): string {
  if (/^(z|utc)$/i.test(zone)) return 'UTC'
  const resolved = formatOf(zone).resolvedOptions().timeZone
  return resolved.toLowerCase() === zone.toLowerCase() ? resolved : zone
}

/** Milliseconds by which the clocks of the zone are ahead of UTC at an instant. */
export function offsetAt(epochMs: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(epochMs)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  const year = parts.get('era')?.startsWith('B') ? 1 - part('year') : part('year')
  const wall = {
    year,
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
    millisecond: 0,
  }
  return utcEpoch(wall) - Math.floor(epochMs / 1000) * 1000
}

/**
 * The instant at which the clocks of the zone show a wall time. When they show it twice (clocks go back), `overlap` decides; when they
 * skip it (clocks go forward), it is moved on by the length of the gap: 02:30 in a gap of one hour becomes 03:30.
 */
export function wallToEpoch(wall: WallTime, zone: string, overlap: Overlap = 'earlier'): number {
  const asUtc = utcEpoch(wall)
  if (!(asUtc >= EPOCH_MS_MIN && asUtc <= EPOCH_MS_MAX)) throw outsideCalendar()
  const before = offsetAt(asUtc - DAY_MS, zone)
  const offsets = [before, offsetAt(asUtc + DAY_MS, zone)]
  const instants = offsets
    .map((offset) => asUtc - offset)
    .filter((instant, index) => offsetAt(instant, zone) === offsets[index])
  if (instants.length === 0) return asUtc - before
  return overlap === 'earlier' ? Math.min(...instants) : Math.max(...instants)
}

export function inZone(epochMs: number, zone: string): Zoned {
  if (!(epochMs >= EPOCH_MS_MIN && epochMs <= EPOCH_MS_MAX)) throw outsideCalendar()
  const offsetMs = offsetAt(epochMs, zone)
  const local = epochMs + offsetMs
  return {
    epochMs,
    zone: zoneName(zone),
    wall: wallOfUtc(local),
    offsetMs,
    weekday: new Date(local).getUTCDay(),
  }
}

export function daysInMonth(year: number, month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}

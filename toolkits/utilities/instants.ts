import { ToolFailure } from '../../src/catalog/code-tool.ts'
import { daysInMonth, type Overlap, type WallTime, wallToEpoch } from './zones.ts'

/** What a text says: an instant, or a wall time whose zone the text leaves open. */
export type Reading = { epochMs: number } | { wall: WallTime; zone?: string; offsetMs?: number }

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)? ?(Z|z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?(?:\[([A-Za-z0-9_+\-/:]{1,64})\])?$/
const UNIX = /^-?\d{1,15}(\.\d{1,9})?$/
const UNIX_MILLISECONDS_FROM = 100_000_000_000

export function checkedWall(wall: WallTime): WallTime {
  const { year, month, day, hour, minute, second } = wall
  const sound =
    year >= 1 &&
    year <= 9999 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth(year, month) &&
    hour >= 0 &&
    hour <= 23 &&
    minute >= 0 &&
    minute <= 59 &&
    second >= 0 &&
    second <= 59
  if (!sound) throw new ToolFailure('There is no such date or time in the calendar')
  return wall
}

/** `+05:30`, `-0800`, `+01` or `Z` in milliseconds. */
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

/** ISO 8601, or a Unix time: seconds, or milliseconds from 100 thousand million on. `undefined` for anything else. */
export function readInstant(text: string): Reading | undefined {
  const trimmed = text.trim()
  if (UNIX.test(trimmed)) {
    const value = Number(trimmed)
    return { epochMs: Math.round(Math.abs(value) >= UNIX_MILLISECONDS_FROM ? value : value * 1000) }
  }
  const match = ISO.exec(trimmed)
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset, zone] = match
  const wall = checkedWall({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    millisecond: Math.floor(Number(`0.${fraction || '0'}`) * 1000),
  })
  return {
    wall,
    ...(zone === undefined ? {} : { zone }),
    ...(offset === undefined ? {} : { offsetMs: offsetToMs(offset) }),
  }
}

/** An offset in the text decides over a zone in it, and both over `zone`. */
export function toEpoch(reading: Reading, zone: string, overlap: Overlap = 'earlier'): number {
  if ('epochMs' in reading) return reading.epochMs
  if (reading.offsetMs !== undefined) return wallToEpoch(reading.wall, 'UTC') - reading.offsetMs
  return wallToEpoch(reading.wall, reading.zone ?? zone, overlap)
}

export function parseInstant(text: string, zone: string, overlap: Overlap = 'earlier'): number {
  const reading = readInstant(text)
  if (reading === undefined)
    throw new ToolFailure(
      `"${text.slice(0, 60)}" is not a date; write it as 2026-01-31T14:30:00+01:00, 2026-01-31 or Unix time`,
    )
  return toEpoch(reading, zone, overlap)
}

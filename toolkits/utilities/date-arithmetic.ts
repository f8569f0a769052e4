import { daysInMonth, utcEpoch, type WallTime, wallOfUtc, wallToEpoch, type Zoned } from './zones.ts'

const DAY_MS = 86_400_000

export interface Duration {
  years: number
  months: number
  weeks: number
  days: number
  hours: number
  minutes: number
  seconds: number
}

/** A day that the month does not have becomes its last day: 31 January and one month is 28 (or 29) February. */
function addMonths(wall: WallTime, months: number): WallTime {
  const index = wall.year * 12 + (wall.month - 1) + months
  const year = Math.floor(index / 12)
  const month = index - year * 12 + 1
  return { ...wall, year, month, day: Math.min(wall.day, daysInMonth(year, month)) }
}

const addDays = (wall: WallTime, days: number): WallTime => wallOfUtc(utcEpoch(wall) + days * DAY_MS)

/** Years to days move the calendar and keep the time of day in the zone; hours, minutes and seconds are then exact. */
export function addDuration({ epochMs, wall }: Zoned, zone: string, duration: Duration): number {
  const months = duration.years * 12 + duration.months
  const days = duration.weeks * 7 + duration.days
  const dated =
    months === 0 && days === 0 ? epochMs : wallToEpoch(addDays(addMonths(wall, months), days), zone)
  return dated + (duration.hours * 3600 + duration.minutes * 60 + duration.seconds) * 1000
}

const dayNumber = ({ year, month, day }: WallTime) =>
  Math.round(utcEpoch({ year, month, day, hour: 0, minute: 0, second: 0, millisecond: 0 }) / DAY_MS)

/** Days from Monday to Friday, the first day counted and the last one not. */
function weekdaysBetween(from: number, to: number): number {
  const weeks = Math.floor((to - from) / 7)
  let count = weeks * 5
  // Day 0 of the epoch was a Thursday: (day + 3) % 7 is 0 on Mondays.
  for (let day = from + weeks * 7; day < to; day++) if ((((day + 3) % 7) + 7) % 7 < 5) count++
  return count
}

/** The way from the earlier to the later date as a calendar sees it, largest units first. */
export function calendarDifference(start: Zoned, end: Zoned, zone: string) {
  const [from, to] = start.epochMs <= end.epochMs ? [start, end] : [end, start]
  let months = (to.wall.year - from.wall.year) * 12 + to.wall.month - from.wall.month
  while (months > 0 && wallToEpoch(addMonths(from.wall, months), zone) > to.epochMs) months--
  const base = addMonths(from.wall, months)
  let days = dayNumber(to.wall) - dayNumber(base)
  while (days > 0 && wallToEpoch(addDays(base, days), zone) > to.epochMs) days--
  const reached = months === 0 && days === 0 ? from.epochMs : wallToEpoch(addDays(base, days), zone)
  const seconds = Math.max(0, Math.floor((to.epochMs - reached) / 1000))
  return {
    calendar: {
      years: Math.floor(months / 12),
      months: months % 12,
      days,
      hours: Math.floor(seconds / 3600),
      minutes: Math.floor(seconds / 60) % 60,
      seconds: seconds % 60,
    },
    calendar_days: dayNumber(to.wall) - dayNumber(from.wall),
    weekdays: weekdaysBetween(dayNumber(from.wall), dayNumber(to.wall)),
  }
}

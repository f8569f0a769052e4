import { DateTime } from 'luxon'
import { resolveOverlap } from './date-times.ts'

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

/**
 * Adds years to days by the calendar, keeping the local time of day, and then hours to seconds exactly. A day that
 * the month does not have becomes its last day: 31 January plus one month is 28 (or 29) February.
 */
export function addDuration(start: DateTime, duration: Duration): number {
  const { hours, minutes, seconds, ...calendar } = duration
  const isCalendarMove = Object.values(calendar).some((amount) => amount !== 0)
  const moved = isCalendarMove ? resolveOverlap(start.plus(calendar), 'earlier') : start.toMillis()
  return moved + (hours * 3600 + minutes * 60 + seconds) * 1000
}

/** Numbers the calendar days; day 0 is 1 January 1970. */
const dayNumber = ({ year, month, day }: DateTime) =>
  Math.round(DateTime.utc(year, month, day).toMillis() / DAY_MS)

/** Counts the days from Monday to Friday, including the first day and excluding the last one. */
function countWeekdays(from: number, to: number): number {
  const weeks = Math.floor((to - from) / 7)
  let count = weeks * 5
  // Day 0 was a Thursday: (day + 3) % 7 is 0 on Mondays.
  for (let day = from + weeks * 7; day < to; day++) if ((((day + 3) % 7) + 7) % 7 < 5) count++
  return count
}

/** Returns the difference between two times of one zone in calendar units, largest first. */
export function calendarDifference(start: DateTime, end: DateTime) {
  const [from, to] = start <= end ? [start, end] : [end, start]
  const { years, months, days, hours, minutes, seconds } = to.diff(from, [
    'years',
    'months',
    'days',
    'hours',
    'minutes',
    'seconds',
  ])
  return {
    calendar: { years, months, days, hours, minutes, seconds: Math.floor(seconds) },
    calendar_days: dayNumber(to) - dayNumber(from),
    weekdays: countWeekdays(dayNumber(from), dayNumber(to)),
  }
}

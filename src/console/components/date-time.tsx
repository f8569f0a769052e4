import { createStore, useStore } from '../api/store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const REFRESH_MS = 15_000

/** The time, which all relative times share, so that one timer is enough. */
const now = createStore(Date.now())
setInterval(() => {
  if (!document.hidden) now.set(Date.now())
}, REFRESH_MS)

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Returns a time in relation to now: `2 minutes ago`, `in 3 days`. */
export function relativeTime(time: number, from: number): string {
  const difference = time - from
  const size = Math.abs(difference)
  if (size < MINUTE) return difference > 0 ? 'in less than a minute' : 'just now'
  if (size < HOUR) return relative.format(Math.trunc(difference / MINUTE), 'minute')
  if (size < DAY) return relative.format(Math.trunc(difference / HOUR), 'hour')
  return relative.format(Math.trunc(difference / DAY), 'day')
}

/**
 * A time. Relative by default, with the exact local time as a tooltip.
 * @param value ISO 8601, as the API returns it
 */
export function DateTime({ value, isExact }: { value: string | null | undefined; isExact?: boolean }) {
  const current = useStore(now)
  if (!value) return <span className="hint">never</span>
  const time = Date.parse(value)
  if (Number.isNaN(time)) return <>{value}</>
  const local = exact.format(time)
  return (
    <time dateTime={value} title={local}>
      {/* The shared time is up to 15 s old: what happened since must not be in the future. */}
      {isExact ? local : relativeTime(time, Math.max(current, Date.now()))}
    </time>
  )
}

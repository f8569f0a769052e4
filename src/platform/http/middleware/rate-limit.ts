import type { Clock } from '../../clock.ts'
import { type Db, sql } from '../../db/sql.ts'
import { ApiError } from '../api-error.ts'
import type { Schedule } from '../../jobs/index.ts'
import type { Limit, RateLimitedCaller } from '../call.ts'
import { createBurstLimit } from './burst-limit.ts'

const WINDOW_MS = 60_000
const SYNC_EVERY_MS = 1_000

interface Counter {
  window: number
  others: number
  unsent: number
  sent: number
}

/** The calls that one caller may make in a minute, or in a second. 0 disables a limit. */
export interface RateLimits {
  organization: number
  /** All keys of one project together, so that a project cannot use up the limit of its organization. */
  project: number
  /** One key of a project. */
  key: number
  /** One project on one server in a second, so that it cannot send the calls of a minute at once. Default: no limit. */
  projectPerSecond?: number
}

/** Limits the calls of organizations, their projects and their keys in a minute, over all replicas. */
export interface RateLimit {
  limit: Limit
  /** Exchanges counts with the other replicas. Runs once a second. */
  exchangeCounts(): Promise<void>
  close(): Promise<void>
}

/**
 * Counts in a fixed window of one minute. Each replica counts in memory and exchanges counts through the
 * database once a second, so a call needs no round trip. Together, replicas may allow at most the calls of
 * one second above the limit. While the database is unavailable, each replica counts alone.
 */
export function createRateLimit(
  db: Db,
  clock: Clock,
  limits: RateLimits,
  onError: (error: unknown) => void,
): RateLimit {
  const counters = new Map<string, Counter>()
  let syncing: Promise<void> | undefined
  const share = () =>
    (syncing ??= exchange(db, counters, startOfWindow(clock.now()))
      .catch(onError)
      .finally(() => {
        syncing = undefined
      }))
  const { projectPerSecond = 0 } = limits
  const bursts = createBurstLimit(projectPerSecond)
  const timer = setInterval(() => {
    void share()
  }, SYNC_EVERY_MS)
  timer.unref()
  return {
    exchangeCounts: share,
    limit(caller) {
      const now = clock.now()
      if (bursts.isReached(caller.projectId, now)) throw new TooManyRequests(projectPerSecond, 1, 'second')
      const headers = count(counters, subjectsOf(caller, limits), now)
      bursts.record(caller.projectId, now)
      return headers
    },
    async close() {
      clearInterval(timer)
      await syncing
    },
  }
}

const startOfWindow = (now: number): number => Math.floor(now / WINDOW_MS) * WINDOW_MS

interface Subject {
  id: string
  perMinute: number
}

/**
 * Returns who the call counts for, from the widest limit to the narrowest. A limit that is not lower than a wider one
 * never applies, so nothing is counted for it.
 */
function subjectsOf({ organizationId, projectId, keyId }: RateLimitedCaller, limits: RateLimits): Subject[] {
  const subjects: Subject[] = []
  let lowest = Infinity
  const add = (id: string | undefined, perMinute: number) => {
    if (!id || perMinute === 0 || perMinute >= lowest) return
    subjects.push({ id, perMinute })
    lowest = perMinute
  }
  add(organizationId, limits.organization)
  add(projectId, limits.project)
  add(projectId && keyId, limits.key)
  return subjects
}

/** Counts a call if no limit is reached, and returns the headers of the limit with the fewest remaining calls. */
function count(
  counters: Map<string, Counter>,
  subjects: readonly Subject[],
  now: number,
): Readonly<Record<string, string>> {
  const window = startOfWindow(now)
  let tightest: { perMinute: number; remaining: number } | undefined
  const counted = subjects.map(({ id, perMinute }) => {
    let counter = counters.get(id)
    if (counter?.window !== window) counters.set(id, (counter = { window, others: 0, unsent: 0, sent: 0 }))
    const remaining = perMinute - counter.others - counter.sent - counter.unsent
    if (remaining <= 0) throw new TooManyRequests(perMinute, Math.ceil((window + WINDOW_MS - now) / 1_000))
    if (!tightest || remaining < tightest.remaining) tightest = { perMinute, remaining }
    return counter
  })
  for (const counter of counted) counter.unsent++
  return tightest
    ? {
        'x-ratelimit': String(tightest.perMinute),
        'x-ratelimit-remaining': String(tightest.remaining - 1),
        'x-ratelimit-window-size': '60s',
      }
    : {}
}

/** Adds the calls of this replica to the counts in the database, and reads those of the others. */
async function exchange(db: Db, counters: Map<string, Counter>, current: number): Promise<void> {
  for (const [subject, counter] of counters) {
    if (counter.window !== current) counters.delete(subject)
  }
  const pending = [...counters].flatMap(([subject, counter]) =>
    counter.unsent ? [{ subject, counter, add: counter.unsent }] : [],
  )
  if (!pending.length) return
  // Sorted, so that two replicas lock the rows in the same order.
  pending.sort((a, b) => (a.subject < b.subject ? -1 : 1))
  const rows = await db.rows<{ subject: string; used: number }>(sql`
    insert into rate_limit_windows as w (subject, window_start, used)
      select subject, ${new Date(current)}, add
      from unnest(${pending.map(({ subject }) => subject)}::text[], ${pending.map(({ add }) => add)}::bigint[])
        as counts (subject, add)
    on conflict (subject, window_start) do update set used = w.used + excluded.used returning subject, used`)
  const used = new Map(rows.map((row) => [row.subject, row.used]))
  for (const { subject, counter, add } of pending) {
    counter.unsent -= add
    counter.sent += add
    counter.others = (used.get(subject) ?? counter.sent) - counter.sent
  }
}

/** Error 429. `headers` name the limit, the remaining calls (none) and when the next window starts. */
export class TooManyRequests extends ApiError {
  declare readonly headers: Readonly<Record<string, string>>

  constructor(limit: number, retryAfterSeconds: number, window: 'minute' | 'second' = 'minute') {
    super('HTTP_TooManyRequests', `Rate limit exceeded. Limit: ${limit} requests per 1 ${window}s`, {
      headers: {
        'x-ratelimit': String(limit),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-window-size': window === 'minute' ? '60s' : '1s',
        'retry-after': String(retryAfterSeconds),
      },
    })
  }
}

/** The scheduled jobs of rate limits: removal of the counters of past windows. */
export const rateLimitSchedules = ({ db }: { db: Db }): readonly Schedule[] => [
  {
    task: 'http.removeOldRateWindows',
    cron: '13 * * * *',
    run: async () => {
      await db.run(sql`delete from rate_limit_windows where window_start < now() - interval '1 hour'`)
    },
  },
]

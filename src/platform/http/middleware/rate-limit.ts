import type { Clock } from '../../clock.ts'
import { type Db, sql } from '../../db/sql.ts'
import { ApiError } from '../api-error.ts'
import type { Schedule } from '../../jobs/index.ts'
import type { Limit } from '../call.ts'

const WINDOW_MS = 60_000
const SYNC_EVERY_MS = 1_000

interface Counter {
  window: number
  others: number
  unsent: number
  sent: number
}

/** Limits the calls of an organization in a minute, over all replicas. */
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
 *
 * @param perMinute 0 disables the limit
 */
export function createRateLimit(
  db: Db,
  clock: Clock,
  perMinute: number,
  onError: (error: unknown) => void,
): RateLimit {
  const counters = new Map<string, Counter>()
  let syncing: Promise<void> | undefined

  const share = () =>
    (syncing ??= sync()
      .catch(onError)
      .finally(() => {
        syncing = undefined
      }))
  const timer = setInterval(() => {
    void share()
  }, SYNC_EVERY_MS)
  timer.unref()

  async function sync(): Promise<void> {
    const current = Math.floor(clock.now() / WINDOW_MS) * WINDOW_MS
    for (const [organization, counter] of counters) {
      if (counter.window !== current) {
        counters.delete(organization)
        continue
      }
      const add = counter.unsent
      if (!add) continue
      const row = await db.one<{ used: number }>(sql`
        insert into rate_limit_windows as w (organization_id, window_start, used)
          values (${organization}, ${new Date(counter.window)}, ${add})
        on conflict (organization_id, window_start) do update set used = w.used + excluded.used returning used`)
      counter.unsent -= add
      counter.sent += add
      counter.others = (row?.used ?? counter.sent) - counter.sent
    }
  }

  return {
    exchangeCounts: share,
    limit(organization): Readonly<Record<string, string>> {
      if (!perMinute) return {}
      const now = clock.now()
      const window = Math.floor(now / WINDOW_MS) * WINDOW_MS
      let counter = counters.get(organization)
      if (counter?.window !== window)
        counters.set(organization, (counter = { window, others: 0, unsent: 0, sent: 0 }))
      const used = counter.others + counter.sent + counter.unsent
      if (used >= perMinute)
        throw new TooManyRequests(perMinute, Math.ceil((window + WINDOW_MS - now) / 1_000))
      counter.unsent++
      return {
        'x-ratelimit': String(perMinute),
        'x-ratelimit-remaining': String(perMinute - used - 1),
        'x-ratelimit-window-size': '60s',
      }
    },
    async close() {
      clearInterval(timer)
      await syncing
    },
  }
}

/** Error 429. `headers` name the limit, the remaining calls (none) and when the next window starts. */
export class TooManyRequests extends ApiError {
  readonly headers: Readonly<Record<string, string>>

  constructor(perMinute: number, retryAfterSeconds: number) {
    super('HTTP_TooManyRequests', `Rate limit exceeded. Limit: ${perMinute} requests per 1 minutes`)
    this.headers = {
      'x-ratelimit': String(perMinute),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-window-size': '60s',
      'retry-after': String(retryAfterSeconds),
    }
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

import { createHash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { type Db, sql } from '../../db/sql.ts'
import { TooManyRequests } from './rate-limit.ts'

const WINDOW_MS = 15 * 60_000
const ATTEMPTS_MAX = 10
/** One source may have many people behind it. */
const ATTEMPTS_OF_SOURCE_MAX = 50

export interface AttemptLimit {
  /** Counts an attempt before it is checked, so that concurrent ones count too. @throws TooManyRequests */
  start(account: string, ip: string): Promise<void>
  /** Forgets the attempts of an account after a success. */
  succeed(account: string): Promise<void>
}

/** Accounts are e-mail addresses of people, so only their hash is stored. */
const subjectOf = (kind: 'account' | 'ip', value: string): string =>
  `sign_in:${kind}:${createHash('sha256').update(value.toLowerCase()).digest('base64url')}`

/**
 * Limits attempts to sign in within 15 minutes, of one account and from one IP address. They are counted in the
 * database, so that more replicas do not mean more attempts.
 */
export function createAttemptLimit(db: Db, clock: Clock): AttemptLimit {
  return {
    async start(account, ip) {
      const now = clock.now()
      const window = Math.floor(now / WINDOW_MS) * WINDOW_MS
      const limits = new Map([
        [subjectOf('account', account), ATTEMPTS_MAX],
        [subjectOf('ip', ip), ATTEMPTS_OF_SOURCE_MAX],
      ])
      // Sorted, so that two attempts lock the rows in the same order.
      const rows = await db.rows<{ subject: string; used: number }>(sql`
        insert into rate_limit_windows as w (subject, window_start, used)
        select subject, ${new Date(window)}, 1 from unnest(${[...limits.keys()].sort()}::text[]) as s (subject)
        on conflict (subject, window_start) do update set used = w.used + 1 returning subject, used`)
      for (const { subject, used } of rows) {
        const max = limits.get(subject) as number
        if (used > max) throw new TooManyRequests(max, Math.ceil((window + WINDOW_MS - now) / 1_000))
      }
    },
    async succeed(account) {
      await db.run(sql`delete from rate_limit_windows where subject = ${subjectOf('account', account)}`)
    },
  }
}

import { type Sql, sql } from './sql.ts'

/** Returns a time as microseconds since the epoch: a Date would lose three digits, and then equal no row. */
export const microsecondsOf = (time: Sql): Sql => sql`(extract(epoch from ${time}) * 1000000)::bigint`

/** Returns the time of microseconds since the epoch: a number, or an expression. */
export const instantOf = (microseconds: number | Sql): Sql =>
  sql`(timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond')`

import { type Db, type Sql, sql } from './sql.ts'

/** Counting a million rows takes a second, and nobody needs to know how many pages they fill. */
export const COUNT_MAX = 10_000

/** A number of rows. `isMinimum`: there are more. */
export interface BoundedCount {
  total: number
  isMinimum: boolean
}

/** Counts the rows of a query up to `most`, and reads no more of them. */
export async function countUpTo(db: Db, query: Sql, most = COUNT_MAX): Promise<BoundedCount> {
  const counted = await db.one<{ total: number }>(
    sql`select count(*)::int as total from (select from (${query}) q limit ${most + 1}) counted`,
  )
  const total = counted?.total ?? 0
  return { total: Math.min(total, most), isMinimum: total > most }
}

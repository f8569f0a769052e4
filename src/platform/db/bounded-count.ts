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

/** Rows that are read for each distinct value: most have fewer. */
const ROWS_PER_VALUE = 3

/**
 * Counts the distinct values of columns up to `most`. Rows in any order, as they are stored, cost a fraction of rows in
 * the order of these columns, which PostgreSQL needs to count distinct values up to a limit. Only if they do not
 * suffice, because many rows have the same value, they are read in that order.
 * @param rows what follows `from`: tables with their conditions
 */
export async function countDistinctUpTo(
  db: Db,
  columns: Sql,
  rows: Sql,
  most = COUNT_MAX,
): Promise<BoundedCount> {
  const readMax = ROWS_PER_VALUE * (most + 1)
  const counted = await db.one<{ total: number; read: number }>(sql`
    select count(*)::int as total, coalesce(sum(same), 0)::int as read from (
      select count(*) as same from (select ${columns} from ${rows} limit ${readMax}) d group by ${columns}) counted`)
  const { total = 0, read = 0 } = counted ?? {}
  if (total <= most && read === readMax)
    return countUpTo(db, sql`select distinct ${columns} from ${rows}`, most)
  return { total: Math.min(total, most), isMinimum: total > most }
}

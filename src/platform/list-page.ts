import { type Db, join, type Sql, sql } from './db/sql.ts'
import { badRequest } from './http/api-error.ts'

/** The values of the sort keys of a row, with which a list continues after it. */
export type Position = readonly string[]

/** A column by which a list is sorted. Together, the columns of a list identify a row. */
export interface SortKey {
  column: Sql
  type: 'time' | 'text' | 'integer'
  descending?: boolean
}

/** Sorts by creation, the newest first. */
export const newestFirst = (createdAt = sql`created_at`, id = sql`id`): SortKey[] => [
  { column: createdAt, type: 'time', descending: true },
  { column: id, type: 'text' },
]
/** Sorts by creation, the oldest first. */
export const oldestFirst = (createdAt = sql`created_at`, id = sql`id`): SortKey[] => [
  { column: createdAt, type: 'time' },
  { column: id, type: 'text' },
]

export interface ListQuery {
  columns: Sql
  /** Tables of the rows. */
  from: Sql
  where: Sql
  order: readonly SortKey[]
  /** Tables of the count, if fewer suffice for `where`. Default: `from`. */
  countFrom?: Sql
}

/** The part of a list that a page has: after the position of the last row before it, or else after `offset` rows. */
export interface PageWindow {
  limit: number
  offset: number
  after?: Position | undefined
}

export interface ListPage<Row> {
  rows: Row[]
  total: number
  /** Position of the last row; null if the list ends with it. */
  next: Position | null
}

/** Reads a page, and counts the whole list. @throws ApiError 400 if the position is one of another list */
export async function readListPage<Row extends object>(
  db: Db,
  query: ListQuery,
  window: PageWindow,
): Promise<ListPage<Row>> {
  const { countFrom = query.from } = query
  const page = await readRows<Row>(db, query, window)
  const count = await db.one<{ total: number }>(
    sql`select count(*)::int as total from ${countFrom} where ${query.where}`,
  )
  return { ...page, total: count?.total ?? 0 }
}

/** Reads a page without counting the list. @throws ApiError 400 if the position is one of another list */
export async function readRows<Row extends object>(
  db: Db,
  { columns, from, where, order }: Omit<ListQuery, 'countFrom'>,
  window: PageWindow,
): Promise<Omit<ListPage<Row>, 'total'>> {
  const rows = await db.rows<Row & { page_position: Position }>(sql`
    select ${columns}, ${positionOf(order)} as page_position from ${from} where ${where}
      and ${isAfter(order, window.after)}
    order by ${orderOf(order)} ${windowOf(window)}`)
  return cutPage(rows, window.limit)
}

/** Removes the row that shows that there is a next page, and the positions. */
export function cutPage<Row extends object>(
  rows: readonly (Row & { page_position: Position })[],
  limit: number,
): Omit<ListPage<Row>, 'total'> {
  return {
    rows: rows.slice(0, limit).map(({ page_position: _, ...row }) => row as unknown as Row),
    next: rows.length > limit ? rows[limit - 1]!.page_position : null,
  }
}

export const orderOf = (order: readonly SortKey[]): Sql =>
  join(order.map(({ column, descending }) => (descending ? sql`${column} desc` : column)))

/** Limits to a page and one row more, which shows that there is a next page. */
export const windowOf = ({ limit, offset, after }: PageWindow): Sql =>
  sql`limit ${limit + 1} offset ${after ? 0 : offset}`

/** The position of a row: the values of its sort keys as a JSON list of texts. Times are in microseconds. */
export const positionOf = (order: readonly SortKey[]): Sql =>
  sql`json_build_array(${join(
    order.map(({ column, type }) =>
      type === 'time' ? sql`(extract(epoch from ${column}) * 1000000)::bigint::text` : sql`${column}::text`,
    ),
  )})`

/** Selects the rows after a position; all of them without one. @throws ApiError 400 */
export function isAfter(order: readonly SortKey[], position: Position | undefined): Sql {
  if (!position) return sql`true`
  if (position.length !== order.length) throw otherList()
  return order.reduceRight<Sql>(
    (rest, { column, type, descending }, at) => {
      const value = valueOf(position[at]!, type)
      const isLater = descending ? sql`${column} < ${value}` : sql`${column} > ${value}`
      if (at === order.length - 1) return isLater
      // PostgreSQL uses an index for the first part; it does not for the second alone.
      const isNotEarlier = descending ? sql`${column} <= ${value}` : sql`${column} >= ${value}`
      return sql`(${isNotEarlier} and (${isLater} or ${rest}))`
    },
    sql`false`,
  )
}

function valueOf(text: string, type: SortKey['type']): Sql {
  if (type === 'text') return sql`${text}`
  if (!/^-?\d{1,16}$/.test(text)) throw otherList()
  return type === 'time'
    ? sql`(timestamptz 'epoch' + ${text}::bigint * interval '1 microsecond')`
    : sql`${text}::bigint`
}

const otherList = () => badRequest('Error in query.cursor: is not a cursor of this list')

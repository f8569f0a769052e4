import { instantOf, microsecondsOf } from '../../platform/db/instants.ts'
import { type Db, type Sql, sql } from '../../platform/db/sql.ts'
import { currentTurn } from '../../platform/http/turns/request-turns.ts'
import { nextPortion } from '../../platform/http/turns/run-in-slices.ts'
import type { LogQuery } from './log-query.ts'
import { ReadQueue } from './read-queue.ts'
import { completeRows, LOG_COLUMNS, type LogReaderDeps, type LogRow, type StoredLogRow } from './store.ts'

/** A page of executions, newest first. `next`: where the next page starts, in microseconds since the epoch. */
export interface LogPage<T> {
  rows: T[]
  next: number | null
}

export interface SearchLimits {
  /** Rows that the first statement reads; each further one reads more, up to `rowsMax`. */
  rowsFirst: number
  rowsMax: number
  /** After this time the search returns what it has found. */
  searchMs: number
}

/** A statement over 50,000 rows takes about 0.1 s, so that a search ends within a second. */
const LIMITS: SearchLimits = { rowsFirst: 2_000, rowsMax: 50_000, searchMs: 600 }
const GROWTH = 5

/** How a search presents a row. The row is garbage afterwards. */
type Present<T> = (row: LogRow) => T

/** Rows of a statement while other projects are active: a turn of the event loop reads all rows that have arrived. */
const SHARED_ROWS_MAX = 200
/** Whether a page can have so many rows that it is made in portions. */
export const isLongPage = ({ limit }: Pick<LogQuery, 'limit'>): boolean => limit >= SHARED_ROWS_MAX
/**
 * While other projects are active, a project makes one long list at a time: the objects of all lists that are being
 * made are in memory, and the collector of young objects, which stops the process, copies them.
 */
const longLists = new ReadQueue()

/**
 * Searches executions in portions, from the newest on, until a page is full or the time is over. Without filters, one
 * portion has the page. A page of a search
 * that ran out of time can have few rows, or none; its cursor continues behind what was read. Rows that started in the
 * same microsecond stay on one page, so a page may be a little longer than requested.
 */
export async function searchLogs<T>(
  deps: LogReaderDeps,
  projectId: string,
  query: LogQuery,
  present: Present<T>,
  limits: SearchLimits = LIMITS,
): Promise<LogPage<T>> {
  const search = () => findRows({ ...deps, projectId, present }, query, limits)
  const isLong = isLongPage(query) && currentTurn()?.isShared()
  const { rows, next } = await (isLong ? longLists.run(projectId, search) : search())
  return { rows: rows.map(({ presented }) => presented), next }
}

interface FoundRow<T> {
  readonly started_at_us: number
  readonly presented: T
}
interface SearchDeps<T> extends LogReaderDeps {
  readonly projectId: string
  readonly present: Present<T>
}

async function findRows<T>(
  deps: SearchDeps<T>,
  query: LogQuery,
  { rowsFirst, rowsMax, searchMs }: SearchLimits,
): Promise<{ rows: FoundRow<T>[]; next: number | null }> {
  const { db, projectId } = deps
  const deadline = performance.now() + searchMs
  const found: FoundRow<T>[] = []
  let { before } = query
  for (let count = rowsFirst; ; count = Math.min(count * GROWTH, rowsMax)) {
    const from = query.isFiltered ? await portionStart(db, projectId, query.scan, before, count) : undefined
    const rowsMissing = query.limit + 1 - found.length
    found.push(...(await readRows(deps, query.where, { from, before, rowsMissing })))
    const last = found[query.limit - 1]
    if (found.length > query.limit && last) {
      found.length = found.findLastIndex(({ started_at_us: start }) => start >= last.started_at_us) + 1
      return { rows: found, next: last.started_at_us }
    }
    if (from === undefined) return { rows: found, next: null }
    if (performance.now() >= deadline) return { rows: found, next: from }
    before = from
  }
}

const startedBefore = (before: number | undefined): Sql =>
  before === undefined ? sql`true` : sql`e.created_at < ${instantOf(before)}`

/** Returns the start of the row with which a portion of `count` rows ends; undefined if there are fewer rows. */
async function portionStart(
  db: Db,
  projectId: string,
  scan: Sql,
  before: number | undefined,
  count: number,
): Promise<number | undefined> {
  const row = await db.one<{ started_at_us: number }>(sql`
    select ${microsecondsOf(sql`e.created_at`)} as started_at_us from tool_executions e
    where e.project_id = ${projectId} and ${scan} and ${startedBefore(before)}
    order by e.created_at desc offset ${count} limit 1`)
  return row?.started_at_us
}

interface RowRange {
  readonly from: number | undefined
  readonly before: number | undefined
  readonly rowsMissing: number
}

/** Reads rows, newest first. Many rows are read in several statements while other projects are active. */
async function readRows<T>(deps: SearchDeps<T>, where: Sql, range: RowRange): Promise<FoundRow<T>[]> {
  const { from, rowsMissing } = range
  const turn = currentTurn()
  const found: FoundRow<T>[] = []
  for (let { before } = range; ; before = found.at(-1)!.started_at_us) {
    const isLong = rowsMissing > SHARED_ROWS_MAX && turn?.isShared()
    const count = Math.min(rowsMissing - found.length, isLong ? SHARED_ROWS_MAX : Infinity)
    const isEnd = (await addPortion(deps, where, { from, before, rowsMissing: count }, found)) < count
    if (isEnd || found.length >= rowsMissing) return found
    await nextPortion(turn)
  }
}

/** Adds the rows of one statement. Returns their number. */
async function addPortion<T>(
  deps: SearchDeps<T>,
  where: Sql,
  { from, before, rowsMissing }: RowRange,
  found: FoundRow<T>[],
): Promise<number> {
  const { db, projectId, present } = deps
  const rows = await db.rows<StoredLogRow>(sql`
    select ${LOG_COLUMNS} from tool_executions e
    where e.project_id = ${projectId} and ${where} and ${startedBefore(before)}
      and ${from === undefined ? sql`true` : sql`e.created_at >= ${instantOf(from)}`}
    order by e.created_at desc fetch first ${rowsMissing} rows with ties`)
  const presented = await completeRows(deps, projectId, rows, (row) => ({
    started_at_us: row.started_at_us,
    presented: present(row),
  }))
  found.push(...presented)
  return presented.length
}

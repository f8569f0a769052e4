import { instantOf, microsecondsOf } from '../../platform/db/instants.ts'
import { type Db, type Sql, sql } from '../../platform/db/sql.ts'
import type { LogQuery } from './log-query.ts'
import { completeRows, LOG_COLUMNS, type LogReaderDeps, type LogRow, type StoredLogRow } from './store.ts'

/** The place of an execution in the order of reading. */
export interface LogKey {
  /** Its start, in microseconds since the epoch. */
  startedAt: number
  id: string
}

/** An execution that may have changed. Times are in microseconds since the epoch. */
export interface ChangedLog {
  id: string
  started_at_us: number
  /** The start of a call that is running. */
  ended_at_us: number
  successful: boolean | null
}

export interface ChangeQuery {
  where: LogQuery['where']
  /** Only executions that started or ended after this time, in microseconds since the epoch. */
  changedAfter: number
  /** Whether those are included that started before `changedAfter` and ended after it. */
  includesEnded: boolean
  /** Where a page continues. */
  after: LogKey | undefined
  limit: number
}

/** A call ends within this time: its deadline is at most five minutes. */
export const CALL_US_MAX = 600_000_000

const ENDED_AT = sql`(e.created_at + coalesce(e.duration_ms, 0) * interval '1 millisecond')`
const COLUMNS = sql`
  e.id, ${microsecondsOf(sql`e.created_at`)} as started_at_us, ${microsecondsOf(ENDED_AT)} as ended_at_us, e.successful`

/** Returns executions that changed, in the order of their start. */
export function changedLogs(
  db: Db,
  projectId: string,
  { where, changedAfter, includesEnded, after, limit }: ChangeQuery,
): Promise<ChangedLog[]> {
  const since = instantOf(changedAfter)
  const changed = includesEnded
    ? sql`e.created_at > ${instantOf(Math.max(changedAfter - CALL_US_MAX, 0))}
        and (e.created_at > ${since} or ${ENDED_AT} > ${since})`
    : sql`e.created_at > ${since}`
  return db.rows(sql`
    select ${COLUMNS} from tool_executions e
    where e.project_id = ${projectId} and ${where} and ${changed} and ${isAfter(after)}
    order by e.created_at, e.id limit ${limit}`)
}

function isAfter(key: LogKey | undefined): Sql {
  if (key === undefined) return sql`true`
  const startedAt = instantOf(key.startedAt)
  // The first condition leaves out the partitions before the key.
  return sql`e.created_at >= ${startedAt} and (e.created_at, e.id) > (${startedAt}, ${key.id})`
}

/** Returns the executions of a list that have ended. All of them started after `startedAfter`. */
export const endedLogs = (
  db: Db,
  projectId: string,
  ids: readonly string[],
  startedAfter: number,
): Promise<ChangedLog[]> =>
  db.rows(sql`
    select ${COLUMNS} from tool_executions e
    where e.project_id = ${projectId} and e.id = any(${ids as string[]}::text[]) and e.successful is not null
      and e.created_at >= ${instantOf(startedAfter)}
    order by e.created_at, e.id`)

/** Returns the complete rows of executions, in their order. Erased ones are left out. */
export async function logRows(
  deps: LogReaderDeps,
  projectId: string,
  logs: readonly ChangedLog[],
): Promise<LogRow[]> {
  const starts = logs.map(({ started_at_us: start }) => start)
  const rows = await deps.db.rows<StoredLogRow>(sql`
    select ${LOG_COLUMNS} from tool_executions e
    where e.project_id = ${projectId} and e.id = any(${logs.map(({ id }) => id)}::text[])
      and e.created_at >= ${instantOf(Math.min(...starts))} and e.created_at <= ${instantOf(Math.max(...starts))}
    order by e.created_at, e.id`)
  return completeRows(deps, projectId, rows, (row) => row)
}

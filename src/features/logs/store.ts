import type { Encryptor } from '../../platform/crypto/index.ts'
import { instantOf, microsecondsOf } from '../../platform/db/instants.ts'
import {
  changePartitions,
  dropPartitions,
  listPeriods,
  lockPeriod,
} from '../../platform/db/partitions/index.ts'
import { type Db, type Pool, sql } from '../../platform/db/sql.ts'
import { readError, type StoredError } from './encrypted-columns.ts'
import { mapInSlices } from '../../platform/http/turns/map-in-slices.ts'
import { DAY_MS, hourOf, LOCK_PROGRESS, markStale } from './rollups/hours.ts'
import { forgetUsage } from './rollups/roll-up-days.ts'

export interface LogRow {
  id: string
  tool_slug: string
  toolkit_slug: string
  version: string
  effect: string | null
  dry_run: boolean
  user_id: string | null
  connected_account_id: string | null
  auth_config_id: string | null
  session_id: string | null
  sandbox_id: string | null
  request_id: string
  source: Record<string, string> | null
  timings: Record<string, number> | null
  requests: number | null
  request_bytes: number | null
  response_bytes: number | null
  /** Null while the end of the call is unknown. */
  successful: boolean | null
  status_code: number | null
  error: string | null
  duration_ms: number | null
  parent_id: string | null
  /** Null until the row is complete. */
  parent_tool: string | null
  /** The start of the call, in microseconds since the epoch. */
  started_at_us: number
}

export const LOG_COLUMNS = sql`
  e.id, e.tool_slug, e.toolkit_slug, e.version, e.effect, e.dry_run, e.user_id, e.connected_account_id,
  e.auth_config_id, e.session_id, e.sandbox_id, e.request_id, e.source, e.timings, e.requests, e.request_bytes,
  e.response_bytes, e.successful, e.status_code, e.error, e.encrypted_error, e.duration_ms, e.parent_id,
  null as parent_tool, ${microsecondsOf(sql`e.created_at`)} as started_at_us`

/** A row as it is stored. */
export type StoredLogRow = LogRow & StoredError

export interface LogReaderDeps {
  db: Db
  encryptor: Pick<Encryptor, 'decrypt'>
}

/** A call starts within a day after its parent. The hour is for servers whose clocks differ. */
const PARENT_US_BEFORE = 86_400_000_000
const PARENT_US_AFTER = 3_600_000_000

/**
 * Decrypts rows, and adds the tools of their parents. Most rows have none, so that a join would only cost time. The
 * rows are changed, in fields that they have: a copy of each would be most of the garbage of a long list.
 * @returns what `present` returns for each row
 */
export async function completeRows<T extends StoredLogRow, R>(
  { db, encryptor }: LogReaderDeps,
  projectId: string,
  rows: readonly T[],
  present: (row: T) => R,
): Promise<R[]> {
  const children = rows.filter((row) => row.parent_id !== null)
  const starts = children.map(({ started_at_us: start }) => start)
  const parents =
    children.length === 0
      ? []
      : await db.rows<{ id: string; tool_slug: string }>(sql`
          select id, tool_slug from tool_executions
          where project_id = ${projectId} and id = any(${[...new Set(children.map((row) => row.parent_id))]}::text[])
            and created_at >= ${instantOf(Math.min(...starts) - PARENT_US_BEFORE)}
            and created_at <= ${instantOf(Math.max(...starts) + PARENT_US_AFTER)}`)
  const tools = new Map(parents.map(({ id, tool_slug: slug }) => [id, slug]))
  return mapInSlices(rows, (row) => {
    const parentTool = tools.get(row.parent_id ?? '') ?? null
    row.error = readError(encryptor, row)
    row.parent_tool = parentTool
    if (parentTool === null) row.parent_id = null
    return present(row)
  })
}

export async function findLog(
  deps: LogReaderDeps,
  projectId: string,
  id: string,
): Promise<(LogRow & { payload: Buffer | null }) | undefined> {
  const row = await deps.db.one<StoredLogRow & { payload: Buffer | null }>(sql`
    select ${LOG_COLUMNS}, e.payload from tool_executions e where e.project_id = ${projectId} and e.id = ${id}`)
  return row && (await completeRows(deps, projectId, [row], (complete) => complete))[0]
}

/**
 * Drops the partitions whose executions all started more than `days` ago, together with those of their usage. Returns
 * the names of the partitions.
 */
export async function removeOldLogs(db: Pool, days: number): Promise<string[]> {
  const dropped: string[] = []
  for (const period of await listPeriods(db, 'executions')) {
    if (period.to > Date.now() - days * DAY_MS) break
    const isDropped = await changePartitions(db, async (tx) => {
      await tx.run(LOCK_PROGRESS)
      await lockPeriod(tx, 'executions', period)
      await forgetUsage(tx, new Date(period.to))
      await dropPartitions(tx, period)
      return true
    })
    // Otherwise the next run drops it.
    if (!isDropped) break
    dropped.push(...period.partitions)
  }
  return dropped
}

const ROWS_PER_STATEMENT = 5_000

/** Removes a batch of the executions of a user. Their hours are counted again. Returns their number. */
export const removeUserLogs = (db: Db, projectId: string, userId: string): Promise<number> =>
  db.run(sql`
    with chosen as materialized (
      select id, created_at from tool_executions where project_id = ${projectId} and user_id = ${userId}
      limit ${ROWS_PER_STATEMENT}
    ), removed as (
      delete from tool_executions e using chosen c where e.id = c.id and e.created_at = c.created_at
      returning e.project_id, e.created_at
    ), stale as (
      ${markStale(sql`select project_id, ${hourOf(sql`created_at`)} as hour from removed`)}
    )
    select 1 from removed`)

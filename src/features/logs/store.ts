import { type Db, type Pool, sql } from '../../platform/db/sql.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { type StoredError, withError } from './encrypted-columns.ts'
import type { LogQuery } from './log-query.ts'
import { hourOf, markStale } from './rollups/hours.ts'
import { removeOldUsage } from './rollups/roll-up-days.ts'

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
  created_at: Date
  parent_id: string | null
  parent_tool: string | null
  /** The start of the call, in microseconds since the epoch. */
  started_at_us: number
}

export const LOG_COLUMNS = sql`
  e.id, e.tool_slug, e.toolkit_slug, e.version, e.effect, e.dry_run, e.user_id, e.connected_account_id,
  e.auth_config_id, e.session_id, e.sandbox_id, e.request_id, e.source, e.timings, e.requests, e.request_bytes,
  e.response_bytes, e.successful, e.status_code, e.error, e.encrypted_error, e.duration_ms, e.created_at, p.id as parent_id,
  p.tool_slug as parent_tool, (extract(epoch from e.created_at) * 1000000)::bigint as started_at_us`
export const LOG_TABLES = sql`
  tool_executions e left join tool_executions p on p.id = e.parent_id and p.project_id = e.project_id`

const CHANGED_MAX = 200

export interface LogReaderDeps {
  db: Db
  encryptor: Pick<Encryptor, 'decrypt'>
}

/** Returns the newest executions that started after a time (microseconds), and those of `running`, oldest first. */
export const changedLogs = async (
  { db, encryptor }: LogReaderDeps,
  projectId: string,
  { where, after, running }: { where: LogQuery['where']; after: number; running: readonly string[] },
): Promise<LogRow[]> =>
  (
    await db.rows<LogRow & StoredError>(sql`
    select ${LOG_COLUMNS} from ${LOG_TABLES}
    where e.project_id = ${projectId} and ${where} and (
      e.created_at > timestamptz 'epoch' + ${after}::bigint * interval '1 microsecond'
      or e.id = any(${running}::text[]))
    order by e.created_at desc limit ${CHANGED_MAX}`)
  )
    .map((row) => withError(encryptor, row))
    .reverse()

export async function findLog(
  { db, encryptor }: LogReaderDeps,
  projectId: string,
  id: string,
): Promise<(LogRow & { payload: Buffer | null }) | undefined> {
  const row = await db.one<LogRow & StoredError & { payload: Buffer | null }>(sql`
    select ${LOG_COLUMNS}, e.payload from ${LOG_TABLES} where e.project_id = ${projectId} and e.id = ${id}`)
  return row && withError(encryptor, row)
}

const ROWS_PER_STATEMENT = 5_000
/** A run ends after this many statements. The next run continues. */
const STATEMENTS_MAX = 200

/**
 * Removes executions that started more than `days` ago, in batches that hold no lock for long, with the usage of their
 * hours. Hours are removed as a whole. Returns the count of executions.
 */
export async function removeOldLogs(db: Pool, days: number): Promise<number> {
  const { before } = (await db.one<{ before: Date }>(
    sql`select ${hourOf(sql`now() - make_interval(days => ${days})`)} as before`,
  )) as { before: Date }
  await removeOldUsage(db, before)
  let removed = 0
  for (let statement = 0; statement < STATEMENTS_MAX; statement++) {
    // By project, because the index for the newest rows starts with the project. An index by time alone would
    // make every call more expensive. By ctid, because a look-up of each id takes as long again.
    const rows = await db.run(sql`
      delete from tool_executions where ctid = any(array(
        select e.ctid from projects p cross join lateral (
          select ctid from tool_executions
          where project_id = p.id and created_at < ${before}
          limit ${ROWS_PER_STATEMENT}) e
        limit ${ROWS_PER_STATEMENT}))`)
    removed += rows
    if (rows < ROWS_PER_STATEMENT) break
  }
  return removed
}

/** Removes a batch of the executions of a user. Their hours are counted again. Returns their number. */
export const removeUserLogs = (db: Db, projectId: string, userId: string): Promise<number> =>
  db.run(sql`
    with removed as (
      delete from tool_executions where id in (
        select id from tool_executions where project_id = ${projectId} and user_id = ${userId}
        limit ${ROWS_PER_STATEMENT})
      returning project_id, created_at
    ), stale as (
      ${markStale(sql`select project_id, ${hourOf(sql`created_at`)} as hour from removed`)}
    )
    select 1 from removed`)

import type { Db, Pool, Sql } from '../../../platform/db/sql.ts'
import { sql } from '../../../platform/db/sql.ts'
import { STATUS } from '../status-column.ts'
import { DIMENSIONS } from './counted.ts'
import { refreshDay } from './roll-up-days.ts'
import {
  HOUR_MS,
  hourOf,
  instant,
  LATE_AFTER_MINUTES,
  LOCK_PROGRESS,
  ROLL_UP_AFTER_MINUTES,
} from './hours.ts'

/** A statement over so many rows takes about a second. An hour with more is computed in several portions. */
const ROWS_PER_STATEMENT = 300_000
const PORTIONS_MAX = 3_600

interface Portion {
  /** The hour that the rows count for, in milliseconds since the epoch. */
  hour: number
  from: number
  to: number
}

/**
 * Computes the usage of the next hour that has ended, of all projects, in one transaction. Returns whether there may be
 * another one. Waits, by returning false, for statements that write executions and started before late executions of
 * that hour are marked: with them, every execution is either counted here or marks the hour as stale.
 */
export const rollUpNextHour = (db: Pool, lateAfterMinutes = LATE_AFTER_MINUTES): Promise<boolean> =>
  db.begin(async (tx) => {
    const next = await lockNextHour(tx)
    if (!next?.has_ended || (await isStillWritten(tx, next.hour, lateAfterMinutes))) return false
    await insertHour(
      tx,
      next.hour,
      (conditions) => sql`projects p cross join lateral (
        select * from tool_executions e where e.project_id = p.id and ${conditions} offset 0) e`,
    )
    await tx.run(sql`update usage_progress set through = ${instant(next.hour + HOUR_MS)}`)
    return true
  })

/**
 * Returns the first hour that is not rolled up, in milliseconds since the epoch: at first, that of the oldest
 * execution.
 * Holds a lock, so that one process rolls up at a time.
 */
async function lockNextHour(tx: Db): Promise<{ hour: number; has_ended: boolean } | undefined> {
  await tx.run(sql`insert into usage_progress (through) values ('-infinity') on conflict do nothing`)
  return tx.one(sql`
    with progress as materialized (${LOCK_PROGRESS}),
    next as (
      select case when isfinite(through) then through else (
        select ${hourOf(sql`coalesce(min(e.created_at), now())`)} from projects p cross join lateral (
          select created_at from tool_executions where project_id = p.id order by created_at limit 1) e) end as hour
      from progress)
    select (extract(epoch from hour) * 1000)::bigint as hour,
      hour + interval '1 hour' + make_interval(mins => ${ROLL_UP_AFTER_MINUTES}::int) <= clock_timestamp() as has_ended
    from next`)
}

/** Transactions of other database users do not show when they started. They count as old. */
const isStillWritten = async (tx: Db, hour: number, lateAfterMinutes: number): Promise<boolean> =>
  (await tx.one(sql`
    select 1 from pg_locks l left join pg_stat_activity a on a.pid = l.pid
    where l.relation = 'tool_executions'::regclass and l.mode = 'RowExclusiveLock'
      and l.database = (select oid from pg_database where datname = current_database())
      and l.pid is distinct from pg_backend_pid()
      and coalesce(a.xact_start, '-infinity') <
        ${instant(hour + HOUR_MS)} + make_interval(mins => ${lateAfterMinutes}::int)
    limit 1`)) !== undefined

/**
 * Computes a stale hour of a project again, with its day, in one transaction. Returns whether there may be another one.
 */
export const refreshStaleHour = (db: Pool): Promise<boolean> =>
  db.begin(async (tx) => {
    // A roll-up of the day must not read its hours while one of them changes.
    await tx.run(LOCK_PROGRESS)
    // Waits for statements that are writing executions of this hour. The statements after it see these executions.
    const stale = await tx.one<{ project_id: string; hour: number }>(sql`
      delete from usage_stale_hours where (project_id, hour) = (
        select s.project_id, s.hour from usage_stale_hours s, usage_progress r where s.hour < r.through
        order by s.hour, s.project_id limit 1 for update of s)
      returning project_id, (extract(epoch from hour) * 1000)::bigint as hour`)
    if (!stale) return false
    const { project_id: projectId, hour } = stale
    await tx.run(sql`
      delete from usage_hours
      where project_id = ${projectId} and dimension = any(${[...DIMENSIONS]}::text[]) and hour = ${instant(hour)}`)
    await insertHour(
      tx,
      hour,
      (conditions) => sql`tool_executions e where e.project_id = ${projectId} and ${conditions}`,
    )
    await refreshDay(tx, projectId, hour)
    return true
  })

/** `source` returns the executions that match conditions on `e`, for the clause `from`. */
async function insertHour(tx: Db, hour: number, source: (conditions: Sql) => Sql): Promise<void> {
  const count = await tx.one<{ rows: number }>(
    sql`select count(*) as rows from ${source(startedIn({ hour, from: hour, to: hour + HOUR_MS }))}`,
  )
  const portions = Math.min(Math.ceil((count?.rows ?? 0) / ROWS_PER_STATEMENT), PORTIONS_MAX)
  const length = HOUR_MS / portions
  for (let n = 0; n < portions; n++)
    await insertPortion(tx, { hour, from: hour + n * length, to: hour + (n + 1) * length }, source)
}

const startedIn = ({ from, to }: Portion): Sql =>
  sql`e.created_at >= ${instant(from)} and e.created_at < ${instant(to)} and not e.dry_run`

const insertPortion = (tx: Db, portion: Portion, source: (conditions: Sql) => Sql): Promise<number> =>
  tx.run(sql`
    with called as materialized (
      select e.project_id, e.toolkit_slug, e.tool_slug, e.auth_config_id, e.connected_account_id, e.user_id,
        e.session_id, case when e.session_id is not null then e.user_id end as session_user_id, ${STATUS} as status,
        e.duration_ms
      from ${source(startedIn(portion))}
    ), counted as (
      select project_id,
        case grouping(toolkit_slug, tool_slug, auth_config_id, connected_account_id, user_id, session_id, status)
          when 63 then 'toolkit_slug' when 95 then 'tool_slug' when 111 then 'auth_config_id'
          when 119 then 'connected_account_id' when 123 then 'user_id' when 125 then 'session_id'
          when 126 then 'status' else 'total' end as dimension,
        toolkit_slug, tool_slug, auth_config_id, connected_account_id, user_id, session_id, status, session_user_id,
        count(*)::int as calls, (count(*) filter (where status = 'failed'))::int as failed
      from called group by grouping sets ((project_id), (project_id, toolkit_slug), (project_id, tool_slug),
        (project_id, auth_config_id), (project_id, connected_account_id), (project_id, user_id),
        (project_id, session_id, session_user_id), (project_id, status))
    ), durations as (
      select project_id, array_agg(duration_ms order by duration_ms) as durations,
        array_agg(calls order by duration_ms) as duration_calls
      from (
        select project_id, duration_ms, count(*)::int as calls from called where duration_ms is not null
        group by 1, 2) d
      group by 1
    )
    insert into usage_hours
      (project_id, hour, dimension, key, user_id, calls, failed, durations, duration_calls)
    select c.project_id, ${instant(portion.hour)}, c.dimension,
      coalesce(toolkit_slug, tool_slug, auth_config_id, connected_account_id, user_id, session_id, status),
      session_user_id, calls, failed, d.durations, d.duration_calls
    from counted c left join durations d on d.project_id = c.project_id and c.dimension = 'total'`)

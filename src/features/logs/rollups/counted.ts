import { all, type Sql, sql } from '../../../platform/db/sql.ts'
import { STATUS } from '../status-column.ts'
import { HOUR_MS, instant } from './hours.ts'

/** The fields by which usage_hours counts; `total` counts all executions of an hour in one row. */
export const DIMENSIONS = [
  'total',
  'toolkit_slug',
  'tool_slug',
  'auth_config_id',
  'connected_account_id',
  'user_id',
  'session_id',
  'status',
] as const

export type Dimension = (typeof DIMENSIONS)[number]

/** Whose executions are counted, in a period in milliseconds since the epoch. `to` is exclusive. */
export interface CountedPeriod {
  /** Returns the condition that a column with the id of a project fulfils. */
  ofProject: (column: Sql) => Sql
  from: number
  to: number
}

const KEYS: Readonly<Record<Dimension, Sql>> = {
  total: sql`null::text`,
  toolkit_slug: sql`e.toolkit_slug`,
  tool_slug: sql`e.tool_slug`,
  auth_config_id: sql`e.auth_config_id`,
  connected_account_id: sql`e.connected_account_id`,
  user_id: sql`e.user_id`,
  session_id: sql`e.session_id`,
  status: STATUS,
}

/**
 * Returns a query of the executions of a period without dry runs: rows with the columns at, project_id, key, user_id,
 * calls and failed. Whole hours come from usage_hours. The rest is counted from tool_executions in the same statement:
 * the begin and the end of the period, stale hours and those that are not rolled up yet. The sums are therefore exact
 * at any time. user_id is that of a session.
 */
export const countedCalls = (dimension: Dimension, period: CountedPeriod): Sql =>
  combined(period, {
    rollup: (where) => sql`
      select h.hour as at, h.project_id, h.key, h.user_id, h.calls, h.failed from usage_hours h
      where h.dimension = ${dimension} and ${where}`,
    logged: (tables, where) => sql`
      select e.created_at as at, e.project_id, ${KEYS[dimension]} as key, e.user_id, 1 as calls,
        (e.successful is false)::int as failed
      from ${tables} where ${where}`,
  })

/** Returns a query of the durations of a period: rows with the columns at, duration_ms and calls. */
export const countedDurations = (period: CountedPeriod): Sql =>
  combined(period, {
    rollup: (where) => sql`
      select h.hour as at, d.duration_ms, d.calls
      from usage_hours h cross join lateral unnest(h.durations, h.duration_calls) d (duration_ms, calls)
      where h.dimension = 'total' and ${where}`,
    logged: (tables, where) => sql`
      select e.created_at as at, e.duration_ms, 1 as calls
      from ${tables} where e.duration_ms is not null and ${where}`,
  })

interface Sources {
  /** Rows of usage_hours as `h`. */
  rollup(where: Sql): Sql
  /** Rows of tool_executions as `e`. */
  logged(tables: Sql, where: Sql): Sql
}

function combined({ ofProject, from, to }: CountedPeriod, { rollup, logged }: Sources): Sql {
  const startedBetween = (begin: Sql, end: Sql) =>
    logged(
      sql`tool_executions e`,
      all(
        ofProject(sql`e.project_id`),
        sql`not e.dry_run and e.created_at >= ${begin} and e.created_at < ${end}`,
      ),
    )
  const firstHour = Math.ceil(from / HOUR_MS) * HOUR_MS
  const lastEnd = Math.floor(to / HOUR_MS) * HOUR_MS
  if (firstHour >= lastEnd) return startedBetween(instant(from), instant(to))
  // No usage_hours exist after it. Subqueries, so that PostgreSQL reads the progress once.
  const progress = sql`coalesce((select through from usage_progress), '-infinity')`
  const end = sql`(select greatest(least(${instant(lastEnd)}, ${progress}), ${instant(firstHour)}))`
  const isWhole = (hour: Sql) => sql`${hour} >= ${instant(firstHour)} and ${hour} < ${end}`
  return sql`
    ${rollup(
      all(
        ofProject(sql`h.project_id`),
        isWhole(sql`h.hour`),
        sql`not exists (
          select from usage_stale_hours s where s.project_id = h.project_id and s.hour = h.hour)`,
      ),
    )}
    union all ${startedBetween(instant(from), instant(firstHour))}
    union all ${startedBetween(end, instant(to))}
    union all ${logged(
      // "offset 0" makes PostgreSQL read the executions of each stale hour by the index of their time.
      sql`usage_stale_hours s cross join lateral (
        select * from tool_executions e
        where e.project_id = s.project_id and not e.dry_run and e.created_at >= s.hour
          and e.created_at < s.hour + interval '1 hour' offset 0) e`,
      all(ofProject(sql`s.project_id`), isWhole(sql`s.hour`)),
    )}`
}

/** Returns the value below which a share of the durations is, as percentile_cont computes it. For `percentiles`. */
export const percentile = (share: number): Sql => {
  const place = sql`${share}::double precision * (total - 1)`
  const low = sql`min(duration_ms) filter (where upto > floor(${place}))`
  const high = sql`min(duration_ms) filter (where upto > ceil(${place}))`
  const fraction = sql`min(${place} - floor(${place}))`
  return sql`(${low})::double precision + (${fraction}) * ((${high}) - (${low}))`
}

/**
 * Returns a query of durations by group, for `percentile`: each duration with the number of calls up to it and in
 * total. `group`: an expression on `d.at`.
 */
export const durationsByGroup = (group: Sql, period: CountedPeriod): Sql => sql`
  select step, duration_ms, sum(calls) over (partition by step order by duration_ms) as upto,
    sum(calls) over (partition by step) as total
  from (
    select ${group} as step, duration_ms, sum(d.calls)::bigint as calls
    from (${countedDurations(period)}) d group by 1, 2) grouped`

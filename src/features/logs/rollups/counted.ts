import { all, raw, type Sql, sql } from '../../../platform/db/sql.ts'
import { STATUS } from '../status-column.ts'
import { DAY_MS, dayOf, HOUR_MS, instant } from './hours.ts'

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
  /**
   * Calls are counted by steps of so many milliseconds, which begin at multiples of it since the epoch. Rows of whole
   * days are used only if no step is shorter. Absent: the period is one step.
   */
  stepMs?: number
  /** Only calls with these keys are counted. Absent: all. */
  keys?: readonly string[]
}

/** The column of each dimension in a query of executions as `e`. */
export const DIMENSION_COLUMNS: Readonly<Record<Dimension, Sql>> = {
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
 * calls and failed. Whole days and hours come from usage_days and usage_hours. The rest is counted from tool_executions
 * in the same statement: the start and the end of the period, stale hours and those that are not rolled up yet. The
 * sums are therefore exact at any time. user_id is that of a session.
 */
export const countedCalls = (dimension: Dimension, period: CountedPeriod): Sql =>
  combined(period, dimension, {
    rollup: (source) => sql`
      select h.at, h.project_id, h.key, h.user_id, h.calls, h.failed from ${source}`,
    logged: (tables, where) => sql`
      select e.created_at as at, e.project_id, ${DIMENSION_COLUMNS[dimension]} as key, e.user_id, 1 as calls,
        (e.successful is false)::int as failed
      from ${tables} where ${where}`,
  })

/** Returns a query of the durations of a period: rows with the columns at, duration_ms and calls. */
export const countedDurations = (period: CountedPeriod): Sql =>
  combined(period, 'total', {
    rollup: (source) => sql`
      select h.at, d.duration_ms, d.calls
      from ${source} cross join lateral unnest(h.durations, h.duration_calls) d (duration_ms, calls)`,
    logged: (tables, where) => sql`
      select e.created_at as at, e.duration_ms, 1 as calls
      from ${tables} where e.duration_ms is not null and ${where}`,
  })

interface Sources {
  /** Selects from rows of usage_hours or usage_days as `h`, whose time is `h.at`. */
  rollup(source: Sql): Sql
  /** Rows of tool_executions as `e`. */
  logged(tables: Sql, where: Sql): Sql
}

function combined(period: CountedPeriod, dimension: Dimension, { rollup, logged }: Sources): Sql {
  const { ofProject, from, to, keys } = period
  const hasKey = keys && sql`${DIMENSION_COLUMNS[dimension]} = any(${keys as string[]}::text[])`
  const startedBetween = (begin: Sql, end: Sql) =>
    logged(
      sql`tool_executions e`,
      all(
        ofProject(sql`e.project_id`),
        sql`not e.dry_run and e.created_at >= ${begin} and e.created_at < ${end}`,
        hasKey,
      ),
    )
  const firstHour = Math.ceil(from / HOUR_MS) * HOUR_MS
  const lastEnd = Math.floor(to / HOUR_MS) * HOUR_MS
  if (firstHour >= lastEnd) return startedBetween(instant(from), instant(to))
  // No usage_hours exist after it. Subqueries, so that PostgreSQL reads the progress once.
  const end = sql`(select greatest(least(${instant(lastEnd)}, ${progress('through')}), ${instant(firstHour)}))`
  // PostgreSQL does not know that few executions start after `end`. It expects 0.5 % of all if there is another bound
  // that it does not know, and otherwise all since `from`: for a day it then reads the whole table of a week.
  const isBeforeEnd = sql`e.created_at < (select ${instant(to)})`
  const begun = startedBetween(
    sql`${instant(firstHour)} and e.created_at >= ${end}`,
    sql`${instant(to)} and ${isBeforeEnd}`,
  )
  const isWhole = (hour: Sql) => sql`${hour} >= ${instant(firstHour)} and ${hour} < ${end}`
  return sql`
    ${rolledUp(period, dimension, { firstHour, end, rollup })}
    union all ${startedBetween(instant(from), instant(firstHour))}
    union all ${begun}
    union all ${logged(
      // "offset 0" makes PostgreSQL read the executions of each stale hour by the index of their time.
      sql`usage_stale_hours s cross join lateral (
        select * from tool_executions e
        where e.project_id = s.project_id and not e.dry_run and e.created_at >= s.hour
          and e.created_at < s.hour + interval '1 hour' offset 0) e`,
      all(ofProject(sql`s.project_id`), isWhole(sql`s.hour`), hasKey),
    )}`
}

const progress = (column: string): Sql =>
  sql`coalesce((select ${raw(column)} from usage_progress), '-infinity')`

interface WholeHours extends Pick<Sources, 'rollup'> {
  firstHour: number
  /** The end of the whole hours that are rolled up. */
  end: Sql
}

/** Rows of whole hours without the stale ones: by day where usage_days has a whole day without a stale hour. */
function rolledUp(period: CountedPeriod, dimension: Dimension, { firstHour, end, rollup }: WholeHours): Sql {
  const { ofProject, to, stepMs = DAY_MS, keys } = period
  // The dimension is no parameter: PostgreSQL uses the index of users only where it knows that they are asked for.
  // Bounds that are known before the progress is read let PostgreSQL plan few partitions: planning all took most of the
  // time of a statement over a week.
  const where = all(
    sql`h.dimension = ${raw(`'${dimension}'`)}`,
    ofProject(sql`h.project_id`),
    keys && sql`h.key = any(${keys as string[]}::text[])`,
  )
  // Stale hours are rare: rows are compared with them only if there are any. PostgreSQL reads the subquery once.
  const noneIsStale = sql`not (select exists (select from usage_stale_hours s where ${ofProject(sql`s.project_id`)}))`
  const hours = (condition: Sql, table = sql`usage_hours h`) =>
    rollup(sql`(
      select h.hour as at, h.* from ${table}
      where ${where} and h.hour >= ${instant(firstHour)} and h.hour < ${instant(to)} and ${condition}
        and (${noneIsStale} or not exists (
        select from usage_stale_hours s where s.project_id = h.project_id and s.hour = h.hour))) h`)
  const firstDay = Math.ceil(firstHour / DAY_MS) * DAY_MS
  const lastDayEnd = Math.floor(to / DAY_MS) * DAY_MS
  if (firstDay >= lastDayEnd || stepMs % DAY_MS !== 0)
    return hours(sql`h.hour >= ${instant(firstHour)} and h.hour < ${end}`)
  const daysEnd = sql`(
    select greatest(least(${instant(lastDayEnd)}, ${progress('days_through')}), ${instant(firstDay)}))`
  const days = sql`(select least(greatest(${instant(firstDay)}, ${progress('days_from')}), ${daysEnd}))`
  const isInDays = (time: Sql) => sql`${time} >= ${days} and ${time} < ${daysEnd}`
  return sql`
    ${hours(sql`h.hour >= ${instant(firstHour)} and h.hour < (select least(${days}, ${end}))`)}
    union all ${hours(sql`h.hour >= ${daysEnd} and h.hour < ${end}`)}
    union all ${rollup(sql`(
      select h.day as at, h.* from usage_days h
      where ${where} and h.day >= ${instant(firstDay)} and h.day < ${instant(lastDayEnd)}
        and ${isInDays(sql`h.day`)} and (${noneIsStale} or not exists (
        select from usage_stale_hours s
        where s.project_id = h.project_id and s.hour >= h.day and s.hour < h.day + interval '1 day'))) h`)}
    union all ${hours(
      sql`true`,
      sql`(
        select distinct s.project_id, ${dayOf(sql`s.hour`)} as day from usage_stale_hours s
        where ${ofProject(sql`s.project_id`)} and ${isInDays(sql`s.hour`)}) stale
        cross join lateral (
          select * from usage_hours where project_id = stale.project_id and dimension = ${dimension}
            and hour >= ${instant(firstDay)} and hour < ${instant(lastDayEnd)}
            and hour >= stale.day and hour < stale.day + interval '1 day' offset 0) h`,
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

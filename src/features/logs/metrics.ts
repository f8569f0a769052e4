import { type Bucket, BUCKETS, METRIC_BUCKETS_MAX, type MetricsQuery } from '../../contract/logs/index.ts'
import { all, type Db, type Sql, sql } from '../../platform/db/sql.ts'
import { badRequest } from '../../platform/http/api-error.ts'
import { readLogQuery } from './log-query.ts'
import {
  type CountedPeriod,
  countedCalls,
  durationsByGroup,
  DIMENSION_COLUMNS,
  percentile,
} from './rollups/counted.ts'
import { DAY_MS, HOUR_MS, instant } from './rollups/hours.ts'

const SERIES_DEFAULT = 10
const QUANTILE_DEFAULT = 0.95

/** A period in steps of equal length. `from` is the start of a step, in milliseconds since the epoch. */
export interface Period {
  from: number
  to: number
  bucketMs: number
}

/** Executions of one step, or of a whole period. Durations are in milliseconds. */
export interface CallCount {
  total: number
  failed: number
  p50_ms: number | null
  p95_ms: number | null
}

/** Rows of a project in a period. Dry runs do not count. */
const inPeriod = (projectId: string, { from, to }: Pick<Period, 'from' | 'to'>): Sql =>
  sql`e.project_id = ${projectId} and not e.dry_run and e.created_at >= ${instant(from)}
    and e.created_at < ${instant(to)}`

/** The number of the step of a time, from 0. */
const stepOf = (time: Sql, { from, bucketMs }: Period): Sql =>
  sql`floor((extract(epoch from ${time}) * 1000 - ${from}::double precision) / ${bucketMs}::double precision)::int`

const countedPeriod = (
  projectId: string,
  { from, to, bucketMs }: Pick<Period, 'from' | 'to'> & Partial<Period>,
): CountedPeriod => ({
  ofProject: (column) => sql`${column} = ${projectId}`,
  from,
  to,
  // A period of one step needs no times within it.
  ...(bucketMs !== undefined && bucketMs < to - from && { stepMs: bucketMs }),
})

/**
 * Returns the period that ends at `to` and has at least `length` milliseconds. Steps begin at multiples of their length
 * since the epoch, so that a repeated query returns the same steps.
 */
export function periodUntil(to: number, length: number, bucket: Bucket): Period {
  const bucketMs = BUCKETS[bucket]
  return { from: Math.floor((to - length) / bucketMs) * bucketMs, to, bucketMs }
}

/** Returns the start of each step, in milliseconds since the epoch. */
export const stepsOf = ({ from, to, bucketMs }: Period): number[] =>
  Array.from({ length: Math.ceil((to - from) / bucketMs) }, (_, n) => from + n * bucketMs)

/** Counts the executions of a period, and their users. */
export async function countCalls(
  db: Db,
  projectId: string,
  { from, to }: Pick<Period, 'from' | 'to'>,
): Promise<CallCount & { users: number }> {
  const period = countedPeriod(projectId, { from, to })
  const [[counts], users] = await Promise.all([
    countCallsByStep(db, projectId, { from, to, bucketMs: to - from }),
    db.one<{ users: number }>(sql`
      select count(*)::int as users from (
        select distinct c.key from (${countedCalls('user_id', period)}) c where c.key is not null) u`),
  ])
  const { step: _step, ...count } = counts ?? { step: 0, total: 0, failed: 0, p50_ms: null, p95_ms: null }
  return { ...count, users: users?.users ?? 0 }
}

/**
 * Counts the executions of each step of a period that has some, oldest first. Steps consist of whole hours, unless
 * there is only one.
 */
export const countCallsByStep = (
  db: Db,
  projectId: string,
  period: Period,
): Promise<(CallCount & { step: number })[]> => {
  const counted = countedPeriod(projectId, period)
  return db.rows(sql`
    with calls as (
      select ${stepOf(sql`c.at`, period)} as step, sum(c.calls)::int as total, sum(c.failed)::int as failed
      from (${countedCalls('total', counted)}) c group by 1
    ), durations as (
      select step, ${percentile(0.5)} as p50_ms, ${percentile(0.95)} as p95_ms
      from (${durationsByGroup(stepOf(sql`d.at`, period), counted)}) d group by 1
    )
    select step, total, failed, p50_ms, p95_ms from calls left join durations using (step) order by 1`)
}

/** Returns the toolkits with most executions in a period. */
export const busiestToolkits = (
  db: Db,
  projectId: string,
  period: Pick<Period, 'from' | 'to'>,
  limit: number,
): Promise<{ slug: string; calls: number; failed: number }[]> =>
  db.rows(sql`
    select c.key as slug, sum(c.calls)::int as calls, sum(c.failed)::int as failed
    from (${countedCalls('toolkit_slug', countedPeriod(projectId, period))}) c
    group by 1 order by 2 desc, 1 limit ${limit}`)

interface StepValue {
  key: string | null
  step: number
  calls: number
  value: number | null
}

/** Computes a metric in steps. @throws ApiError 400 for a period with too many steps */
export async function queryMetrics(db: Db, projectId: string, query: MetricsQuery) {
  const period = readPeriod(query)
  const { metric, limit = SERIES_DEFAULT } = query
  const rows = await db.rows<StepValue>(seriesStatement(projectId, query, period, limit))
  const steps = stepsOf(period)
  const series = [...Map.groupBy(rows, ({ key }) => key)].map(([key, values]) => {
    const byStep = new Map(values.map(({ step, value }) => [step, value]))
    const missing = metric === 'latency' ? null : 0
    return {
      key,
      calls: values.reduce((sum, { calls }) => sum + calls, 0),
      points: steps.map((at, n) => ({ at: new Date(at).toISOString(), value: byStep.get(n) ?? missing })),
    }
  })
  return {
    metric,
    unit: metric === 'latency' ? ('ms' as const) : ('call' as const),
    from: new Date(period.from).toISOString(),
    to: new Date(period.to).toISOString(),
    bucket_ms: period.bucketMs,
    series: series.sort((a, b) => b.calls - a.calls),
  }
}

function readPeriod({ from, to = Date.now(), bucket = '1h', metric, quantile }: MetricsQuery): Period {
  if (quantile !== undefined && metric !== 'latency')
    throw badRequest(`Error in payload.quantile: applies to the metric latency, not to ${metric}`)
  const period = periodUntil(to, from === undefined ? DAY_MS : to - from, bucket)
  if (from !== undefined && from >= to) throw badRequest('Error in payload.from: must be before `to`')
  const count = Math.ceil((period.to - period.from) / period.bucketMs)
  if (count > METRIC_BUCKETS_MAX)
    throw badRequest(
      `Error in payload.bucket: the period has ${count} steps of ${bucket}, and the limit is ` +
        `${METRIC_BUCKETS_MAX}; send a longer bucket or a shorter period`,
    )
  return period
}

/** Returns a statement of the values by series and step: from rollups, if they have the steps and the columns. */
function seriesStatement(projectId: string, query: MetricsQuery, period: Period, limit: number): Sql {
  const { metric, quantile = QUANTILE_DEFAULT, group_by: groupBy, filters = [] } = query
  const counted = countedPeriod(projectId, period)
  if (filters.length > 0 || period.bucketMs % HOUR_MS !== 0 || (groupBy && metric === 'latency'))
    return seriesFromLog(projectId, query, period, limit)
  if (metric === 'latency')
    return sql`
      select null::text as key, step, calls, value
      from (
        select ${stepOf(sql`c.at`, period)} as step, sum(c.calls)::int as calls
        from (${countedCalls('total', counted)}) c group by 1) c
      left join (
        select step, ${percentile(quantile)} as value
        from (${durationsByGroup(stepOf(sql`d.at`, period), counted)}) d group by 1) d using (step)
      order by step`
  const value = { calls: sql`sum(c.calls)::int`, errors: sql`sum(c.failed)::int` }[metric]
  return sql`
    with counted as materialized (
      select c.key, ${stepOf(sql`c.at`, period)} as step, sum(c.calls)::int as calls, ${value} as value
      from (${countedCalls(groupBy ?? 'total', counted)}) c group by 1, 2
    ), largest as (
      select key from counted group by 1 order by sum(calls) desc, 1 limit ${limit})
    select c.key, c.step, c.calls, c.value
    from counted c join largest l on l.key is not distinct from c.key order by c.step`
}

function seriesFromLog(
  projectId: string,
  { metric, quantile = QUANTILE_DEFAULT, group_by: groupBy, filters = [] }: MetricsQuery,
  period: Period,
  limit: number,
): Sql {
  const values = {
    calls: sql`count(*)::int`,
    errors: sql`count(*) filter (where e.successful = false)::int`,
    latency: sql`percentile_cont(${quantile}::double precision) within group (order by e.duration_ms)`,
  }
  const key = DIMENSION_COLUMNS[groupBy ?? 'total']
  const rows = all(inPeriod(projectId, period), readLogQuery({ filters }).where)
  return sql`
    with largest as (
      select ${key} as key from tool_executions e where ${rows} group by 1 order by count(*) desc, 1 limit ${limit})
    select ${key} as key, ${stepOf(sql`e.created_at`, period)} as step, count(*)::int as calls,
      ${values[metric]} as value
    from tool_executions e join largest l on l.key is not distinct from ${key}
    where ${rows} group by 1, 2 order by 2`
}

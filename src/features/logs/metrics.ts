import { type Bucket, BUCKETS, METRIC_BUCKETS_MAX, type MetricsQuery } from '../../contract/logs/index.ts'
import { all, type Db, type Sql, sql } from '../../platform/db/sql.ts'
import { badRequest } from '../../platform/http/api-error.ts'
import { readLogQuery } from './log-query.ts'
import { STATUS } from './status-column.ts'

const DAY_MS = 86_400_000
const SERIES_DEFAULT = 10
const QUANTILE_DEFAULT = 0.95

/** A period in steps of equal length. `from` is the begin of a step, in milliseconds since the epoch. */
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

const GROUPS: Readonly<Record<NonNullable<MetricsQuery['group_by']>, Sql>> = {
  tool_slug: sql`e.tool_slug`,
  toolkit_slug: sql`e.toolkit_slug`,
  user_id: sql`e.user_id`,
  connected_account_id: sql`e.connected_account_id`,
  auth_config_id: sql`e.auth_config_id`,
  session_id: sql`e.session_id`,
  status: STATUS,
}

const instant = (ms: number): Sql => sql`to_timestamp(${ms}::double precision / 1000)`

/** Rows of a project in a period. Dry runs do not count. */
const inPeriod = (projectId: string, { from, to }: Pick<Period, 'from' | 'to'>): Sql =>
  sql`e.project_id = ${projectId} and not e.dry_run and e.created_at >= ${instant(from)}
    and e.created_at < ${instant(to)}`

/** The number of the step of a row, from 0. */
const stepOf = ({ from, bucketMs }: Period): Sql =>
  sql`floor((extract(epoch from e.created_at) * 1000 - ${from}::double precision)
    / ${bucketMs}::double precision)::int`

const COUNTS = sql`count(*)::int as total, count(*) filter (where e.successful = false)::int as failed,
  percentile_cont(0.5) within group (order by e.duration_ms) as p50_ms,
  percentile_cont(0.95) within group (order by e.duration_ms) as p95_ms`

/**
 * Returns the period that ends at `to` and has at least `length` milliseconds. Steps begin at multiples of their length
 * since the epoch, so that a repeated query returns the same steps.
 */
export function periodUntil(to: number, length: number, bucket: Bucket): Period {
  const bucketMs = BUCKETS[bucket]
  return { from: Math.floor((to - length) / bucketMs) * bucketMs, to, bucketMs }
}

/** Returns the begin of each step, in milliseconds since the epoch. */
export const stepsOf = ({ from, to, bucketMs }: Period): number[] =>
  Array.from({ length: Math.ceil((to - from) / bucketMs) }, (_, n) => from + n * bucketMs)

/** Counts the executions of a period, and their users. */
export const countCalls = async (
  db: Db,
  projectId: string,
  period: Pick<Period, 'from' | 'to'>,
): Promise<CallCount & { users: number }> =>
  (await db.one<CallCount & { users: number }>(sql`
    select ${COUNTS}, count(distinct e.user_id)::int as users
    from tool_executions e where ${inPeriod(projectId, period)}`)) as CallCount & { users: number }

/** Counts the executions of each step of a period that has some, oldest first. */
export const countCallsByStep = (
  db: Db,
  projectId: string,
  period: Period,
): Promise<(CallCount & { step: number })[]> =>
  db.rows(sql`
    select ${stepOf(period)} as step, ${COUNTS}
    from tool_executions e where ${inPeriod(projectId, period)} group by 1 order by 1`)

/** Returns the toolkits with most executions in a period. */
export const busiestToolkits = (
  db: Db,
  projectId: string,
  period: Pick<Period, 'from' | 'to'>,
  limit: number,
): Promise<{ slug: string; calls: number; failed: number }[]> =>
  db.rows(sql`
    select e.toolkit_slug as slug, count(*)::int as calls,
      count(*) filter (where e.successful = false)::int as failed
    from tool_executions e where ${inPeriod(projectId, period)} group by 1 order by 2 desc, 1 limit ${limit}`)

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

function seriesStatement(
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
  const key = groupBy ? GROUPS[groupBy] : sql`null::text`
  const rows = all(inPeriod(projectId, period), readLogQuery({ filters }).where)
  return sql`
    with largest as (
      select ${key} as key from tool_executions e where ${rows} group by 1 order by count(*) desc, 1 limit ${limit})
    select ${key} as key, ${stepOf(period)} as step, count(*)::int as calls, ${values[metric]} as value
    from tool_executions e join largest l on l.key is not distinct from ${key}
    where ${rows} group by 1, 2 order by 2`
}

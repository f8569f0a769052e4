import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, Nullable, Timestamp } from '../common.ts'
import { route } from '../route.ts'
import { LOG_FIELDS, Millis, observability, Text } from './executions.ts'

/** Length of each bucket in milliseconds. */
export const BUCKETS = {
  '1m': 60_000,
  '5m': 300_000,
  '1h': 3_600_000,
  '6h': 21_600_000,
  '1d': 86_400_000,
} as const
export type Bucket = keyof typeof BUCKETS

/** Most buckets of one query: a week in steps of five minutes has 2,016. */
export const METRIC_BUCKETS_MAX = 2_016

export const METRIC_GROUPS = [
  'tool_slug',
  'toolkit_slug',
  'user_id',
  'connected_account_id',
  'auth_config_id',
  'session_id',
  'status',
] as const

const Query = Type.Object({
  metric: Enum(['calls', 'errors', 'latency'], {
    description: '`calls` and `errors` count executions; `latency` is a quantile of their duration.',
  }),
  quantile: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Quantile of the duration, for `latency` only. Default 0.95.',
      examples: [0.95],
    }),
  ),
  from: Type.Optional(
    Described(
      Millis,
      'Begin of the period, in milliseconds since 1970 (UTC). Default: 24 hours before `to`.',
    ),
  ),
  to: Type.Optional(
    Described(Millis, 'End of the period, in milliseconds since 1970 (UTC), exclusive. Default: now.'),
  ),
  bucket: Type.Optional(
    Enum(Object.keys(BUCKETS) as [Bucket, ...Bucket[]], {
      description: 'Length of a step. Default `1h`. The period may have 2,016 steps.',
    }),
  ),
  group_by: Type.Optional(
    Enum(METRIC_GROUPS, { description: 'Field with one series for each value. Default: one series of all.' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50,
      description: 'Largest number of series, those with most calls first. Default 10.',
    }),
  ),
  filters: Type.Optional(
    Type.Array(
      Type.Object({
        field: Enum(LOG_FIELDS, { description: 'Field to compare.' }),
        operator: Enum(['==', '!='], { description: 'Comparison.' }),
        value: Described(Text, 'Value to compare with. At most 1024 characters.'),
      }),
      {
        maxItems: 50,
        description: 'Filters as in the log search. Several with `==` on one field are alternatives.',
      },
    ),
  ),
})
export type MetricsQuery = Static<typeof Query>

const Point = Type.Object({
  at: Described(Timestamp, 'Begin of the step.'),
  value: Nullable(
    Type.Number({
      description:
        'Number of executions, or the duration in milliseconds; null without a finished execution.',
    }),
  ),
})

export const queryMetrics = route({
  ...observability,
  id: 'metrics.query',
  audit: false,
  method: 'POST',
  path: '/metrics/query',
  summary: 'Query calls, errors and latency over time',
  description:
    'An extension of this server. Computes a metric of tool executions from the execution log, in steps of ' +
    'equal length. Dry runs do not count. Steps without executions have the value 0, or null for `latency`. ' +
    'Covers as much time as the log (`LOG_RETENTION_DAYS`).',
  example: { body: { metric: 'latency', quantile: 0.95, bucket: '1h', group_by: 'toolkit_slug' } },
  body: Query,
  reply: Type.Object({
    metric: Type.String({ description: 'Metric of the values.' }),
    unit: Enum(['call', 'ms'], { description: 'Unit of the values.' }),
    from: Described(Timestamp, 'Begin of the first step.'),
    to: Described(Timestamp, 'End of the period, exclusive.'),
    bucket_ms: Type.Integer({ description: 'Length of a step in milliseconds.' }),
    series: Type.Array(
      Type.Object({
        key: Nullable(Type.String({ description: 'Value of the field of `group_by`; null for none.' })),
        calls: Type.Integer({ description: 'Number of executions in the period.' }),
        points: Type.Array(Point, { description: 'One value for each step, oldest first.' }),
      }),
      { description: 'Series, the one with most calls first.' },
    ),
  }),
})

import { type Static, Type } from './schema-type.ts'
import { Described, Enum, Nullable, Timestamp } from './common.ts'
import { route } from './route.ts'

/** Periods of the overview, with their length and the length of each step of the series in milliseconds. */
export const OVERVIEW_RANGES = {
  '24h': { length: 86_400_000, bucket: '1h' },
  '7d': { length: 7 * 86_400_000, bucket: '6h' },
  '30d': { length: 30 * 86_400_000, bucket: '1d' },
} as const
export type OverviewRange = keyof typeof OVERVIEW_RANGES

const Milliseconds = (description: string) => Nullable(Type.Number({ description }))

const Calls = {
  total: Type.Integer({ description: 'Number of executions, without dry runs.' }),
  failed: Type.Integer({ description: 'Number of executions that failed.' }),
  p50_ms: Milliseconds('Median duration in milliseconds; null without a finished execution.'),
  p95_ms: Milliseconds('95th percentile of the duration in milliseconds; null without a finished execution.'),
  users: Type.Integer({ description: 'Number of users with executions.' }),
}

const Overview = Type.Object(
  {
    range: Enum(['24h', '7d', '30d'], { description: 'Period of the numbers.' }),
    from: Described(Timestamp, 'Begin of the period: a whole hour.'),
    to: Described(Timestamp, 'End of the period: now.'),
    bucket_ms: Type.Integer({ description: 'Length of a step of `series` in milliseconds.' }),
    calls: Type.Object(Calls, { description: 'Executions in the period.' }),
    previous: Type.Object(Calls, { description: 'Executions in the 24 hours, 7 or 30 days before it.' }),
    series: Type.Array(
      Type.Object({
        at: Described(Timestamp, 'Begin of the step.'),
        calls: Type.Integer({ description: 'Number of executions.' }),
        failed: Type.Integer({ description: 'Number of executions that failed.' }),
        p50_ms: Calls.p50_ms,
        p95_ms: Calls.p95_ms,
      }),
      { description: 'Executions by step, oldest first. Steps without executions are included.' },
    ),
    toolkits: Type.Array(
      Type.Object({
        slug: Type.String({ description: 'Slug of the toolkit.' }),
        calls: Type.Integer({ description: 'Number of executions.' }),
        failed: Type.Integer({ description: 'Number of executions that failed.' }),
      }),
      { description: 'The ten toolkits with most executions in the period.' },
    ),
    accounts: Type.Object(
      {
        active: Type.Integer({ description: 'Connected accounts that are ACTIVE.' }),
        expired: Type.Integer({
          description: 'Connected accounts that are EXPIRED: users have to reconnect.',
        }),
        failed: Type.Integer({ description: 'Connected accounts that are FAILED.' }),
        other: Type.Integer({ description: 'Connected accounts with another status.' }),
      },
      { description: 'Connected accounts now.' },
    ),
    approvals: Type.Object(
      { pending: Type.Integer({ description: 'Calls that wait for the decision of a person.' }) },
      { description: 'Approvals now.' },
    ),
    triggers: Type.Object(
      {
        enabled: Type.Integer({ description: 'Instances that are enabled.' }),
        stalled: Type.Integer({
          description: 'Enabled instances whose polls fail, or are due for more than ten minutes.',
        }),
        disabled_by_server: Type.Integer({
          description: 'Instances that the server disabled, such as after failures.',
        }),
      },
      { description: 'Trigger instances now.' },
    ),
    webhooks: Type.Object(
      {
        subscriptions: Type.Integer({ description: 'Webhook subscriptions.' }),
        failing: Type.Integer({ description: 'Subscriptions whose latest deliveries failed.' }),
        disabled: Type.Integer({ description: 'Subscriptions that the server disabled.' }),
        dead_deliveries: Type.Integer({
          description: 'Deliveries that failed for good in the period.',
        }),
      },
      { description: 'Webhook subscriptions now.' },
    ),
  },
  { $id: 'Overview' },
)
export type Overview = Static<typeof Overview>

export const readOverview = route({
  audience: 'project',
  permission: { area: 'observability', level: 'read' },
  id: 'overview.show',
  method: 'GET',
  path: '/overview',
  summary: 'Read the health of the project at a glance',
  description:
    'An extension of this server, for dashboards. Returns executions, errors and durations of a period with ' +
    'those of the period before, and how many accounts, approvals, triggers and webhooks need attention now. ' +
    'It contains numbers only, no data of users.',
  example: { query: { range: '24h' } },
  query: Type.Object({
    range: Type.Optional(
      Enum(Object.keys(OVERVIEW_RANGES) as [OverviewRange, ...OverviewRange[]], {
        description: 'Period of the numbers: `24h` (default), `7d` or `30d`.',
      }),
    ),
  }),
  reply: Overview,
})

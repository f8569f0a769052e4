import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, Nullable, Timestamp } from '../common.ts'

export const BUDGET_METRICS = ['calls', 'bytes', 'model_tokens', 'sandbox_seconds', 'storage_bytes'] as const
export type BudgetMetric = (typeof BUDGET_METRICS)[number]

export const BUDGET_SCOPES = ['project', 'user', 'session'] as const
export type BudgetScope = (typeof BUDGET_SCOPES)[number]

export const BUDGET_PERIODS = ['hour', 'day', 'month', 'total'] as const
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]

export const closed = { additionalProperties: false } as const

/** Far above what a server can do, and exact as a JSON number. */
const AMOUNT_MAX = 1e15

export const BudgetFields = {
  name: Type.String({
    minLength: 1,
    maxLength: 128,
    examples: ['Calls of each user'],
    description: 'Display name of the budget.',
  }),
  metric: Enum(BUDGET_METRICS, {
    description:
      'What the budget counts: `calls` of tools and proxy requests, `bytes` that they sent and received, ' +
      '`model_tokens` of the language model, `sandbox_seconds` in which code of agents ran, or `storage_bytes` of ' +
      'stored files.',
  }),
  scope: Enum(BUDGET_SCOPES, {
    description: 'Whether the amount is for the whole project, or for each user or session on its own.',
  }),
  subject: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'The only user (`user_id`) or session (`trs_…`) of the budget. It then replaces the budget of the same ' +
        'metric, scope and period that is for all of them. Null: every one.',
    }),
  ),
  period: Enum(BUDGET_PERIODS, {
    description: 'When the count starts again, in UTC. `total`: never.',
  }),
  amount: Type.Integer({
    minimum: 0,
    maximum: AMOUNT_MAX,
    description: 'The largest amount in a period, in the unit of the metric.',
  }),
  enabled: Type.Boolean({ description: 'Whether the budget counts and limits. Default true.' }),
}

export const Budget = Type.Object(
  {
    id: Type.String({ description: 'Id of the budget, `bud_…`.' }),
    ...BudgetFields,
    created_at: Described(Timestamp, 'When the budget was created.'),
    updated_at: Described(Timestamp, 'When the budget was last changed.'),
  },
  { $id: 'Budget' },
)
export type Budget = Static<typeof Budget>

export const BudgetUsage = Type.Object(
  {
    subject: Nullable(Type.String({ description: 'The user or session; null for the project.' })),
    used: Type.Integer({ description: 'Used in the current period.' }),
    percent: Type.Number({
      description: 'Share of the amount that is used, in percent. Above 100 for an overrun.',
    }),
  },
  { $id: 'BudgetUsage' },
)

import { type Static, Type } from '../schema-type.ts'
import { Described, exampleId, Id, PageOf, PageQuery, Success, Timestamp, Nullable } from '../common.ts'
import { route } from '../route.ts'
import { Budget, BudgetFields, BudgetUsage, closed } from './schemas.ts'

// An addition of this server. Only unrestricted keys can change budgets, so that an agent with a scoped key cannot
// raise its own.
const projectAccess = { audience: 'project' } as const

const { subject: SubjectField, enabled: EnabledField, ...Required } = BudgetFields

const Draft = Type.Object(
  { ...Required, subject: Type.Optional(SubjectField), enabled: Type.Optional(EnabledField) },
  closed,
)
export type BudgetDraft = Static<typeof Draft>

const { name: NameField, amount: AmountField } = BudgetFields
const Change = Type.Partial(
  Type.Object({ name: NameField, amount: AmountField, enabled: EnabledField }),
  closed,
)

const params = Type.Object({ budget_id: Described(Id('bud'), 'Id of the budget, `bud_…`.') })

export const createBudget = route({
  ...projectAccess,
  id: 'budgets.create',
  method: 'POST',
  path: '/budgets',
  summary: 'Create a budget',
  description:
    'An extension of this server. Limits what the project, each of its users or each of its sessions may use in a ' +
    'period. At 80 % and at 100 %, an event is published; beyond the amount, calls return ' +
    '429 `Budget_Exceeded`. `calls` are counted exactly before they are made. The other metrics are known ' +
    'afterwards: what is in progress when the amount is reached still ends. A project may have 100 budgets.',
  example: {
    body: { name: 'Calls of each user', metric: 'calls', scope: 'user', period: 'day', amount: 1_000 },
  },
  body: Draft,
  status: 201,
  reply: Budget,
  errors: ['Budget_LimitReached'],
})

export const listBudgets = route({
  ...projectAccess,
  id: 'budgets.list',
  method: 'GET',
  path: '/budgets',
  summary: 'List budgets, oldest first',
  description: 'An extension of this server. Returns a page of the budgets of the project, oldest first.',
  example: { query: { limit: 50 } },
  query: Type.Object(PageQuery),
  reply: PageOf(Budget),
})

export const readBudget = route({
  ...projectAccess,
  id: 'budgets.read',
  method: 'GET',
  path: '/budgets/:budget_id',
  summary: 'Read a budget and what is used of it',
  description:
    'An extension of this server. Returns a budget, and the 100 users or sessions that used most of it in the ' +
    'current period.',
  example: { params: { budget_id: exampleId('bud') }, needs: 'a budget' },
  params,
  reply: Type.Object({
    ...Budget.properties,
    period_start: Described(Timestamp, 'Begin of the current period; 1970 for `total`.'),
    period_end: Nullable(
      Type.String({ format: 'date-time', description: 'When the count starts again; null for `total`.' }),
    ),
    usage: Type.Array(BudgetUsage, { description: 'What is used in the current period, largest first.' }),
  }),
  errors: ['Budget_NotFound'],
})

export const updateBudget = route({
  ...projectAccess,
  id: 'budgets.update',
  method: 'PATCH',
  path: '/budgets/:budget_id',
  summary: 'Change a budget',
  description:
    'An extension of this server. Changes the name or the amount, or switches the budget off and on. It applies to ' +
    'the next call; what is used stays counted.',
  example: { params: { budget_id: exampleId('bud') }, body: { amount: 2_000 }, needs: 'a budget' },
  params,
  body: Change,
  reply: Budget,
  errors: ['Budget_NotFound'],
})

export const deleteBudget = route({
  ...projectAccess,
  id: 'budgets.delete',
  method: 'DELETE',
  path: '/budgets/:budget_id',
  summary: 'Delete a budget',
  description: 'An extension of this server. Deletes a budget and its counts. It no longer limits any call.',
  example: { params: { budget_id: exampleId('bud') }, needs: 'a budget' },
  params,
  reply: Success,
  errors: ['Budget_NotFound'],
})

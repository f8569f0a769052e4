import { createAlertRule } from '../../../src/contract/alerts.ts'
import { createBudget } from '../../../src/contract/budgets/index.ts'
import { createPolicy } from '../../../src/contract/policies/index.ts'
import { sql } from '../../../src/platform/db/sql.ts'
import type { World } from '../world.ts'
import { type Example, approval } from './samples.ts'

/** A project has a hundred at most, and these calls are made often. None of them is about a call of the others. */
const policy = {
  name: 'Refunds',
  outcome: 'ask' as const,
  when: { tools: ['SHOP_REFUND'], user_ids: ['nobody'], arguments: [{ path: 'amount', above: 100 }] },
  message: 'Ask first.',
  approval_seconds: 600,
}

const noPolicies = ({ app: { db }, own }: World) =>
  db.run(sql`delete from policies where project_id = ${own.project}`)

async function policyId(w: World): Promise<string> {
  await noPolicies(w)
  return (await w.own.call(createPolicy, { body: policy })).body.id
}

const alertRule = {
  name: 'Errors of executions',
  condition: 'error_rate' as const,
  threshold: 25,
  window_minutes: 15,
  channel: 'webhook' as const,
  webhook_url: 'http://127.0.0.1:9/alerts',
}

const noAlertRules = ({ app: { db }, own }: World) =>
  db.run(sql`delete from alert_rules where project_id = ${own.project}`)

async function alertRuleId(w: World): Promise<string> {
  await noAlertRules(w)
  return (await w.own.call(createAlertRule, { body: alertRule })).body.id
}

const budget = {
  name: 'Calls of each user',
  metric: 'calls' as const,
  scope: 'user' as const,
  subject: 'nobody',
  period: 'day' as const,
  amount: 1_000_000,
}

const noBudgets = ({ app: { db }, own }: World) =>
  db.run(sql`delete from budgets where project_id = ${own.project}`)

async function budgetId(w: World): Promise<string> {
  await noBudgets(w)
  return (await w.own.call(createBudget, { body: budget })).body.id
}

/** Calls of the operations of policies, approvals, budgets and alert rules. */
export const CONTROLS_EXAMPLES: Readonly<Record<string, Example>> = {
  'budgets.create': async (w) => {
    await noBudgets(w)
    return { body: budget }
  },
  'budgets.list': () => ({ query: { limit: 5 } }),
  'budgets.read': async (w) => ({ params: { budget_id: await budgetId(w) } }),
  'budgets.update': async (w) => ({
    params: { budget_id: await budgetId(w) },
    body: { name: 'Calls', amount: 2_000_000, enabled: false },
  }),
  'budgets.delete': async (w) => ({ params: { budget_id: await budgetId(w) } }),
  'alerts.list': () => ({}),
  'alerts.create': async (w) => {
    await noAlertRules(w)
    return { body: alertRule }
  },
  'alerts.update': async (w) => ({
    params: { id: await alertRuleId(w) },
    body: { name: 'Errors', threshold: 30, window_minutes: 60, is_enabled: false },
  }),
  'alerts.delete': async (w) => ({ params: { id: await alertRuleId(w) } }),
  'alerts.test': async (w) => ({ params: { id: await alertRuleId(w) } }),
  'policies.create': async (w) => {
    await noPolicies(w)
    return { body: policy }
  },
  'policies.list': () => ({ query: { limit: 5 } }),
  'policies.check': () => ({
    body: {
      tool_slug: 'GMAIL_SEND_EMAIL',
      arguments: { recipient_email: 'bob@example.com' },
      user_id: 'user-1',
    },
  }),
  'policies.read': async (w) => ({ params: { policy_id: await policyId(w) } }),
  'policies.update': async (w) => ({
    params: { policy_id: await policyId(w) },
    body: { enabled: false, when: { hints: ['destructiveHint'], user_ids: ['nobody'] }, message: null },
  }),
  'policies.delete': async (w) => ({ params: { policy_id: await policyId(w) } }),
  'approvals.list': () => ({ query: { status: 'pending', limit: 5 } }),
  'approvals.decisions': () => ({ query: { limit: 5 } }),
  'approvals.read': approval,
  'approvals.approve': approval,
  'approvals.deny': approval,
  'approvals.link': approval,
}

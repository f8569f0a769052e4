import type { AlertCondition } from '../../contract/alerts.ts'
import type { AlertRuleRow } from './store.ts'

/** What people are notified: the state of a rule. */
export interface AlertMessage {
  status: 'firing' | 'resolved'
  value: number
  isTest: boolean
  /** Milliseconds since the epoch. */
  at: number
}

const SUBJECTS: Readonly<Record<AlertCondition, (value: number, rule: AlertRuleRow) => string>> = {
  account_expired: (value) => `${value} connected accounts are expired`,
  trigger_stalled: (value) => `${value} triggers are late or were disabled`,
  webhook_failing: (value) => `${value} webhook subscriptions fail or were disabled`,
  error_rate: (value, { window_minutes: minutes }) =>
    `${value} % of the executions of ${minutes} minutes failed`,
  key_leaked: (value, { window_minutes: minutes }) =>
    `${value} API keys were found in public and revoked within ${minutes} minutes`,
}

/** One line for people. */
export function subjectOf(rule: AlertRuleRow, { status, value, isTest }: AlertMessage): string {
  const state = isTest ? 'Test' : status === 'firing' ? 'Alert' : 'Resolved'
  return `[${state}] ${rule.name}: ${SUBJECTS[rule.condition](value, rule)} (threshold ${rule.threshold})`
}

/** The body of a webhook. */
export const payloadOf = (rule: AlertRuleRow, message: AlertMessage) => ({
  type: `alert.${message.status}`,
  timestamp: new Date(message.at).toISOString(),
  data: {
    id: rule.id,
    project_id: rule.project_id,
    name: rule.name,
    condition: rule.condition,
    threshold: rule.threshold,
    window_minutes: rule.window_minutes,
    value: message.value,
    summary: subjectOf(rule, message),
    test: message.isTest,
  },
})

import type { AlertChannel, AlertCondition, AlertRule } from '../../../contract/alerts.ts'

interface ConditionText {
  value: AlertCondition
  label: string
  hint: string
  /** Label of the threshold. */
  threshold: string
  defaultThreshold: number
}

export const CONDITIONS: readonly ConditionText[] = [
  {
    value: 'account_expired',
    label: 'Accounts expired',
    hint: 'Users have to connect again.',
    threshold: 'Number of expired accounts',
    defaultThreshold: 1,
  },
  {
    value: 'trigger_stalled',
    label: 'Triggers stalled',
    hint: 'Triggers are polled late, or the server disabled them.',
    threshold: 'Number of stalled triggers',
    defaultThreshold: 1,
  },
  {
    value: 'webhook_failing',
    label: 'Webhooks failing',
    hint: 'Endpoints reject deliveries, or the server disabled them.',
    threshold: 'Number of failing endpoints',
    defaultThreshold: 1,
  },
  {
    value: 'error_rate',
    label: 'Error rate',
    hint: 'Executions fail. Fewer than 20 executions fire no alert.',
    threshold: 'Failed executions in percent',
    defaultThreshold: 20,
  },
  {
    value: 'key_leaked',
    label: 'API keys leaked',
    hint: 'API keys of the project were found in public, and the server revoked them.',
    threshold: 'Number of leaked keys',
    defaultThreshold: 1,
  },
]

export const CHANNELS: readonly { value: AlertChannel; label: string; hint: string }[] = [
  { value: 'slack', label: 'Slack', hint: 'An incoming webhook of Slack.' },
  { value: 'email', label: 'Email', hint: 'Needs the settings SMTP_URL and SMTP_FROM.' },
  { value: 'webhook', label: 'Webhook', hint: 'A signed request to your application.' },
]

/** Whether a condition counts what happened in the last minutes of the rule. */
export const countsMinutes = (condition: AlertCondition): boolean =>
  condition === 'error_rate' || condition === 'key_leaked'

export const conditionOf = (condition: AlertCondition): ConditionText =>
  CONDITIONS.find(({ value }) => value === condition) as ConditionText

/** Returns the condition of a rule as a phrase: `Error rate ≥ 20 % in 15 minutes`. */
export function describeRule({ condition, threshold, window_minutes: minutes }: AlertRule): string {
  const { label } = conditionOf(condition)
  const unit = condition === 'error_rate' ? ' %' : ''
  return `${label} ≥ ${threshold}${unit}${countsMinutes(condition) ? ` in ${minutes} minutes` : ''}`
}

export const channelLabel = (channel: AlertChannel): string =>
  CHANNELS.find(({ value }) => value === channel)?.label ?? channel

/** Returns the state of a rule as a status and its label. */
export const stateOf = (rule: AlertRule): readonly [status: string, label: string] =>
  !rule.is_enabled
    ? ['DISABLED', 'Off']
    : rule.status === 'firing'
      ? ['ERROR', 'Firing']
      : rule.checked_at === null
        ? ['PENDING', 'Not checked yet']
        : ['OK', 'OK']

/** Returns the measured value with its unit. */
export const valueText = ({ last_value: value, condition }: AlertRule): string =>
  value === null ? '–' : condition === 'error_rate' ? `${value.toFixed(1)} %` : String(value)

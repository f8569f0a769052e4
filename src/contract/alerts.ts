import { type Static, Type } from './schema-type.ts'
import { Described, Enum, exampleId, Id, Name, Nullable, Success, Timestamp } from './common.ts'
import { route } from './route.ts'

const read = { audience: 'project', permission: { area: 'webhooks', level: 'read' } } as const
const write = { audience: 'project', permission: { area: 'webhooks', level: 'write' } } as const

export const ALERT_CONDITIONS = [
  'account_expired',
  'trigger_stalled',
  'webhook_failing',
  'error_rate',
  'key_leaked',
] as const
export type AlertCondition = (typeof ALERT_CONDITIONS)[number]
export const ALERT_CHANNELS = ['webhook', 'email', 'slack'] as const
export type AlertChannel = (typeof ALERT_CHANNELS)[number]

const Condition = Enum(ALERT_CONDITIONS, {
  description:
    'What is measured. `account_expired`: connected accounts that are EXPIRED. `trigger_stalled`: triggers that are ' +
    'polled late or were disabled by the server. `webhook_failing`: webhook subscriptions whose deliveries fail or ' +
    'that were disabled. `error_rate`: failed executions in percent. `key_leaked`: API keys of the project that were ' +
    'found in public and revoked.',
})
const Threshold = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'The alert fires from this number on. Default 1; for `error_rate` 20, at most 100.',
})
const WindowMinutes = Type.Integer({
  minimum: 1,
  maximum: 1440,
  description:
    'For `error_rate` and `key_leaked`: the last minutes that count. Default 15. Fewer than 20 executions fire no ' +
    'alert.',
})
const Channel = Enum(ALERT_CHANNELS, {
  description: 'How people are notified. `email` needs the settings SMTP_URL and SMTP_FROM.',
})
const WebhookUrl = Type.String({
  format: 'uri',
  pattern: '^https?://',
  maxLength: 2048,
  description:
    'For `webhook` and `slack`: the URL that receives a POST. A secret for Slack, so it is never returned.',
})
const Addresses = Type.Array(Type.String({ format: 'email', maxLength: 254 }), {
  minItems: 1,
  maxItems: 20,
  description: 'For `email`: the addresses that receive a message.',
})
const Enabled = Type.Boolean({ description: 'Whether the rule is checked, once a minute.' })

const Rule = {
  id: Type.String({ description: 'Id of the alert rule, `alr_…`.' }),
  name: Described(Name, 'Name for people.'),
  condition: Condition,
  threshold: Threshold,
  window_minutes: WindowMinutes,
  channel: Channel,
  target: Type.String({ description: 'The host of the URL, or the email addresses.' }),
  is_enabled: Enabled,
  status: Enum(['ok', 'firing'], { description: '`firing` while the condition holds and people know it.' }),
  firing_since: Nullable(Type.String({ format: 'date-time', description: 'When it began; null for `ok`.' })),
  last_value: Nullable(Type.Number({ description: 'The measured value; null before the first check.' })),
  checked_at: Nullable(Type.String({ format: 'date-time', description: 'The last check; null for none.' })),
  last_error: Nullable(
    Type.String({ description: 'Why the last notification was not sent; null if it was. It is repeated.' }),
  ),
  created_at: Described(Timestamp, 'When the rule was created.'),
}
const AlertRule = Type.Object(Rule, { $id: 'AlertRule' })
export type AlertRule = Static<typeof AlertRule>

const params = Type.Object({ id: Described(Id('alr'), 'Id of the alert rule.') })
const needs = 'an alert rule'

export const listAlertRules = route({
  ...read,
  id: 'alerts.list',
  method: 'GET',
  path: '/alert_rules',
  summary: 'List alert rules',
  description:
    'An extension of this server. Returns all alert rules of the project, oldest first, with their state.',
  reply: Type.Object({ items: Type.Array(AlertRule, { description: 'Alert rules of the project.' }) }),
})

export const createAlertRule = route({
  ...write,
  id: 'alerts.create',
  method: 'POST',
  path: '/alert_rules',
  summary: 'Create an alert rule',
  description:
    'An extension of this server. Creates a rule that is checked once a minute and notifies people when its ' +
    'condition begins to hold and when it no longer holds. A project has at most 50 rules. The secret with which a ' +
    'webhook is signed (Standard Webhooks) is returned only here.',
  example: {
    body: {
      name: 'Errors of executions',
      condition: 'error_rate',
      threshold: 25,
      channel: 'webhook',
      webhook_url: 'https://app.example.com/alerts',
    },
  },
  status: 201,
  body: Type.Object({
    name: Described(Name, 'Name for people.'),
    condition: Condition,
    threshold: Type.Optional(Threshold),
    window_minutes: Type.Optional(WindowMinutes),
    channel: Channel,
    webhook_url: Type.Optional(WebhookUrl),
    email_addresses: Type.Optional(Addresses),
    is_enabled: Type.Optional(Enabled),
  }),
  reply: Type.Object({
    ...Rule,
    secret: Nullable(
      Type.String({ description: 'Secret of a webhook, `whsec_…`; null for other channels.' }),
    ),
  }),
  errors: ['Alert_LimitReached', 'Alert_InvalidTarget', 'Alert_EmailNotConfigured'],
})

export const updateAlertRule = route({
  ...write,
  id: 'alerts.update',
  method: 'PATCH',
  path: '/alert_rules/:id',
  summary: 'Change an alert rule',
  description:
    'An extension of this server. Changes the name, the limits or whether the rule is checked. To change the ' +
    'condition or the channel, create another rule.',
  example: { params: { id: exampleId('alr') }, body: { is_enabled: false }, needs },
  params,
  body: Type.Object({
    name: Type.Optional(Described(Name, 'Name for people.')),
    threshold: Type.Optional(Threshold),
    window_minutes: Type.Optional(WindowMinutes),
    is_enabled: Type.Optional(Enabled),
  }),
  reply: AlertRule,
  errors: ['Alert_NotFound', 'Alert_InvalidTarget'],
})

export const deleteAlertRule = route({
  ...write,
  id: 'alerts.delete',
  method: 'DELETE',
  path: '/alert_rules/:id',
  summary: 'Delete an alert rule',
  description: 'An extension of this server. Deletes the rule. Nobody is notified of it any more.',
  example: { params: { id: exampleId('alr') }, needs },
  params,
  reply: Success,
  errors: ['Alert_NotFound'],
})

export const testAlertRule = route({
  ...write,
  id: 'alerts.test',
  method: 'POST',
  path: '/alert_rules/:id/test',
  summary: 'Send a test notification of an alert rule',
  description:
    'An extension of this server. Sends a notification with `test: true` at once, whatever the condition. Returns ' +
    'whether it was accepted.',
  example: { params: { id: exampleId('alr') }, needs },
  params,
  reply: Type.Object({
    sent: Type.Boolean({ description: 'Whether the receiver accepted it.' }),
    error: Nullable(Type.String({ description: 'Why it was not sent; null if it was.' })),
  }),
  errors: ['Alert_NotFound'],
})

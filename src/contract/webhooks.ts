import { type Static, Type } from 'typebox'
import { Enum, Id, Nullable, PageOf, PageQuery, Success, Timestamp, Url } from './common.ts'
import { route } from './route.ts'

export const PAYLOAD_VERSIONS = ['V1', 'V2', 'V3'] as const
export type PayloadVersion = (typeof PAYLOAD_VERSIONS)[number]

/** Every type of event that can be delivered, and the payload versions that can express it (contract 8.2). */
export const EVENT_TYPES = {
  'service.trigger.message': {
    description: 'An enabled trigger instance produced an event.',
    versions: PAYLOAD_VERSIONS,
  },
  'service.connected_account.expired': {
    description: 'An ACTIVE OAuth account became EXPIRED: its user has to connect again.',
    versions: ['V3'],
  },
  'service.webhook.disabled': {
    description:
      'An addition of this server: a subscription of the project was disabled, because its receiver failed for five days or said 410.',
    versions: ['V3'],
  },
  'service.trigger.disabled': {
    description: 'The server, not a user, disabled a trigger instance.',
    versions: ['V3'],
  },
  'service.approval.requested': {
    description:
      'An addition of this server: a call waits for a person. The receiver may answer it with a signed request.',
    versions: ['V3'],
  },
  'service.approval.decided': {
    description: 'An addition of this server: a call that waited was allowed or refused.',
    versions: ['V3'],
  },
  'service.session_hook.before_execute': {
    description:
      'Not delivered but asked: a call of a session with a hook is about to be made. The answer decides.',
    versions: ['V3'],
  },
  'service.session_hook.after_execute': {
    description: 'Not delivered but asked: a call of a session with a hook was made. The answer decides.',
    versions: ['V3'],
  },
} as const satisfies Record<string, { description: string; versions: readonly PayloadVersion[] }>
export type EventType = keyof typeof EVENT_TYPES
export const EventTypeName = Enum(Object.keys(EVENT_TYPES) as EventType[])

const Fields = {
  webhook_url: Type.String({
    ...Url,
    description: 'HTTPS, without credentials. http is taken for a loopback address that EGRESS_ALLOW opens.',
    examples: ['https://app.example.com/hooks'],
  }) as typeof Url,
  enabled_events: Type.Array(EventTypeName, {
    minItems: 1,
    maxItems: 100,
    description: 'The types of events that are delivered.',
  }),
  version: Enum(PAYLOAD_VERSIONS, {
    description: 'The form of the payload; V1 and V2 have trigger messages only.',
  }),
}
/** What a receiver can bear. */
const Pace = {
  max_at_once: Type.Integer({
    minimum: 1,
    maximum: 256,
    description: 'An addition of this server: deliveries under way at once, for each server process.',
  }),
  max_per_second: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description:
        'An addition of this server: deliveries a second, over all server processes; null for as many as there are.',
    }),
  ),
}
export const WebhookSubscription = Type.Object(
  {
    id: Type.String(),
    webhook_url: Type.String(),
    version: Enum(PAYLOAD_VERSIONS),
    enabled_events: Type.Array(EventTypeName),
    ...Pace,
    disabled_at: Nullable(Timestamp),
    disabled_reason: Nullable(
      Type.String({
        description:
          '`failing` for five days, or `gone` (410). A change or a test event that arrives enables it again.',
      }),
    ),
    failing_since: Nullable(Timestamp),
    secret: Type.String({
      description:
        'What deliveries are signed with. In clear on v3, and on v3.1 when it was made; else masked.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'WebhookSubscription' },
)
export type WebhookSubscription = Static<typeof WebhookSubscription>

const params = Type.Object({ id: Id('ws') })
const REFUSED = ['WebhookSubscription_AddressRefused', 'WebhookSubscription_AlreadyExists'] as const

export const createWebhook = route({
  id: 'webhooks.create',
  method: 'POST',
  path: '/webhook_subscriptions',
  summary: 'Have events delivered to an address; a project may have twenty',
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  body: Type.Object({
    webhook_url: Fields.webhook_url,
    enabled_events: Fields.enabled_events,
    version: Type.Optional({ ...Fields.version, default: 'V3' } as typeof Fields.version),
    ...Type.Partial(Type.Object(Pace)).properties,
  }),
  status: 201,
  reply: WebhookSubscription,
  errors: [...REFUSED, 'WebhookSubscription_LimitReached'],
})
export const listWebhooks = route({
  id: 'webhooks.list',
  method: 'GET',
  path: '/webhook_subscriptions',
  summary: 'List webhook subscriptions, oldest first',
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  query: Type.Object(PageQuery),
  reply: PageOf(WebhookSubscription),
})
export const listEventTypes = route({
  id: 'webhooks.eventTypes',
  method: 'GET',
  path: '/webhook_subscriptions/event_types',
  summary: 'List the types of events that can be delivered',
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        event_type: EventTypeName,
        description: Type.String(),
        supported_versions: Type.Array(Enum(PAYLOAD_VERSIONS)),
      }),
    ),
  }),
})
export const readWebhook = route({
  id: 'webhooks.read',
  method: 'GET',
  path: '/webhook_subscriptions/:id',
  summary: 'Read a webhook subscription',
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  params,
  reply: WebhookSubscription,
  errors: ['WebhookSubscription_NotFound'],
})
export const updateWebhook = route({
  id: 'webhooks.update',
  method: 'PATCH',
  path: '/webhook_subscriptions/:id',
  summary: 'Change address, events, payload version or pace of a webhook subscription',
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  params,
  body: Type.Partial(Type.Object({ ...Fields, ...Pace })),
  reply: WebhookSubscription,
  errors: ['WebhookSubscription_NotFound', ...REFUSED],
})
export const deleteWebhook = route({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/webhook_subscriptions/:id',
  summary: 'Delete a webhook subscription for good',
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  params,
  reply: Success,
  errors: ['WebhookSubscription_NotFound'],
})
export const rotateWebhookSecret = route({
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/webhook_subscriptions/:id/rotate_secret',
  summary: 'Make a new webhook secret; the old one signs beside it for a day',
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  params,
  body: Type.Object({
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 24,
        description:
          'An addition of this server: for how long deliveries carry signatures of both secrets. 0 ends the old one at once.',
      }),
    ),
  }),
  reply: Type.Object({ id: Type.String(), secret: Type.String(), former_secret_until: Nullable(Timestamp) }),
  errors: ['WebhookSubscription_NotFound'],
})
// The one webhook of a project, as earlier clients know it: the oldest subscription that takes messages of triggers.
const ProjectWebhook = Type.Object({
  webhook_url: Nullable(Type.String()),
  event_webhook_url: Nullable(
    Type.String({ description: 'Of the oldest subscription that takes other events.' }),
  ),
  webhook_version: Nullable(Enum(PAYLOAD_VERSIONS)),
})
export const readProjectWebhook = route({
  id: 'webhooks.readProject',
  method: 'GET',
  path: '/org/project/webhook',
  summary: 'Read the webhook of the project, as earlier clients know it',
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  reply: ProjectWebhook,
})
export const updateProjectWebhook = route({
  id: 'webhooks.updateProject',
  method: 'POST',
  path: '/org/project/webhook/update',
  summary: 'Set the address of the webhook of the project; without one it is made',
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  body: Type.Object({ webhook_url: Fields.webhook_url, webhook_version: Type.Optional(Fields.version) }),
  reply: ProjectWebhook,
  errors: [...REFUSED, 'WebhookSubscription_LimitReached'],
})
export const refreshProjectWebhook = route({
  id: 'webhooks.refreshProject',
  method: 'POST',
  path: '/org/project/webhook/refresh',
  summary: 'Make a new secret for the webhook of the project',
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  reply: Type.Object({ webhook_secret: Type.String() }),
  errors: ['WebhookSubscription_NotFound'],
})
export const deleteProjectWebhook = route({
  id: 'webhooks.deleteProject',
  method: 'DELETE',
  path: '/org/project/webhook',
  summary: 'Delete the webhook of the project',
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  reply: Success,
  errors: ['WebhookSubscription_NotFound'],
})
export const testWebhook = route({
  id: 'webhooks.test',
  method: 'POST',
  path: '/webhook_subscriptions/:id/test',
  summary: 'Send a test event now and show the answer',
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  params,
  reply: Type.Object({
    delivered: Type.Boolean(),
    status: Nullable(Type.Integer()),
    latency_ms: Type.Integer(),
    error: Nullable(Type.String()),
    answer: Nullable(Type.String({ description: 'The first 2 KB.' })),
  }),
  errors: ['WebhookSubscription_NotFound'],
})

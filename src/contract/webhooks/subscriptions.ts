import { Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Id, Nullable, PageOf, PageQuery, Success, Timestamp } from '../common.ts'
import { EventTypeName, PAYLOAD_VERSIONS } from '../events/event-types.ts'
import { route } from '../route.ts'
import { DeliveryLimits, Fields, SigningFields, URL_ERRORS, WebhookSubscription } from './schemas.ts'

const params = Type.Object({ id: Described(Id('ws'), 'Id of the webhook subscription, `ws_…`.') })

export const createWebhook = route({
  id: 'webhooks.create',
  method: 'POST',
  path: '/webhook_subscriptions',
  summary: 'Create a webhook subscription',
  description:
    'Creates a webhook subscription: events of the given types are delivered to the URL as signed ' +
    'HTTP requests. Deliveries are repeated until the receiver returns a 2xx status. A project may ' +
    'have 20 subscriptions, and one for each URL.',
  example: {
    body: { webhook_url: 'https://app.example.com/hooks', enabled_events: ['service.trigger.message'] },
  },
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  body: Type.Object({
    webhook_url: Fields.webhook_url,
    enabled_events: Fields.enabled_events,
    version: Type.Optional(
      Described(
        { ...Fields.version, default: 'V3' },
        'Format of the payload. V1 and V2 exist for trigger messages only. Default V3.',
      ) as typeof Fields.version,
    ),
    ...Type.Partial(Type.Object(DeliveryLimits)).properties,
    ...SigningFields,
  }),
  status: 201,
  reply: WebhookSubscription,
  errors: [...URL_ERRORS, 'WebhookSubscription_LimitReached'],
})

export const listWebhooks = route({
  id: 'webhooks.list',
  audit: 'secrets_of_v3',
  method: 'GET',
  path: '/webhook_subscriptions',
  summary: 'List webhook subscriptions, oldest first',
  description: 'Returns a page of the webhook subscriptions of the project, oldest first.',
  example: { query: { limit: 20 } },
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  query: Type.Object(PageQuery),
  reply: PageOf(WebhookSubscription),
})

export const listEventTypes = route({
  id: 'webhooks.eventTypes',
  method: 'GET',
  path: '/webhook_subscriptions/event_types',
  summary: 'List event types',
  description: 'Returns the types of events that can be delivered, and the payload versions of each.',
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        event_type: Described(EventTypeName, 'Type of the event.'),
        description: Type.String({ description: 'When the event is published.' }),
        supported_versions: Type.Array(Enum(PAYLOAD_VERSIONS), {
          description: 'Payload versions that can express the event.',
        }),
      }),
      { description: 'Types of events.' },
    ),
  }),
})

export const readWebhook = route({
  id: 'webhooks.read',
  audit: 'secrets_of_v3',
  method: 'GET',
  path: '/webhook_subscriptions/:id',
  summary: 'Read a webhook subscription',
  description: 'Returns one webhook subscription.',
  example: { params: { id: exampleId('ws') }, needs: 'a webhook subscription' },
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
  summary: 'Change a webhook subscription',
  description:
    'Changes the fields that the body contains; all others stay as they are. A disabled subscription ' +
    'is enabled again. Pending deliveries use the new URL.',
  example: {
    params: { id: exampleId('ws') },
    body: { enabled_events: ['service.connected_account.expired'] },
    needs: 'a webhook subscription',
  },
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  params,
  body: Type.Partial(Type.Object({ ...Fields, ...DeliveryLimits, ...SigningFields })),
  reply: WebhookSubscription,
  errors: ['WebhookSubscription_NotFound', ...URL_ERRORS],
})

export const deleteWebhook = route({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/webhook_subscriptions/:id',
  summary: 'Delete a webhook subscription',
  description: 'Deletes a webhook subscription and its pending deliveries.',
  example: { params: { id: exampleId('ws') }, needs: 'a webhook subscription' },
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
  summary: 'Rotate the secret of a webhook subscription',
  description:
    'Creates a new secret for a webhook subscription. Deliveries carry signatures of both secrets ' +
    'for `overlap_hours`, so that receivers can change it without loss.',
  example: { params: { id: exampleId('ws') }, body: { overlap_hours: 24 }, needs: 'a webhook subscription' },
  audience: 'project',
  params,
  body: Type.Object({
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 168,
        default: 24,
        description:
          'Hours for which deliveries carry signatures of both secrets. 0 invalidates the ' +
          'former secret at once. Default 24. An addition of this server.',
      }),
    ),
  }),
  reply: Type.Object({
    id: Type.String({ description: 'Id of the webhook subscription, `ws_…`.' }),
    secret: Type.String({ description: 'The new secret.' }),
    former_secret_until: Nullable(
      Described(
        Timestamp,
        'Until when the former secret also signs deliveries; null when it no longer does.',
      ),
    ),
  }),
  errors: ['WebhookSubscription_NotFound'],
})

export const rotateApprovalSecret = route({
  id: 'webhooks.rotateApprovalSecret',
  method: 'POST',
  path: '/webhook_subscriptions/:id/rotate_approval_secret',
  summary: 'Rotate the approval secret of a webhook subscription',
  description:
    'Creates a new secret with which the receiver of approval requests signs decisions. The ' +
    'former secret is invalid at once. The secret is shown only here.',
  example: {
    params: { id: exampleId('ws') },
    needs: 'a webhook subscription that receives approval requests',
  },
  audience: 'project',
  params,
  reply: Type.Object({
    id: Type.String({ description: 'Id of the webhook subscription, `ws_…`.' }),
    approval_secret: Type.String({ description: 'The new secret.' }),
  }),
  errors: ['WebhookSubscription_NotFound'],
})

export const testWebhook = route({
  id: 'webhooks.test',
  method: 'POST',
  path: '/webhook_subscriptions/:id/test',
  summary: 'Send a test event',
  description:
    'Delivers a test event now and returns the response of the receiver. A successful test enables a ' +
    'disabled subscription.',
  example: { params: { id: exampleId('ws') }, needs: 'a webhook subscription' },
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  params,
  reply: Type.Object({
    delivered: Type.Boolean({ description: 'Whether the receiver returned a 2xx status.' }),
    status: Nullable(Type.Integer({ description: 'HTTP status of the receiver; null without a response.' })),
    latency_ms: Type.Integer({ description: 'Duration in milliseconds.' }),
    error: Nullable(Type.String({ description: 'Reason of the failure; null on success.' })),
    answer: Nullable(
      Type.String({ description: 'First 2 KB of the response body; null without a response.' }),
    ),
  }),
  errors: ['WebhookSubscription_NotFound'],
})

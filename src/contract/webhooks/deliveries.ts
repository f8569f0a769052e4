import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Id, Nullable, PageQuery, Timestamp } from '../common.ts'
import { DELIVERY_STATUSES, EventTypeName } from '../events/index.ts'
import { route } from '../route.ts'

const LastAttempt = Type.Object(
  {
    number: Type.Integer({ description: 'Number of the attempt, from 1.' }),
    ended_at: Described(Timestamp, 'When the attempt ended.'),
    status: Nullable(Type.Integer({ description: 'HTTP status of the receiver; null without a response.' })),
    latency_ms: Type.Integer({ description: 'Duration in milliseconds.' }),
    error: Nullable(Type.String({ description: 'Why there was no response; null when there was one.' })),
  },
  { description: 'The last attempt.' },
)

const SubscriptionDelivery = Type.Object({
  id: Type.String({ description: 'Id of the delivery.' }),
  event_id: Type.String({ description: 'Id of the event, `evt_…`.' }),
  event_type: Described(EventTypeName, 'Type of the event.'),
  status: Enum(DELIVERY_STATUSES, {
    description:
      '`pending`: it will be sent or repeated. `delivered`: the receiver returned a 2xx status. `dead`: it was ' +
      'given up (a dead letter).',
  }),
  attempts: Type.Integer({ description: 'Number of attempts so far.' }),
  created_at: Described(Timestamp, 'When the delivery was queued, or last queued again.'),
  next_at: Nullable(Described(Timestamp, 'When the next attempt is due; null when there is none.')),
  finished_at: Nullable(
    Described(Timestamp, 'When the delivery succeeded or was given up; null while it is pending.'),
  ),
  last_attempt: Nullable(LastAttempt),
})
export type SubscriptionDelivery = Static<typeof SubscriptionDelivery>

export const listWebhookDeliveries = route({
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/webhook_subscriptions/:id/deliveries',
  summary: 'List the deliveries of a webhook subscription',
  description:
    'An extension of this server. Returns deliveries to this receiver, newest first, with the result of the last ' +
    'attempt. `GET /events/{event_id}` has every attempt; `POST /events/replay` delivers events again.',
  example: { params: { id: exampleId('ws') }, query: { status: 'dead' }, needs: 'a webhook subscription' },
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  params: Type.Object({ id: Described(Id('ws'), 'Id of the webhook subscription, `ws_…`.') }),
  query: Type.Object({
    ...PageQuery,
    status: Type.Optional(
      Enum(DELIVERY_STATUSES, {
        description: 'Only deliveries with this status. `dead` lists the dead letters.',
      }),
    ),
  }),
  reply: Type.Object({
    items: Type.Array(SubscriptionDelivery, { description: 'Deliveries of this page.' }),
    next_cursor: Nullable(
      Type.String({ description: 'Value of `cursor` for the next page; null on the last page.' }),
    ),
  }),
  errors: ['WebhookSubscription_NotFound'],
})

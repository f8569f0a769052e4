import { type Static, Type } from 'typebox'
import { Enum, Id, Nullable, PageOf, PageQuery, Timestamp } from './common.ts'
import { route } from './route.ts'
import { EventTypeName } from './webhooks.ts'

// Our own addition to the API: what happened, what came of telling it, and telling it again.
const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

const Attempt = Type.Object({
  number: Type.Integer(),
  ended_at: Timestamp,
  status: Nullable(Type.Integer({ description: 'HTTP status; null when there was no answer.' })),
  latency_ms: Type.Integer(),
  error: Nullable(Type.String()),
  answer: Nullable(Type.String({ description: 'The first 2 KB.' })),
})
const Delivery = Type.Object({
  id: Type.String(),
  subscription_id: Type.String(),
  status: Enum(DELIVERY_STATUSES),
  attempts: Type.Integer(),
  next_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
  log: Type.Array(Attempt, { description: 'The last fifty attempts, oldest first.' }),
})
export type Delivery = Static<typeof Delivery>
const Fields = {
  id: Type.String(),
  webhook_id: Type.String({ description: 'The header `webhook-id` of every delivery.' }),
  type: Type.String({ description: 'As the list of event types names it.' }),
  ordering_key: Nullable(
    Type.String({ description: 'Events that share it are delivered in order: the trigger instance.' }),
  ),
  created_at: Timestamp,
}
const Summary = Type.Object({
  ...Fields,
  deliveries: Type.Object({ pending: Type.Integer(), delivered: Type.Integer(), dead: Type.Integer() }),
})
const moment = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 40, description, examples: ['2026-02-03T09:12:44.120Z'] })
const params = Type.Object({ event_id: Id('evt') })

export const listEvents = route({
  id: 'events.list',
  method: 'GET',
  path: '/events',
  summary: 'List what happened, newest first, and how its deliveries stand',
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  query: Type.Object({
    ...PageQuery,
    delivery_status: Type.Optional(
      Enum(DELIVERY_STATUSES, {
        description: '`dead` lists the dead letters: events of which a delivery was given up.',
      }),
    ),
    subscription_id: Type.Optional(Id('ws')),
  }),
  reply: PageOf(Summary),
})
const Followed = Type.Object({
  event_id: Type.String(),
  ordering_key: Fields.ordering_key,
  payload: Type.Object(
    {},
    { additionalProperties: true, description: 'What a webhook in version V3 delivers.' },
  ),
})
export type Followed = Static<typeof Followed>
export const streamEvents = route({
  id: 'events.stream',
  method: 'GET',
  path: '/events/stream',
  summary: 'Follow events as they happen, in order and without a gap',
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  streams: true,
  query: Type.Object({
    last_event_id: Type.Optional(
      Type.String({
        maxLength: 15,
        pattern: '^\\d{1,15}$',
        description:
          'Go on after this place; without it, from now on. A stream takes the header Last-Event-ID too.',
        examples: ['1042'],
      }),
    ),
    event_types: Type.Optional(
      Type.Array(EventTypeName, { maxItems: 20, description: 'Events of these types only.' }),
    ),
    trigger_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 100,
        description: 'Events of these trigger instances only.',
      }),
    ),
  }),
  reply: Type.Object({
    items: Type.Array(Followed, {
      description:
        'A hundred at most. With Accept: text/event-stream each is the data of a message of a stream that goes on.',
    }),
    last_event_id: Type.String({ description: 'The place after them: the last_event_id of the next call.' }),
  }),
  errors: ['Event_TooManyStreams'],
})
export const showEvent = route({
  id: 'events.show',
  method: 'GET',
  path: '/events/:event_id',
  summary: 'Show an event with its data, and every delivery with its attempts',
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  params,
  reply: Type.Object({
    ...Fields,
    data: Type.Object({}, { additionalProperties: true }),
    payload: Nullable(Type.Object({}, { additionalProperties: true })),
    deliveries: Type.Array(Delivery),
  }),
  errors: ['Event_NotFound'],
})
export const replayEvents = route({
  id: 'events.replay',
  method: 'POST',
  path: '/events/replay',
  summary: 'Deliver events again: some, those of a range of time, or all since a moment',
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  body: Type.Object({
    event_ids: Type.Optional(Type.Array(Id('evt'), { minItems: 1, maxItems: 1000 })),
    from: Type.Optional(moment('Events told at or after this moment; needed without event_ids.')),
    to: Type.Optional(moment('And before this one.')),
    subscription_id: Type.Optional({ ...Id('ws'), description: 'To this subscription only.' } as ReturnType<
      typeof Id
    >),
    only_dead: Type.Optional(
      Type.Boolean({ default: false, description: 'Only deliveries that were given up.' }),
    ),
  }),
  reply: Type.Object({
    queued: Type.Integer({
      description:
        'Deliveries that begin now, ten thousand at most: oldest events first. Those that are still pending are left as they are.',
    }),
  }),
  errors: ['WebhookSubscription_NotFound'],
})

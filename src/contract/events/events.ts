import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Id, Nullable, BoundedPageOf, PageQuery, Timestamp } from '../common.ts'
import { route } from '../route.ts'
import { StreamedTypeName } from './event-types.ts'

// An addition of this server: events, their deliveries, and replays.
export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

const Attempt = Type.Object({
  number: Type.Integer({ description: 'Number of the attempt, from 1.' }),
  ended_at: Described(Timestamp, 'When the attempt ended.'),
  status: Nullable(Type.Integer({ description: 'HTTP status of the response; null without a response.' })),
  latency_ms: Type.Integer({ description: 'Duration in milliseconds.' }),
  error: Nullable(Type.String({ description: 'Why there was no response; null when there was one.' })),
  answer: Nullable(Type.String({ description: 'First 2 KB of the response body; null without a response.' })),
})

const Delivery = Type.Object({
  id: Type.String({ description: 'Id of the delivery.' }),
  subscription_id: Type.String({ description: 'Id of the webhook subscription, `ws_…`.' }),
  status: Enum(DELIVERY_STATUSES, {
    description:
      '`pending`: it will be sent or repeated. `delivered`: the receiver returned a 2xx ' +
      'status. `dead`: all attempts failed.',
  }),
  attempts: Type.Integer({ description: 'Number of attempts so far.' }),
  next_at: Nullable(Described(Timestamp, 'When the next attempt is due; null when there is none.')),
  finished_at: Nullable(
    Described(Timestamp, 'When the delivery succeeded or was given up; null while it is pending.'),
  ),
  log: Type.Array(Attempt, { description: 'The last 50 attempts, oldest first.' }),
})

export type Delivery = Static<typeof Delivery>

const Fields = {
  id: Type.String({ description: 'Id of the event, `evt_…`.' }),
  webhook_id: Type.String({
    description: 'Value of the header `webhook-id` in every delivery of the event.',
  }),
  type: Type.String({
    description: 'Type of the event, as `GET /webhook_subscriptions/event_types` lists it.',
  }),
  ordering_key: Nullable(
    Type.String({
      description:
        'Events with the same key, such as those of one trigger instance, are delivered in ' +
        'order; null for none.',
    }),
  ),
  created_at: Described(Timestamp, 'When the event happened.'),
}

const Summary = Type.Object({
  ...Fields,
  deliveries: Type.Object(
    {
      pending: Type.Integer({ description: 'Deliveries that will be sent or repeated.' }),
      delivered: Type.Integer({ description: 'Deliveries that a receiver accepted.' }),
      dead: Type.Integer({ description: 'Deliveries that were given up.' }),
    },
    { description: 'Number of deliveries by status.' },
  ),
})

const timeBound = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 40, description, examples: ['2026-02-03T09:12:44.120Z'] })

const params = Type.Object({ event_id: Described(Id('evt'), 'Id of the event, `evt_…`.') })

export const listEvents = route({
  id: 'events.list',
  method: 'GET',
  path: '/events',
  summary: 'List events, newest first',
  description:
    'Returns a page of events, newest first, with the number of their deliveries by status. Events ' +
    'are stored for `event_retention_days` of the project.',
  example: { query: { limit: 20 } },
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  query: Type.Object({
    ...PageQuery,
    delivery_status: Type.Optional(
      Enum(DELIVERY_STATUSES, {
        description: 'Only events with a delivery of this status. `dead` lists the dead letters.',
      }),
    ),
    subscription_id: Type.Optional(Described(Id('ws'), 'Only events for this webhook subscription, `ws_…`.')),
  }),
  reply: BoundedPageOf(Summary),
})

const StreamedEvent = Type.Object({
  event_id: Type.String({
    description: 'Id of the event, `evt_…`; of an execution the id of its log, `log_…`.',
  }),
  ordering_key: Fields.ordering_key,
  payload: Type.Object(
    {},
    { additionalProperties: true, description: 'Body that a webhook in version V3 delivers.' },
  ),
})

export type StreamedEvent = Static<typeof StreamedEvent>

export const streamEvents = route({
  id: 'events.stream',
  method: 'GET',
  path: '/events/stream',
  summary: 'Follow events as they happen',
  description:
    'Returns new events in order and without gaps. With `Accept: text/event-stream` the connection ' +
    'stays open and sends each event as a message; otherwise the call returns up to 100 events at ' +
    'once. Continue with `last_event_id`.',
  example: { query: { last_event_id: '0' } },
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  streams: true,
  query: Type.Object({
    last_event_id: Type.Optional(
      Type.String({
        maxLength: 15,
        pattern: '^\\d{1,15}$',
        description:
          'Position after which to continue. Default: only new events. Streams also accept the ' +
          'header `Last-Event-ID`.',
        examples: ['1042'],
      }),
    ),
    event_types: Type.Optional(
      Type.Array(StreamedTypeName, {
        maxItems: 20,
        description:
          'Only events of these types. The type that ends in `.tool_execution.ended` adds executions of tools, which ' +
          'are not stored: only streams have them, from now on, and only if this parameter names it. The key ' +
          'needs read access to `observability` too.',
      }),
    ),
    trigger_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 100,
        description: 'Only events of these trigger instances, `ti_…`.',
      }),
    ),
  }),
  reply: Type.Object({
    items: Type.Array(StreamedEvent, {
      description:
        'At most 100 events, in order. With `Accept: text/event-stream`, each is the data of ' +
        'one message of a continuous stream.',
    }),
    last_event_id: Type.String({
      description: 'Position of the last event: the `last_event_id` of the next call.',
    }),
  }),
  errors: ['Event_TooManyStreams'],
})

export const readEvent = route({
  id: 'events.show',
  method: 'GET',
  path: '/events/:event_id',
  summary: 'Read an event and its deliveries',
  description: 'Returns one event with its data, and every delivery with its attempts.',
  example: { params: { event_id: exampleId('evt') }, needs: 'an event' },
  audience: 'project',
  permission: { area: 'webhooks', level: 'read' },
  params,
  reply: Type.Object({
    ...Fields,
    data: Type.Object({}, { additionalProperties: true, description: 'Data of the event.' }),
    payload: Nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'Body that a webhook in version V3 delivers; null when the event has none.',
        },
      ),
    ),
    deliveries: Type.Array(Delivery, { description: 'Deliveries of the event, one for each subscription.' }),
  }),
  errors: ['Event_NotFound'],
})

export const replayEvents = route({
  id: 'events.replay',
  method: 'POST',
  path: '/events/replay',
  summary: 'Deliver events again',
  description:
    'Delivers events again: those in `event_ids`, or all between `from` and `to`. At most 10,000 ' +
    'deliveries start in one call; repeat the call for more. Receivers recognise repeated events by ' +
    '`webhook-id`.',
  example: { body: { from: '2026-02-03T09:00:00.000Z', to: '2026-02-03T10:00:00.000Z', only_dead: true } },
  audience: 'project',
  permission: { area: 'webhooks', level: 'write' },
  body: Type.Object({
    event_ids: Type.Optional(
      Type.Array(Id('evt'), {
        minItems: 1,
        maxItems: 1000,
        description: 'Ids of events, `evt_…`. At most 1000.',
      }),
    ),
    from: Type.Optional(timeBound('Events created at or after this time. Required without `event_ids`.')),
    to: Type.Optional(timeBound('Events created before this time. Default: now.')),
    subscription_id: Type.Optional({
      ...Id('ws'),
      description: 'Only deliveries to this subscription, `ws_…`.',
    } as ReturnType<typeof Id>),
    only_dead: Type.Optional(
      Type.Boolean({ default: false, description: 'Only deliveries that were given up. Default false.' }),
    ),
  }),
  reply: Type.Object({
    queued: Type.Integer({
      description:
        'Number of deliveries that start now, oldest events first. At most 10,000; pending ' +
        'deliveries are left as they are.',
    }),
  }),
  errors: ['WebhookSubscription_NotFound'],
})

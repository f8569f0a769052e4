import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Id, Nullable, NumberCursor, Open, PageBody } from '../common.ts'
import { LOG_OPERATORS } from '../logs/executions.ts'
import { route } from '../route.ts'

const observability = { audience: 'project', permission: { area: 'observability', level: 'read' } } as const

const Millis = Type.Integer({
  minimum: 0,
  maximum: 8_640_000_000_000_000,
  description: 'Milliseconds since the epoch.',
})

const Text = Type.String({ maxLength: 1024 })

/** Periods of a search, in seconds. */
export const LOG_TIMES = {
  '5m': 300,
  '30m': 1_800,
  '6h': 21_600,
  '1d': 86_400,
  '1w': 604_800,
  '1month': 2_592_000,
  '1y': 31_536_000,
} as const

export const TRIGGER_LOG_KINDS = ['event', 'failure', 'gap', 'disabled', 'enabled'] as const

export const TRIGGER_LOG_FIELDS = [
  'trigger_name',
  'trigger_id',
  'toolkit',
  'connected_account_id',
  'auth_config_id',
  'user_id',
  'type',
  'event_id',
] as const

export type TriggerLogField = (typeof TRIGGER_LOG_FIELDS)[number]

const Search = Type.Object({
  time: Type.Optional(
    Nullable(
      Enum(Object.keys(LOG_TIMES) as (keyof typeof LOG_TIMES)[], {
        description: 'How far to look back. `from` and `to` are more exact.',
      }),
    ),
  ),
  from: Type.Optional(
    Nullable(Described(Millis, 'Only logs at or after this time, in milliseconds since 1970 (UTC).')),
  ),
  to: Type.Optional(
    Nullable(Described(Millis, 'Only logs before this time, in milliseconds since 1970 (UTC).')),
  ),
  status: Type.Optional(
    Enum(['all', 'success', 'error'], { description: 'Only logs with this status. Default `all`.' }),
  ),
  search: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Part of the trigger name, of an id, or of the message.' }),
  ),
  integrationId: Type.Optional(
    Type.String({ maxLength: 256, description: 'Id of the auth config, `ac_…`.' }),
  ),
  entityId: Type.Optional(
    Type.String({ maxLength: 256, description: 'Id of the user, the same as `userId`.' }),
  ),
  userId: Type.Optional(Type.String({ maxLength: 256, description: 'Id of the user.' })),
  limit: PageBody.limit,
  cursor: NumberCursor,
  search_params: Type.Optional(
    Type.Array(
      Type.Object({
        field: Enum(TRIGGER_LOG_FIELDS, { description: 'Field to compare.' }),
        operation: Enum(LOG_OPERATORS, { description: 'Comparison.' }),
        value: Described(Text, 'Value to compare with. At most 1024 characters.'),
      }),
      { maxItems: 50, description: 'Filters. All of them must match.' },
    ),
  ),
  include_payload: Type.Optional(
    Type.Boolean({
      description: 'Include the data of events and the responses of receivers. Default false.',
    }),
  ),
})

export type TriggerLogSearch = Static<typeof Search>

const TriggerLog = Type.Object(
  {
    id: Type.String({ description: 'Id of the log, `log_…`.' }),
    connectionId: Type.String({ description: 'Id of the connected account, `ca_…`.' }),
    clientId: Type.String({ description: 'Id of the project, `proj_…`.' }),
    entityId: Type.String({ description: 'Id of the user.' }),
    status: Enum(['success', 'error'], { description: 'Outcome.' }),
    appName: Type.String({ description: 'Slug of the toolkit.' }),
    createdAt: Described(Millis, 'When it happened, in milliseconds since 1970 (UTC).'),
    type: Enum(TRIGGER_LOG_KINDS, {
      description:
        '`event`: something new was published. `failure`: a poll failed. `gap`: events may ' +
        'have been missed. `disabled`, `enabled`: by a user or by the server.',
    }),
    meta: Type.Object(
      {
        triggerName: Type.String({ description: 'Slug of the trigger type.' }),
        triggerId: Type.String({ description: 'Legacy UUID of the trigger instance.' }),
        triggerNanoId: Type.String({ description: 'Id of the trigger instance, `ti_…`.' }),
        eventId: Nullable(Type.String({ description: 'Id of the event, `evt_…`; null for none.' })),
        message: Nullable(Type.String({ description: 'Reason; null for none.' })),
        triggerProviderPayload: Type.Optional(
          Nullable(Open({}, { description: 'Data of the application; null when it is not stored.' })),
        ),
        triggerClientPayload: Type.Optional(
          Nullable(Open({}, { description: 'Data of the event; null for none.' })),
        ),
        triggerClientResponse: Type.Optional(
          Nullable(
            Type.String({ description: 'First 2 KB of the latest response of a receiver; null for none.' }),
          ),
        ),
        triggerClientError: Type.Optional(
          Nullable(Type.String({ description: 'Error of the latest delivery; null for none.' })),
        ),
      },
      { description: 'Details.' },
    ),
  },
  { $id: 'TriggerLog' },
)

export type TriggerLog = Static<typeof TriggerLog>

export const searchTriggerLogs = route({
  ...observability,
  id: 'logs.triggers',
  audit: false,
  method: 'POST',
  path: '/internal/trigger/logs',
  summary: 'Search trigger logs, newest first',
  description:
    'Returns a page of trigger logs, newest first: events, failed polls, gaps, and changes of status.',
  example: { body: { time: '1d', status: 'error', limit: 20 } },
  body: Search,
  reply: Type.Object({
    nextCursor: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Value of `cursor` for the next page; null on the last page.',
    }),
    data: Type.Array(TriggerLog, { description: 'Logs of this page.' }),
  }),
})

export const readTriggerLog = route({
  ...observability,
  id: 'logs.triggerRead',
  method: 'GET',
  path: '/internal/trigger/log/:id',
  summary: 'Read one trigger log',
  description: 'Returns one trigger log with the data of the event and the responses of receivers.',
  example: { params: { id: exampleId('log') }, needs: 'a trigger log' },
  params: Type.Object({ id: Described(Id('log'), 'Id of the log, `log_…`.') }),
  reply: Type.Object({ log: Described(TriggerLog, 'The log.') }),
  errors: ['Log_NotFound'],
})

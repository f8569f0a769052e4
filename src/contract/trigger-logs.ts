import { type Static, Type } from 'typebox'
import { Enum, Id, Nullable, Open, PageBody } from './common.ts'
import { LOG_OPERATORS } from './logs.ts'
import { route } from './route.ts'

const observability = { audience: 'project', permission: { area: 'observability', level: 'read' } } as const

const Millis = Type.Integer({
  minimum: 0,
  maximum: 8_640_000_000_000_000,
  description: 'Milliseconds since the epoch.',
})
const Text = Type.String({ maxLength: 1024 })
/** How far back a search looks, in seconds. */
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
        description: 'How far back; `from` and `to` say it more exactly.',
      }),
    ),
  ),
  from: Type.Optional(Nullable(Millis)),
  to: Type.Optional(Nullable(Millis)),
  status: Type.Optional(Enum(['all', 'success', 'error'])),
  search: Type.Optional(
    Type.String({ maxLength: 1024, description: 'A part of the trigger name, of an id, or of the message.' }),
  ),
  integrationId: Type.Optional(Type.String({ maxLength: 256, description: 'Auth config.' })),
  entityId: Type.Optional(Type.String({ maxLength: 256 })),
  userId: Type.Optional(Type.String({ maxLength: 256 })),
  limit: PageBody.limit,
  cursor: Type.Optional(
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  ),
  search_params: Type.Optional(
    Type.Array(
      Type.Object({ field: Enum(TRIGGER_LOG_FIELDS), operation: Enum(LOG_OPERATORS), value: Text }),
      { maxItems: 50, description: 'All of them must hold.' },
    ),
  ),
  include_payload: Type.Optional(
    Type.Boolean({ description: 'With what was told, and what receivers answered. Default false.' }),
  ),
})
export type TriggerLogSearch = Static<typeof Search>

const TriggerLog = Type.Object(
  {
    id: Type.String(),
    connectionId: Type.String(),
    clientId: Type.String(),
    entityId: Type.String(),
    status: Enum(['success', 'error']),
    appName: Type.String(),
    createdAt: Millis,
    type: Enum(TRIGGER_LOG_KINDS, {
      description:
        'event: something new was told; failure: a poll came to nothing; gap: something may have been missed; disabled and enabled: whoever did it.',
    }),
    meta: Type.Object({
      triggerName: Type.String(),
      triggerId: Type.String(),
      triggerNanoId: Type.String(),
      eventId: Nullable(Type.String()),
      message: Nullable(Type.String({ description: 'Why.' })),
      triggerProviderPayload: Type.Optional(Nullable(Open({}))),
      triggerClientPayload: Type.Optional(Nullable(Open({}))),
      triggerClientResponse: Type.Optional(
        Nullable(
          Type.String({ description: 'What the receiver that was asked last answered: the first 2 KB.' }),
        ),
      ),
      triggerClientError: Type.Optional(Nullable(Type.String())),
    }),
  },
  { $id: 'TriggerLog' },
)
export type TriggerLog = Static<typeof TriggerLog>

export const searchTriggerLogs = route({
  ...observability,
  id: 'logs.triggers',
  method: 'POST',
  path: '/internal/trigger/logs',
  summary: 'Search trigger logs, newest first',
  body: Search,
  reply: Type.Object({
    nextCursor: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    data: Type.Array(TriggerLog),
  }),
})
export const readTriggerLog = route({
  ...observability,
  id: 'logs.triggerRead',
  method: 'GET',
  path: '/internal/trigger/log/:id',
  summary: 'Read one trigger log, with what was told and what receivers answered',
  params: Type.Object({ id: Id('log') }),
  reply: Type.Object({ log: TriggerLog }),
  errors: ['Log_NotFound'],
})

import { type Static, Type } from 'typebox'
import { Enum, Id, Nullable, Open, PageBody, Timestamp } from './common.ts'
import { route } from './route.ts'

const observability = { audience: 'project', permission: { area: 'observability', level: 'read' } } as const

/** What Date can hold. */
const Millis = Type.Integer({
  minimum: 0,
  maximum: 8_640_000_000_000_000,
  description: 'Milliseconds since the epoch.',
  examples: [1_767_225_600_000],
})
const Text = Type.String({ maxLength: 1024 })
const FILTERS_MAX = 50

export const LOG_FIELDS = [
  'tool_slug',
  'toolkit_slug',
  'connected_account_id',
  'auth_config_id',
  'status',
  'user_id',
  'session_id',
  'sandbox_id',
  'request_id',
  'log_id',
] as const
export type LogField = (typeof LOG_FIELDS)[number]
export const LOG_OPERATORS = ['==', '!=', 'contains', 'not_contains'] as const
export type LogOperator = (typeof LOG_OPERATORS)[number]

/** `started`: it may have had its effect, and its end is not known (yet). */
const Status = Enum(['success', 'failed', 'started'])

const Metadata = Type.Object({
  tool_slug: Type.String(),
  toolkit_slug: Type.String(),
  version: Type.String(),
  effect: Nullable(Type.String({ description: 'read, create, update or delete.' })),
  connected_account_id: Nullable(Type.String()),
  auth_config_id: Nullable(Type.String()),
  user_id: Nullable(Type.String()),
  status_code: Nullable(Type.Integer({ description: 'HTTP status of the application.' })),
  dry_run: Type.Boolean(),
})
const Metrics = Type.Object({
  duration_ms: Nullable(Type.Integer()),
  account_ms: Type.Optional(Type.Number()),
  credentials_ms: Type.Optional(Type.Number()),
  application_ms: Type.Optional(Type.Number()),
  requests: Nullable(Type.Integer({ description: 'Requests to the application, repetitions included.' })),
  request_bytes: Nullable(Type.Integer()),
  response_bytes: Nullable(Type.Integer()),
})
const Entry = {
  id: Type.String(),
  timestamp: Timestamp,
  type: Type.String(),
  status: Status,
  level: Enum(['info', 'warn', 'error']),
  message: Type.String(),
  metadata: Metadata,
  metrics: Metrics,
  parent: Type.Unsafe<{ log_id: string; tool_slug: string } | null>({
    type: ['object', 'null'],
    properties: { log_id: { type: 'string' }, tool_slug: { type: 'string' } },
  }),
}

const Search = Type.Object({
  ...PageBody,
  filters: Type.Optional(
    Type.Array(Type.Object({ field: Enum(LOG_FIELDS), operator: Enum(LOG_OPERATORS), value: Text }), {
      maxItems: FILTERS_MAX,
      description:
        'Those that ask for one field with == or contains are alternatives; all else must hold together.',
    }),
  ),
  time_range: Type.Optional(
    Type.Object(
      { from: Millis, to: Millis },
      { description: 'From inclusive, to exclusive; when the calls began.' },
    ),
  ),
})
export type LogSearch = Static<typeof Search>

export const ToolExecutionLog = Type.Object(
  {
    ...Entry,
    timings: Type.Optional(Type.Object({ start_time: Millis, end_time: Type.Optional(Millis) })),
    context: Type.Object({
      session_id: Type.Optional(Type.String()),
      sandbox_id: Type.Optional(Type.String()),
      request_id: Type.String(),
    }),
    source: Type.Object({
      host: Type.Optional(Type.String()),
      framework: Type.Optional(Type.String()),
      language: Type.Optional(Type.String()),
      sdk_version: Type.Optional(Type.String()),
    }),
    data: Type.Object(
      { request: Type.Optional(Open({})), response: Type.Optional(Open({})) },
      { description: 'Empty where the project does not store data.' },
    ),
  },
  { $id: 'ToolExecutionLog' },
)
export type ToolExecutionLog = Static<typeof ToolExecutionLog>

export const searchLogs = route({
  ...observability,
  id: 'logs.search',
  method: 'POST',
  path: '/logs/tool_execution',
  summary: 'Search execution logs, newest first',
  body: Search,
  reply: Type.Object({ logs: Type.Array(Type.Object(Entry)), next_cursor: Nullable(Type.String()) }),
})
export const readLog = route({
  ...observability,
  id: 'logs.show',
  method: 'GET',
  path: '/logs/tool_execution/:id',
  summary: 'Read one execution log, with arguments and answer',
  params: Type.Object({ id: Id('log') }),
  reply: ToolExecutionLog,
  errors: ['Log_NotFound'],
})

const InternalSearch = Type.Object({
  cursor: Type.Optional(
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  ),
  limit: PageBody.limit,
  case_sensitive: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
  from: Type.Optional(Millis),
  to: Type.Optional(Millis),
  search_params: Type.Optional(
    Type.Array(
      Type.Object({
        field: Type.Optional(Type.String({ maxLength: 64 })),
        operation: Type.Optional(Enum(LOG_OPERATORS)),
        value: Type.Optional(Text),
      }),
      { maxItems: FILTERS_MAX },
    ),
  ),
})
export type InternalLogSearch = Static<typeof InternalSearch>

const App = Type.Object({ icon: Type.String(), name: Type.String() })

export const searchInternalLogs = route({
  ...observability,
  id: 'logs.internal',
  method: 'POST',
  path: '/internal/action_execution/logs',
  summary: 'Search execution logs (older address)',
  body: InternalSearch,
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        actionKey: Type.String(),
        appKey: Type.String(),
        app: App,
        connectedAccountId: Type.String(),
        entityId: Type.String(),
        status: Status,
        executionTime: Type.Integer(),
        minimalResponse: Type.String(),
        metadata: Type.Object({ recipe_id: Nullable(Type.String()) }),
        createdAt: Type.Integer(),
      }),
    ),
    nextCursor: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  }),
})
export const readInternalLogFields = route({
  ...observability,
  id: 'logs.internalFields',
  method: 'GET',
  path: '/internal/action_execution/fields',
  summary: 'The searchable fields of execution logs',
  reply: Type.Object({
    fields: Type.Record(
      Type.String(),
      Type.Array(
        Type.Object({
          id: Type.String(),
          displayName: Type.String(),
          type: Type.String(),
          regex: Type.Optional(Type.String()),
        }),
      ),
    ),
  }),
})
const StepLog = Type.Object({
  type: Enum(['tool_execution', 'fetch_connection_details']),
  startTime: Type.Integer(),
  endTime: Type.Integer(),
  totalDuration: Type.Number(),
  status: Enum(['success', 'failure', 'error']),
  message: Type.String(),
})
export const readInternalLog = route({
  ...observability,
  id: 'logs.internalRead',
  method: 'GET',
  path: '/internal/action_execution/log/:id',
  summary: 'Read one execution log (older address)',
  params: Type.Object({ id: Id('log') }),
  reply: Type.Object({
    actionLogId: Type.String(),
    actionId: Type.String(),
    status: Enum(['success', 'error', 'warning', 'info']),
    app: Type.Object({ name: Type.String(), uniqueId: Type.String(), icon: Type.String() }),
    version: Type.String(),
    connection: Type.Object({ id: Type.String(), entity: Type.String() }),
    session: Open({}),
    executionMetadata: Open({}),
    steps: Type.Array(StepLog),
    payloadReceived: Open({}),
    startTime: Type.Integer(),
    endTime: Type.Integer(),
    totalDuration: Type.String(),
    response: Open({}),
    error: Open({}),
  }),
  errors: ['Log_NotFound'],
})

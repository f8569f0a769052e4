import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Id, Nullable, Open, PageBody, Timestamp } from '../common.ts'
import { route } from '../route.ts'

export const observability = {
  audience: 'project',
  permission: { area: 'observability', level: 'read' },
} as const

/** Largest value: the last time that a JavaScript Date can represent. */
export const Millis = Type.Integer({
  minimum: 0,
  maximum: 8_640_000_000_000_000,
  description: 'Milliseconds since the epoch.',
  examples: [1_767_225_600_000],
})

export const Text = Type.String({ maxLength: 1024 })

export const FILTERS_MAX = 50

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

export const Status = Enum(['success', 'failed', 'started'])

const Metadata = Type.Object({
  tool_slug: Type.String({ description: 'Slug of the tool.' }),
  toolkit_slug: Type.String({ description: 'Slug of the toolkit.' }),
  version: Type.String({ description: 'Version of the toolkit.' }),
  effect: Nullable(
    Type.String({
      description: 'Effect of the tool: `read`, `create`, `update` or `delete`; null when it is not known.',
    }),
  ),
  connected_account_id: Nullable(
    Type.String({ description: 'Id of the connected account, `ca_…`; null for none.' }),
  ),
  auth_config_id: Nullable(Type.String({ description: 'Id of the auth config, `ac_…`; null for none.' })),
  user_id: Nullable(Type.String({ description: 'Id of the user that the call was for; null for none.' })),
  status_code: Nullable(
    Type.Integer({ description: 'HTTP status of the application; null without a response.' }),
  ),
  dry_run: Type.Boolean({ description: 'Whether the call only previewed the request.' }),
})

const Metrics = Type.Object({
  duration_ms: Nullable(
    Type.Integer({ description: 'Duration of the call in milliseconds; null while it runs.' }),
  ),
  account_ms: Type.Optional(
    Type.Number({ description: 'Time to select the connected account, in milliseconds.' }),
  ),
  credentials_ms: Type.Optional(
    Type.Number({ description: 'Time to decrypt or refresh the credentials, in milliseconds.' }),
  ),
  application_ms: Type.Optional(
    Type.Number({ description: 'Time in which the server waited for the application, in milliseconds.' }),
  ),
  requests: Nullable(
    Type.Integer({
      description: 'Number of requests to the application, retries included; null while the call runs.',
    }),
  ),
  request_bytes: Nullable(
    Type.Integer({ description: 'Bytes sent to the application; null while the call runs.' }),
  ),
  response_bytes: Nullable(
    Type.Integer({ description: 'Bytes received from the application; null while the call runs.' }),
  ),
})

export const Entry = {
  id: Type.String({ description: 'Id of the log, `log_…`.' }),
  timestamp: Described(Timestamp, 'When the call began.'),
  type: Type.String({ description: 'Always `tool.execution`.' }),
  status: Described(Status, '`started`: the call may have had its effect, and its end is not known yet.'),
  level: Enum(['info', 'warn', 'error'], { description: 'Severity of the outcome.' }),
  message: Type.String({ description: 'Summary of the outcome.' }),
  metadata: Described(Metadata, 'What was called, and for whom.'),
  metrics: Described(Metrics, 'Durations and sizes.'),
  parent: Type.Unsafe<{ log_id: string; tool_slug: string } | null>({
    type: ['object', 'null'],
    properties: {
      log_id: { type: 'string', description: 'Id of that log, `log_…`.' },
      tool_slug: { type: 'string', description: 'Slug of that tool.' },
    },
    description: 'Call that made this one, such as that of a meta tool; null for none.',
  }),
}

const Search = Type.Object({
  ...PageBody,
  filters: Type.Optional(
    Type.Array(
      Type.Object({
        field: Enum(LOG_FIELDS, { description: 'Field to compare.' }),
        operator: Enum(LOG_OPERATORS, { description: 'Comparison.' }),
        value: Described(Text, 'Value to compare with. At most 1024 characters.'),
      }),
      {
        maxItems: FILTERS_MAX,
        description:
          'Filters. Several with `==` or `contains` on one field are alternatives; all others ' +
          'must match.',
      },
    ),
  ),
  time_range: Type.Optional(
    Type.Object(
      {
        from: Described(Millis, 'Begin of the period, in milliseconds since 1970 (UTC), inclusive.'),
        to: Described(Millis, 'End of the period, in milliseconds since 1970 (UTC), exclusive.'),
      },
      { description: 'Period in which the calls began.' },
    ),
  ),
})

export type LogSearch = Static<typeof Search>

export const ToolExecutionLog = Type.Object(
  {
    ...Entry,
    timings: Type.Optional(
      Type.Object(
        {
          start_time: Described(Millis, 'Begin, in milliseconds since 1970 (UTC).'),
          end_time: Type.Optional(Described(Millis, 'End, in milliseconds since 1970 (UTC).')),
        },
        { description: 'Begin and end of the call.' },
      ),
    ),
    context: Type.Object(
      {
        session_id: Type.Optional(Type.String({ description: 'Id of the session, `trs_…`.' })),
        sandbox_id: Type.Optional(Type.String({ description: 'Id of the sandbox.' })),
        request_id: Type.String({ description: 'Value of `x-request-id` of the call.' }),
      },
      { description: 'Context of the call.' },
    ),
    source: Type.Object(
      {
        host: Type.Optional(Type.String({ description: 'Kind of the client.' })),
        framework: Type.Optional(Type.String({ description: 'Agent framework.' })),
        language: Type.Optional(Type.String({ description: 'Programming language.' })),
        sdk_version: Type.Optional(Type.String({ description: 'Version of the SDK.' })),
      },
      { description: 'Client that made the call, as its headers say.' },
    ),
    data: Type.Object(
      {
        request: Type.Optional(Open({}, { description: 'Arguments of the call.' })),
        response: Type.Optional(Open({}, { description: 'Result of the call.' })),
      },
      { description: 'Arguments and result. Empty when the project does not store data.' },
    ),
  },
  { $id: 'ToolExecutionLog' },
)

export type ToolExecutionLog = Static<typeof ToolExecutionLog>

export const searchLogs = route({
  ...observability,
  id: 'logs.search',
  audit: false,
  method: 'POST',
  path: '/logs/tool_execution',
  summary: 'Search execution logs, newest first',
  description:
    'Returns a page of execution logs, newest first, without arguments and results. Logs are stored ' +
    'for `LOG_RETENTION_DAYS` of the server.',
  example: { body: { filters: [{ field: 'status', operator: '==', value: 'failed' }], limit: 20 } },
  body: Search,
  reply: Type.Object({
    logs: Type.Array(Type.Object(Entry), { description: 'Logs of this page.' }),
    next_cursor: Nullable(
      Type.String({
        description:
          'Value of `cursor` for the next page; null on the last page. A search takes less than a second: a page ' +
          'can have few logs, or none, although more follow.',
      }),
    ),
  }),
})

export const exportLogs = route({
  ...observability,
  id: 'logs.export',
  method: 'POST',
  path: '/logs/tool_execution/export',
  summary: 'Export execution logs',
  description:
    'An extension of this server. Returns a page of execution logs as NDJSON or CSV text, newest first, without ' +
    'arguments and results. Append pages to make the file; each page that is exported is an entry of the audit log.',
  example: { body: { format: 'csv', limit: 1000 } },
  body: Type.Object({
    ...Search.properties,
    format: Type.Optional(
      Enum(['ndjson', 'csv'], { description: 'Format of `content`. Default: `ndjson`.' }),
    ),
  }),
  reply: Type.Object({
    format: Enum(['ndjson', 'csv'], { description: 'Format of `content`.' }),
    content: Type.String({
      description: 'The executions of this page. The first page of a CSV file has the header.',
    }),
    next_cursor: Nullable(
      Type.String({ description: 'Value of `cursor` for the next page; null on the last page.' }),
    ),
  }),
})

export const readLog = route({
  ...observability,
  id: 'logs.show',
  method: 'GET',
  path: '/logs/tool_execution/:id',
  summary: 'Read one execution log',
  description:
    'Returns one execution log with the arguments, the result and the durations. Secrets are ' +
    'redacted. Projects with `log_visibility_setting: dont_store_data` have no arguments and results.',
  example: { params: { id: exampleId('log') }, needs: 'an execution' },
  params: Type.Object({ id: Described(Id('log'), 'Id of the log, `log_…`.') }),
  reply: ToolExecutionLog,
  errors: ['Log_NotFound'],
})

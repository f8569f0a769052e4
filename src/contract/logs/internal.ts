import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Id, Nullable, NumberCursor, Open, PageBody } from '../common.ts'
import { route } from '../route.ts'
import { FILTERS_MAX, LOG_OPERATORS, Millis, observability, Status, Text } from './executions.ts'

const InternalSearch = Type.Object({
  cursor: NumberCursor,
  limit: PageBody.limit,
  case_sensitive: Type.Optional(
    Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'Whether comparisons respect letter case. Default false.',
    }),
  ),
  from: Type.Optional(
    Described(Millis, 'Only calls that began at or after this time, in milliseconds since 1970 (UTC).'),
  ),
  to: Type.Optional(
    Described(Millis, 'Only calls that began before this time, in milliseconds since 1970 (UTC).'),
  ),
  search_params: Type.Optional(
    Type.Array(
      Type.Object({
        field: Type.Optional(Type.String({ maxLength: 64, description: 'Field to compare.' })),
        operation: Type.Optional(Enum(LOG_OPERATORS, { description: 'Comparison.' })),
        value: Type.Optional(Described(Text, 'Value to compare with. At most 1024 characters.')),
      }),
      { maxItems: FILTERS_MAX, description: 'Filters. All of them must match.' },
    ),
  ),
})

export type InternalLogSearch = Static<typeof InternalSearch>

const App = Type.Object({
  icon: Type.String({ description: 'URL of the logo.' }),
  name: Type.String({ description: 'Name of the toolkit.' }),
})

export const searchInternalLogs = route({
  ...observability,
  id: 'logs.internal',
  audit: false,
  method: 'POST',
  path: '/internal/action_execution/logs',
  summary: 'Search execution logs (earlier URL)',
  description:
    'Returns a page of execution logs in the format of earlier versions. Use `POST ' +
    '/logs/tool_execution` in new clients.',
  example: { body: { limit: 20 } },
  body: InternalSearch,
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Id of the log, `log_…`.' }),
        actionKey: Type.String({ description: 'Slug of the tool.' }),
        appKey: Type.String({ description: 'Slug of the toolkit.' }),
        app: Described(App, 'Toolkit of the tool.'),
        connectedAccountId: Type.String({
          description: 'Id of the connected account, `ca_…`; empty for none.',
        }),
        entityId: Type.String({ description: 'Id of the user that the call was for.' }),
        status: Described(
          Status,
          '`started`: the call may have had its effect, and its end is not known yet.',
        ),
        executionTime: Type.Integer({ description: 'Duration in milliseconds.' }),
        minimalResponse: Type.String({ description: 'Beginning of the error; empty on success.' }),
        metadata: Type.Object(
          {
            recipe_id: Nullable(
              Type.String({ description: 'Id of the recipe that made the call; null for none.' }),
            ),
          },
          { description: 'Further fields.' },
        ),
        createdAt: Type.Integer({ description: 'When the call began, in milliseconds since 1970 (UTC).' }),
      }),
      { description: 'Logs of this page.' },
    ),
    nextCursor: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Value of `cursor` for the next page; null on the last page.',
    }),
  }),
})

export const readInternalLogFields = route({
  ...observability,
  id: 'logs.internalFields',
  method: 'GET',
  path: '/internal/action_execution/fields',
  summary: 'List the searchable fields of execution logs',
  description: 'Returns the fields that `POST /internal/action_execution/logs` can search, by type.',
  reply: Type.Object({
    fields: Type.Record(
      Type.String(),
      Type.Array(
        Type.Object({
          id: Type.String({ description: 'Name of the field, for `search_params[].field`.' }),
          displayName: Type.String({ description: 'Display name.' }),
          type: Type.String({ description: 'Type of the value.' }),
          regex: Type.Optional(Type.String({ description: 'Pattern of valid values.' })),
        }),
      ),
      { description: 'Searchable fields by type.' },
    ),
  }),
})

const StepLog = Type.Object({
  type: Enum(['tool_execution', 'fetch_connection_details'], { description: 'Kind of the step.' }),
  startTime: Type.Integer({ description: 'Begin, in milliseconds since 1970 (UTC).' }),
  endTime: Type.Integer({ description: 'End, in milliseconds since 1970 (UTC).' }),
  totalDuration: Type.Number({ description: 'Duration in milliseconds.' }),
  status: Enum(['success', 'failure', 'error'], { description: 'Outcome of the step.' }),
  message: Type.String({ description: 'Summary of the step.' }),
})

export const readInternalLog = route({
  ...observability,
  id: 'logs.internalRead',
  method: 'GET',
  path: '/internal/action_execution/log/:id',
  summary: 'Read one execution log (earlier URL)',
  description:
    'Returns one execution log in the format of earlier versions. Use `GET ' +
    '/logs/tool_execution/{id}` in new clients.',
  example: { params: { id: exampleId('log') }, needs: 'an execution' },
  params: Type.Object({ id: Described(Id('log'), 'Id of the log, `log_…`.') }),
  reply: Type.Object({
    actionLogId: Type.String({ description: 'Id of the log, `log_…`.' }),
    actionId: Type.String({ description: 'Slug of the tool.' }),
    status: Enum(['success', 'error', 'warning', 'info'], { description: 'Outcome of the call.' }),
    app: Type.Object(
      {
        name: Type.String({ description: 'Name of the toolkit.' }),
        uniqueId: Type.String({ description: 'Slug of the toolkit.' }),
        icon: Type.String({ description: 'URL of the logo.' }),
      },
      { description: 'Toolkit of the tool.' },
    ),
    version: Type.String({ description: 'Version of the toolkit.' }),
    connection: Type.Object(
      {
        id: Type.String({ description: 'Id of the connected account, `ca_…`; empty for none.' }),
        entity: Type.String({ description: 'Id of the user that the call was for.' }),
      },
      { description: 'Connected account and user of the call.' },
    ),
    session: Open({}, { description: 'Session of the call; empty for none.' }),
    executionMetadata: Open({}, { description: 'Details of the call.' }),
    steps: Type.Array(StepLog, { description: 'Steps of the call, in order.' }),
    payloadReceived: Open(
      {},
      { description: 'Arguments of the call. Empty when the project does not store data.' },
    ),
    startTime: Type.Integer({ description: 'Begin, in milliseconds since 1970 (UTC).' }),
    endTime: Type.Integer({ description: 'End, in milliseconds since 1970 (UTC).' }),
    totalDuration: Type.String({ description: 'Duration, in milliseconds, as text.' }),
    response: Open({}, { description: 'Result of the call. Empty when the project does not store data.' }),
    error: Open({}, { description: 'Error of the call; empty on success.' }),
  }),
  errors: ['Log_NotFound'],
})

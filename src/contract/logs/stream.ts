import { Type } from '../schema-type.ts'
import { route } from '../route.ts'
import { Entry, observability, Status } from './executions.ts'

const equal = (name: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: `Only executions with this ${name}.` }),
  )

export const streamLogs = route({
  ...observability,
  id: 'logs.stream',
  method: 'GET',
  path: '/logs/stream',
  summary: 'Follow tool executions as they start and end',
  description:
    'An extension of this server. With `Accept: text/event-stream` the connection stays open and sends each ' +
    'execution as a message: once when it is stored, and again when it ends. Otherwise the call returns up to 200 ' +
    'executions at once. Executions after a position may come twice: identify them by `id`. Of more than 200 in a ' +
    'second the newest are sent; `logs.search` has all.',
  example: { query: { last_event_id: '0' } },
  streams: true,
  query: Type.Object({
    last_event_id: Type.Optional(
      Type.String({
        maxLength: 16,
        pattern: '^\\d{1,16}$',
        description:
          'Position after which to continue. Default: only new executions. Streams also accept the header ' +
          '`Last-Event-ID`.',
        examples: ['1767225600000000'],
      }),
    ),
    tool_slug: equal('tool'),
    toolkit_slug: equal('toolkit'),
    user_id: equal('user'),
    connected_account_id: equal('connected account'),
    session_id: equal('session'),
    request_id: equal('request id'),
    status: Type.Optional({ ...Status, description: 'Only executions with this status.' } as typeof Status),
  }),
  reply: Type.Object({
    items: Type.Array(Type.Object(Entry), {
      description:
        'Executions, oldest first. With `Accept: text/event-stream`, each is the data of one message of a ' +
        'continuous stream.',
    }),
    last_event_id: Type.String({
      description: 'Position of the last execution: the `last_event_id` of the next call.',
    }),
  }),
  errors: ['Log_TooManyStreams'],
})

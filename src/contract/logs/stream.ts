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
    'execution as a message: once when it is stored, and again when it ends. Calls of several seconds that only read ' +
    'are stored when they end, and come up to 15 seconds later. Otherwise the call returns a page of up to 200 ' +
    'executions after `last_event_id`, in the order of their start. Neither leaves any out, however many there are. ' +
    'Executions around a position come twice: identify them by `id`. After a position that is older than the log, ' +
    'the stream first sends `{"type": "tool.execution.missed", "count": null}`.',
  example: { query: { last_event_id: '0' } },
  streams: true,
  query: Type.Object({
    last_event_id: Type.Optional(
      Type.String({
        maxLength: 128,
        pattern: '^\\d{1,16}(\\.\\d{1,16}\\.\\d{1,16}\\.[A-Za-z0-9_-]{1,64})?$',
        description:
          'Position after which to continue; 0: the beginning of the log. Default: only new executions. Streams also ' +
          'accept the header `Last-Event-ID`.',
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
      description: 'Position after these executions: the `last_event_id` of the next call.',
    }),
    missed: Type.Boolean({
      description: 'Whether the log has removed executions after the position, so that some are missing.',
    }),
  }),
  errors: ['Log_TooManyStreams'],
})

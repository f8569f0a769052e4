import { type Static, Type } from '../../../contract/schema-type.ts'
import { conditionThat, OneOfText, optional, Path, Strict, Text } from './shapes.ts'

/**
 * Units of waits. The same header is a timestamp at some vendors and a delay at others, so a manifest always
 * declares it.
 */
export const WAIT_UNITS = [
  'seconds',
  'milliseconds',
  'minutes',
  'timestamp',
  'timestamp_ms',
  'date',
  'retry_after',
  'duration',
] as const

const Unit = OneOfText(WAIT_UNITS, {
  description:
    'seconds, milliseconds, minutes: a delay. timestamp, timestamp_ms: seconds or milliseconds since ' +
    '1970. date: HTTP date or ISO 8601. retry_after: seconds or HTTP date (RFC 9110). duration: ' +
    '`1m30s`, `850ms`, `PT30S`.',
})

const Wait = Strict({
  when: optional(conditionThat('Only for these responses.')),
  header: optional(Text('Header with the wait, lower case.')),
  body: optional(Path('Path of the wait in the JSON body.')),
  value: optional(Type.Number({ minimum: 0, description: 'A constant wait.' })),
  pattern: optional(
    Text('Regular expression whose first group is the wait, for a longer header or text.', {
      maxLength: 200,
    }),
  ),
  unit: Unit,
})

/**
 * Rate limits of an application. A response is rate-limited when the table of errors maps it to `rate_limit`.
 */
export const RateLimit = Strict(
  {
    counts: optional(
      OneOfText(['account', 'tool', 'app'], {
        description:
          'What shares a limit: all calls of an account (default), the calls of one tool of an ' +
          'account, or all accounts of an auth config.',
      }),
    ),
    wait: optional(
      Type.Array(Wait, {
        maxItems: 8,
        description:
          'How long to wait after a rate-limited response: the first entry with a value. `Retry-After` ' +
          '(RFC 9110) is always read last.',
      }),
    ),
    remaining: optional(
      Strict(
        {
          header: Text('Header with the number of remaining calls, lower case.'),
          reset: Strict(
            { header: Text('Header with the time of the reset, lower case.'), unit: Unit },
            { description: 'Time of the reset.' },
          ),
        },
        {
          description:
            'Responses have the number of remaining calls. At 0 the next call waits instead of being ' +
            'rejected.',
        },
      ),
    ),
    concurrency: optional(
      Type.Integer({
        minimum: 1,
        maximum: 256,
        description: 'Maximum number of concurrent requests of one account, for each server. Default 32.',
      }),
    ),
  },
  { description: 'Rate limits of the application.' },
)

/** Limits of one tool. Numbers of items belong into its input schema (`maxItems`). */
export const ToolLimits = Strict(
  {
    arguments_bytes: optional(
      Type.Integer({
        minimum: 1,
        maximum: 6_000_000,
        description: 'Maximum size of the arguments as JSON, in bytes.',
      }),
    ),
    response_bytes: optional(
      Type.Integer({
        minimum: 1,
        maximum: 104_857_600,
        description: 'Maximum size of the response in bytes. Default 10 MB.',
      }),
    ),
    bucket: optional(
      Text('Name of a separate rate limit of this tool, e.g. `search`.', {
        pattern: '^[a-z0-9_]+$',
        maxLength: 40,
      }),
    ),
  },
  { description: 'Limits of this tool.' },
)

/**
 * Key by which the application recognizes a repeated request. It is the same for every attempt of one
 * execution.
 */
const idempotencyKeyFields = {
  header: optional(Text('Header with the key, lower case.')),
  body: optional(Path('Path of the key in a JSON or form body.')),
  argument: optional(Text('Argument with the key. The server sets it when the caller leaves it out.')),
  format: optional(
    OneOfText(['uuid', 'hex'], { description: 'Format of the key. Default uuid; hex: 32 digits.' }),
  ),
}
export const IdempotencyKey = Strict(idempotencyKeyFields, {
  description:
    'Where the application accepts an idempotency key. With a key, a write is retried like a read.',
})
export const ToolkitIdempotency = Strict(
  {
    header: Text('Header with the key, lower case.'),
    methods: Type.Array(OneOfText(['POST', 'PUT', 'PATCH', 'DELETE']), {
      minItems: 1,
      description: 'Methods of the requests with the key.',
    }),
    format: idempotencyKeyFields.format,
  },
  { description: 'Idempotency key of all writes of the application.' },
)

export type RateLimitManifest = Static<typeof RateLimit>
export type WaitManifest = Static<typeof Wait>
export type WaitUnit = (typeof WAIT_UNITS)[number]
export type IdempotencyKeyManifest = Static<typeof IdempotencyKey>

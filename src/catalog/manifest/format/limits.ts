import { type Static, Type } from 'typebox'
import { conditionThat, OneOfText, optional, Path, Strict, Text } from './shapes.ts'

/** One name means a moment for some vendors and a delay for others, so the meaning is always said. What each reads is in `wait-units.ts`. */
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
    'seconds, milliseconds, minutes: a delay; timestamp, timestamp_ms: a moment since 1970 in seconds or milliseconds; date: a moment as HTTP date or ISO 8601; retry_after: seconds or HTTP date (RFC 9110); duration: `1m30s`, `850ms`, `PT30S`.',
})

const Wait = Strict({
  when: optional(conditionThat('Only for these replies.')),
  header: optional(Text('Header field that holds it, lower case.')),
  body: optional(Path('Or where it stands in the JSON body.')),
  value: optional(Type.Number({ minimum: 0, description: 'Or a wait that is always the same.' })),
  pattern: optional(
    Text('Regular expression whose first group is the value, for a header or a text that says more.', {
      maxLength: 200,
    }),
  ),
  unit: Unit,
})

/** What the limits of an application are and how its replies tell them. A reply is one about a limit when the table of errors says `rate_limit`. */
export const RateLimit = Strict(
  {
    counts: optional(
      OneOfText(['account', 'tool', 'app'], {
        description:
          'Who shares a limit: all calls of an account (default), those of one tool of it, or all accounts of an auth config.',
      }),
    ),
    wait: optional(
      Type.Array(Wait, {
        maxItems: 8,
        description:
          'How long to wait after a refusal: the first that gives a value. `Retry-After` (RFC 9110) is known without being named, and asked last.',
      }),
    ),
    remaining: optional(
      Strict(
        {
          header: Text('Header field that says how many calls are left, lower case.'),
          reset: Strict(
            { header: Text('Header field that says when there are more, lower case.'), unit: Unit },
            { description: 'When there are more.' },
          ),
        },
        {
          description:
            'Replies say how many calls are left: at 0 the next one waits instead of being refused.',
        },
      ),
    ),
    concurrency: optional(
      Type.Integer({
        minimum: 1,
        maximum: 256,
        description:
          'How many requests of one account may be under way at once, for each server. Default 32.',
      }),
    ),
  },
  { description: 'Rate limits of the application.' },
)

/** Bounds of one tool. Counts of arguments belong into its input schema (`maxItems`). */
export const ToolLimits = Strict(
  {
    arguments_bytes: optional(
      Type.Integer({
        minimum: 1,
        maximum: 6_000_000,
        description: 'Most bytes that the arguments may have as JSON.',
      }),
    ),
    response_bytes: optional(
      Type.Integer({
        minimum: 1,
        maximum: 104_857_600,
        description: 'Most bytes that the reply may have. Default 10 MB.',
      }),
    ),
    bucket: optional(
      Text('Name of a rate limit that this tool has apart from the others, e.g. `search`.', {
        pattern: '^[a-z0-9_]+$',
        maxLength: 40,
      }),
    ),
  },
  { description: 'Bounds of this tool.' },
)

/** A key by which the application knows a repeated request, so that a write can be repeated after a fault. It is the same for every attempt of one execution. */
const idempotencyKeyFields = {
  header: optional(Text('Header field that carries it, lower case.')),
  body: optional(Path('Or the member of a JSON or form body.')),
  argument: optional(Text('Or the argument that carries it, when the caller leaves it out.')),
  format: optional(OneOfText(['uuid', 'hex'], { description: 'Default uuid; hex: 32 digits.' })),
}
export const IdempotencyKey = Strict(idempotencyKeyFields, {
  description:
    'Where the application takes an idempotency key. With one, a write is repeated after a fault as a read is.',
})
export const ToolkitIdempotency = Strict(
  {
    header: Text('Header field that carries it, lower case.'),
    methods: Type.Array(OneOfText(['POST', 'PUT', 'PATCH', 'DELETE']), {
      minItems: 1,
      description: 'Methods of the requests that take it.',
    }),
    format: idempotencyKeyFields.format,
  },
  { description: 'An idempotency key that all writes of the application take.' },
)

export type RateLimitManifest = Static<typeof RateLimit>
export type WaitManifest = Static<typeof Wait>
export type WaitUnit = (typeof WAIT_UNITS)[number]
export type IdempotencyKeyManifest = Static<typeof IdempotencyKey>

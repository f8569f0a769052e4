import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, Id, Slug, ToolkitSlug, UserId } from '../common.ts'
import { CONTENT_CATEGORIES } from './content-categories.ts'

export const HINTS = [
  'readOnlyHint',
  'createHint',
  'updateHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
] as const

export const closed = { additionalProperties: false } as const

const Text = Type.String({ maxLength: 1_000 })

const Scalar = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  maxLength: 1_000,
})

const listOf = <T extends Parameters<typeof Type.Array>[0]>(item: T, description: string) =>
  Type.Array(item, { minItems: 1, maxItems: 200, description })

const Recipient = Type.String({ minLength: 1, maxLength: 256 })

export const ArgumentTest = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Path of the argument: `amount`, `message.to`, or `to[].email` for every item of a list.',
      examples: ['amount'],
    }),
    equals: Type.Optional(Described(Scalar, 'The argument equals this value.')),
    one_of: Type.Optional(
      Type.Array(Scalar, { minItems: 1, maxItems: 200, description: 'The argument is one of these values.' }),
    ),
    contains: Type.Optional(Described(Text, 'The argument contains this text.')),
    exists: Type.Optional(Type.Boolean({ description: 'Whether the argument is present.' })),
    above: Type.Optional(
      Type.Number({ description: 'The argument is a number larger than this, or text that holds one.' }),
    ),
    below: Type.Optional(
      Type.Number({ description: 'The argument is a number smaller than this, or text that holds one.' }),
    ),
    outside: Type.Optional(
      listOf(
        Recipient,
        'At least one recipient is none of these: domains (`example.com`), e-mail addresses, ' +
          'or names as the argument spells them.',
      ),
    ),
    within: Type.Optional(listOf(Recipient, 'Every recipient is one of these.')),
  },
  {
    ...closed,
    description:
      'Test of one argument. It needs at least one condition next to `path`; all conditions must match.',
  },
)

export type ArgumentTest = Static<typeof ArgumentTest>

export const UntrustedContent = Type.Object(
  {
    categories: Type.Optional(
      Type.Array(Enum(CONTENT_CATEGORIES), {
        minItems: 1,
        maxItems: CONTENT_CATEGORIES.length,
        description: 'Only content of these kinds. Default: all.',
      }),
    ),
    toolkits: Type.Optional(listOf(ToolkitSlug, 'Only content that tools of these toolkits returned.')),
    traced_only: Type.Optional(
      Type.Boolean({
        description:
          'Ignore calls outside of sessions and MCP servers. Default false: what their caller has read is unknown, ' +
          'so a policy that asks or denies applies to them.',
      }),
    ),
  },
  {
    ...closed,
    description:
      'Calls in a session that has read content which other people wrote. Empty: content of any kind.',
  },
)

export type UntrustedContent = Static<typeof UntrustedContent>

export const PolicyCondition = Type.Object(
  {
    tools: Type.Optional(
      listOf(Slug, 'Slugs of tools, current or former. `PROXY_EXECUTE` means proxy requests.'),
    ),
    toolkits: Type.Optional(listOf(ToolkitSlug, 'Slugs of toolkits.')),
    hints: Type.Optional(
      Type.Array(Enum(HINTS), {
        minItems: 1,
        maxItems: HINTS.length,
        description: 'Tools with any of these hints.',
      }),
    ),
    user_ids: Type.Optional(listOf(UserId, 'Ids of the users that calls are for.')),
    connected_account_ids: Type.Optional(listOf(Id('ca'), 'Ids of the connected accounts that calls use.')),
    session_ids: Type.Optional(
      listOf(Type.String({ minLength: 1, maxLength: 80 }), 'Ids of the sessions that calls are made in.'),
    ),
    sends_data: Type.Optional(
      Type.Boolean({
        description:
          'Whether the tool sends data out or changes something: tools that create, update or delete, and tools ' +
          'that pass their arguments to a server or a search engine of others.',
      }),
    ),
    untrusted_content: Type.Optional(UntrustedContent),
    arguments: Type.Optional(
      Type.Array(ArgumentTest, {
        minItems: 1,
        maxItems: 20,
        description: 'Tests of arguments; all of them must match.',
      }),
    ),
  },
  {
    ...closed,
    description: 'Calls that the policy applies to: all given conditions must match. Empty: every call.',
  },
)

export type PolicyCondition = Static<typeof PolicyCondition>

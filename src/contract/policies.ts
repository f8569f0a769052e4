import { type Static, Type } from 'typebox'
import {
  Enum,
  FreeObject,
  Id,
  Nullable,
  PageOf,
  PageQuery,
  Slug,
  Success,
  Timestamp,
  ToolkitSlug,
  UserId,
} from './common.ts'
import { route } from './route.ts'

// Our own addition to the API: what decides whether a call may be made. Only keys without restrictions may change it: whoever is held by a policy must not be able to lift it.
export const OUTCOMES = ['allow', 'ask', 'deny'] as const
export type Outcome = (typeof OUTCOMES)[number]
export const HINTS = [
  'readOnlyHint',
  'createHint',
  'updateHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
] as const

const closed = { additionalProperties: false } as const
const Text = Type.String({ maxLength: 1_000 })
const Scalar = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  maxLength: 1_000,
})
const some = <T extends Parameters<typeof Type.Array>[0]>(item: T, description: string) =>
  Type.Array(item, { minItems: 1, maxItems: 200, description })
const Party = Type.String({ minLength: 1, maxLength: 256 })

export const ArgumentTest = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'Where it stands in the arguments: `amount`, `message.to`, `to[].email` for every item of a list.',
      examples: ['amount'],
    }),
    equals: Type.Optional(Scalar),
    one_of: Type.Optional(Type.Array(Scalar, { minItems: 1, maxItems: 200 })),
    contains: Type.Optional(Text),
    exists: Type.Optional(Type.Boolean()),
    above: Type.Optional(Type.Number({ description: 'A number, or text that is one, larger than this.' })),
    below: Type.Optional(Type.Number()),
    outside: Type.Optional(
      some(
        Party,
        'A recipient is none of these: whole domains (`example.com`), addresses, or names as the argument has them.',
      ),
    ),
    within: Type.Optional(some(Party, 'Every recipient is one of these.')),
  },
  { ...closed, description: 'All that is given must hold; at least one test beside the path.' },
)
export type ArgumentTest = Static<typeof ArgumentTest>

export const When = Type.Object(
  {
    tools: Type.Optional(
      some(
        Slug,
        'Slugs of tools, by any name they ever had. PROXY_EXECUTE is a request of the caller’s own.',
      ),
    ),
    toolkits: Type.Optional(some(ToolkitSlug, 'Slugs of toolkits.')),
    hints: Type.Optional(
      Type.Array(Enum(HINTS), {
        minItems: 1,
        maxItems: HINTS.length,
        description: 'Tools with any of these hints.',
      }),
    ),
    user_ids: Type.Optional(some(UserId, 'Users that calls are made for.')),
    connected_account_ids: Type.Optional(some(Id('ca'), 'Accounts that calls are made with.')),
    session_ids: Type.Optional(
      some(Type.String({ minLength: 1, maxLength: 80 }), 'Tool router sessions that calls are made in.'),
    ),
    arguments: Type.Optional(Type.Array(ArgumentTest, { minItems: 1, maxItems: 20 })),
  },
  {
    ...closed,
    description: 'What calls it is about: all that is given must hold. Nothing given: every call.',
  },
)
export type When = Static<typeof When>

const Fields = {
  name: Type.String({ minLength: 1, maxLength: 128, examples: ['Large refunds'] }),
  outcome: Enum(OUTCOMES, { description: '`deny` goes before `ask`, `ask` before `allow`.' }),
  enabled: Type.Boolean({ description: 'Default true.' }),
  fallback: Type.Boolean({
    description: 'It counts only where no other policy is about the call. Default false.',
  }),
  message: Nullable(
    Type.String({ maxLength: 500, description: 'Told to the caller, and to the person who is asked.' }),
  ),
  covers_proxy: Type.Boolean({
    description:
      'A request of the caller’s own (PROXY_EXECUTE) might do what a tool does, so where this policy asks or denies, it counts for requests that could be meant. Default true.',
  }),
  approval_seconds: Type.Integer({
    minimum: 60,
    maximum: 86_400,
    description: 'How long a person has to decide, and how long what they allowed is good. Default 600.',
  }),
  approval_link: Type.Boolean({
    description:
      'Whether the caller gets the address of a page on which a person decides. Without it only a key or a signed webhook can. Default true.',
  }),
}
export const Policy = Type.Object(
  { id: Type.String(), ...Fields, when: When, created_at: Timestamp, updated_at: Timestamp },
  { $id: 'Policy' },
)
export type Policy = Static<typeof Policy>
const { name: Name, outcome: What, ...Rest } = Fields
const Draft = Type.Object(
  { name: Name, outcome: What, when: Type.Optional(When), ...Type.Partial(Type.Object(Rest)).properties },
  closed,
)
export type PolicyDraft = Static<typeof Draft>
const Change = Type.Partial(Type.Object({ ...Fields, when: When }), closed)
export type PolicyChange = Static<typeof Change>

const params = Type.Object({ policy_id: Id('pol') })
const project = { audience: 'project' } as const

export const createPolicy = route({
  ...project,
  id: 'policies.create',
  method: 'POST',
  path: '/policies',
  summary: 'Have calls allowed, refused, or wait for a person; a project may have a hundred policies',
  body: Draft,
  status: 201,
  reply: Policy,
  errors: ['Policy_LimitReached'],
})
export const listPolicies = route({
  ...project,
  id: 'policies.list',
  method: 'GET',
  path: '/policies',
  summary: 'List policies, oldest first',
  query: Type.Object(PageQuery),
  reply: PageOf(Policy),
})
export const checkPolicies = route({
  ...project,
  id: 'policies.check',
  method: 'POST',
  path: '/policies/check',
  summary: 'What the policies would say to a call, and which of them; nothing is called',
  body: Type.Object(
    {
      tool_slug: Slug,
      arguments: Type.Optional(FreeObject),
      user_id: Type.Optional(UserId),
      connected_account_id: Type.Optional(Id('ca')),
      session_id: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
      toolkit_slug: Type.Optional({
        ...ToolkitSlug,
        description: 'Of the account, for PROXY_EXECUTE.',
      } as typeof ToolkitSlug),
    },
    closed,
  ),
  reply: Type.Object({
    outcome: Enum(OUTCOMES),
    policies: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        outcome: Enum(OUTCOMES),
        fallback: Type.Boolean(),
        certain: Type.Boolean({
          description: 'False: it cannot be told whether the call is meant, and it counts all the same.',
        }),
      }),
    ),
  }),
  errors: ['Tool_ToolNotFound', 'Toolkit_ToolkitNotFound'],
})
export const readPolicy = route({
  ...project,
  id: 'policies.read',
  method: 'GET',
  path: '/policies/:policy_id',
  summary: 'Read a policy',
  params,
  reply: Policy,
  errors: ['Policy_NotFound'],
})
export const updatePolicy = route({
  ...project,
  id: 'policies.update',
  method: 'PATCH',
  path: '/policies/:policy_id',
  summary: 'Change a policy; `when` is replaced as a whole',
  params,
  body: Change,
  reply: Policy,
  errors: ['Policy_NotFound'],
})
export const deletePolicy = route({
  ...project,
  id: 'policies.delete',
  method: 'DELETE',
  path: '/policies/:policy_id',
  summary: 'Delete a policy',
  params,
  reply: Success,
  errors: ['Policy_NotFound'],
})

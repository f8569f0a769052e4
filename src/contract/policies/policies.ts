import { type Static, Type } from '../schema-type.ts'
import {
  Described,
  Enum,
  exampleId,
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
} from '../common.ts'
import { route } from '../route.ts'
import { closed, PolicyCondition } from './conditions.ts'

// An addition of this server: rules that allow, deny, or ask a person about calls. Only unrestricted keys can
// change them, so that an agent with a scoped key cannot remove a policy that limits it.
export const OUTCOMES = ['allow', 'ask', 'deny'] as const

export type Outcome = (typeof OUTCOMES)[number]

const Fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 128,
    examples: ['Large refunds'],
    description: 'Display name of the policy.',
  }),
  outcome: Enum(OUTCOMES, {
    description: 'Decision. `deny` takes precedence over `ask`, and `ask` over `allow`.',
  }),
  enabled: Type.Boolean({ description: 'Whether the policy applies. Default true.' }),
  fallback: Type.Boolean({
    description: 'Apply the policy only to calls that no other policy matches. Default false.',
  }),
  message: Nullable(
    Type.String({
      maxLength: 500,
      description: 'Text for the caller, and for the person who decides; null for none.',
    }),
  ),
  covers_proxy: Type.Boolean({
    description:
      'Whether a policy that asks or denies also applies to proxy requests, which might do ' +
      'the same as a matching tool. Default true.',
  }),
  approval_seconds: Type.Integer({
    minimum: 60,
    maximum: 86_400,
    description:
      'Time for a decision, and time in which an approved call must be made, in seconds. Default 600.',
  }),
  approval_link: Type.Boolean({
    description:
      'Whether the caller receives the URL of a page on which a person decides. A person who has the URL ' +
      'can decide, so an agent that can open pages could approve its own calls. Default false: create ' +
      'the link with `approvals.link` and send it to a person.',
  }),
}

export const Policy = Type.Object(
  {
    id: Type.String({ description: 'Id of the policy, `pol_…`.' }),
    ...Fields,
    when: Described(PolicyCondition, 'Calls that the policy applies to.'),
    created_at: Described(Timestamp, 'When the policy was created.'),
    updated_at: Described(Timestamp, 'When the policy was last changed.'),
  },
  { $id: 'Policy' },
)

export type Policy = Static<typeof Policy>

const { name: NameField, outcome: OutcomeField, ...Rest } = Fields

const Draft = Type.Object(
  {
    name: NameField,
    outcome: OutcomeField,
    when: Type.Optional(Described(PolicyCondition, 'Calls that the policy applies to. Default: every call.')),
    ...Type.Partial(Type.Object(Rest)).properties,
  },
  closed,
)

export type PolicyDraft = Static<typeof Draft>

const Change = Type.Partial(
  Type.Object({
    ...Fields,
    when: Described(PolicyCondition, 'Calls that the policy applies to. The whole object is replaced.'),
  }),
  closed,
)

export type PolicyChange = Static<typeof Change>

const params = Type.Object({ policy_id: Described(Id('pol'), 'Id of the policy, `pol_…`.') })

const projectAccess = { audience: 'project' } as const

export const createPolicy = route({
  ...projectAccess,
  id: 'policies.create',
  method: 'POST',
  path: '/policies',
  summary: 'Create a policy',
  description:
    'Creates a policy that allows, denies, or asks a person about matching calls. It applies to the ' +
    'next call. A project may have 100 policies.',
  example: {
    body: { name: 'Sending mail needs approval', outcome: 'ask', when: { tools: ['GMAIL_SEND_EMAIL'] } },
  },
  body: Draft,
  status: 201,
  reply: Policy,
  errors: ['Policy_LimitReached'],
})

export const listPolicies = route({
  ...projectAccess,
  id: 'policies.list',
  method: 'GET',
  path: '/policies',
  summary: 'List policies, oldest first',
  description: 'Returns a page of the policies of the project, oldest first.',
  example: { query: { limit: 50 } },
  query: Type.Object(PageQuery),
  reply: PageOf(Policy),
})

export const checkPolicies = route({
  ...projectAccess,
  id: 'policies.check',
  audit: false,
  method: 'POST',
  path: '/policies/check',
  summary: 'Preview the decision of the policies for a call',
  description:
    'Returns the decision of the policies for a call, and the policies that match it. Nothing is ' +
    'executed and no approval is requested.',
  example: { body: { tool_slug: 'UTILITIES_GET_CURRENT_TIME', arguments: { timezone: 'UTC' } } },
  body: Type.Object(
    {
      tool_slug: Described(Slug, 'Slug of the tool, or `PROXY_EXECUTE` for a proxy request.'),
      arguments: Type.Optional(Described(FreeObject, 'Arguments of the call.')),
      user_id: Type.Optional(Described(UserId, 'Id of the user that the call is for.')),
      connected_account_id: Type.Optional(Described(Id('ca'), 'Id of the connected account, `ca_…`.')),
      session_id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 80, description: 'Id of the session, `trs_…`.' }),
      ),
      toolkit_slug: Type.Optional({
        ...ToolkitSlug,
        description: 'Toolkit of the account, for `PROXY_EXECUTE`.',
      } as typeof ToolkitSlug),
    },
    closed,
  ),
  reply: Type.Object({
    outcome: Enum(OUTCOMES, { description: 'Decision for this call.' }),
    policies: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Id of the policy, `pol_…`.' }),
        name: Type.String({ description: 'Display name of the policy.' }),
        outcome: Enum(OUTCOMES, { description: 'Decision of the policy.' }),
        fallback: Type.Boolean({
          description: 'Whether the policy applies only to calls that no other policy matches.',
        }),
        certain: Type.Boolean({
          description: 'False when the server cannot tell whether the policy matches; it then applies.',
        }),
      }),
      { description: 'Policies that match the call.' },
    ),
  }),
  errors: ['Tool_ToolNotFound', 'Toolkit_ToolkitNotFound'],
})

export const readPolicy = route({
  ...projectAccess,
  id: 'policies.read',
  method: 'GET',
  path: '/policies/:policy_id',
  summary: 'Read a policy',
  description: 'Returns one policy.',
  example: { params: { policy_id: exampleId('pol') }, needs: 'a policy' },
  params,
  reply: Policy,
  errors: ['Policy_NotFound'],
})

export const updatePolicy = route({
  ...projectAccess,
  id: 'policies.update',
  method: 'PATCH',
  path: '/policies/:policy_id',
  summary: 'Change a policy',
  description:
    'Changes the fields that the body contains; all others stay as they are. `when` is replaced as a ' +
    'whole.',
  example: { params: { policy_id: exampleId('pol') }, body: { enabled: false }, needs: 'a policy' },
  params,
  body: Change,
  reply: Policy,
  errors: ['Policy_NotFound'],
})

export const deletePolicy = route({
  ...projectAccess,
  id: 'policies.delete',
  method: 'DELETE',
  path: '/policies/:policy_id',
  summary: 'Delete a policy',
  description: 'Deletes a policy. Approvals that it requested stay valid until they expire.',
  example: { params: { policy_id: exampleId('pol') }, needs: 'a policy' },
  params,
  reply: Success,
  errors: ['Policy_NotFound'],
})

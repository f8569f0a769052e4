import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Id, Nullable, Open, PageOf, PageQuery, Timestamp } from '../common.ts'
import { route } from '../route.ts'
import { UntrustedSource } from './untrusted-content.ts'

// An addition of this server: calls that need the approval of a person.
export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'used', 'expired'] as const

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

export const CHOICES = ['allow_once', 'allow_session', 'deny'] as const

export type Choice = (typeof CHOICES)[number]

/** For whom a call is. */
const CallOrigin = {
  user_id: Nullable(Type.String({ description: 'Id of the user that the call is for; null for none.' })),
  connected_account_id: Nullable(
    Type.String({ description: 'Id of the connected account, `ca_…`; null for none.' }),
  ),
  session_id: Nullable(
    Type.String({ description: 'Id of the session, `trs_…`; null for calls outside of sessions.' }),
  ),
}

const PolicyIds = Type.Array(Type.String(), { description: 'Ids of the policies that applied, `pol_…`.' })

const Summary = {
  id: Type.String({ description: 'Id of the approval, `apr_…`.' }),
  status: Enum(APPROVAL_STATUSES, {
    description:
      '`pending` until a person decides; `used` after the approved call has run; `expired` ' +
      'after `expires_at`.',
  }),
  tool_slug: Type.String({ description: 'Slug of the tool.' }),
  toolkit_slug: Type.String({ description: 'Slug of the toolkit.' }),
  version: Type.String({ description: 'Version of the toolkit.' }),
  ...CallOrigin,
  reason: Nullable(
    Type.String({ description: 'Messages of the policies that require the approval; null for none.' }),
  ),
  policy_ids: PolicyIds,
  untrusted_sources: Type.Array(UntrustedSource, {
    description:
      'Content of other people that the session had read when the approval was requested. Empty unless a policy ' +
      'with `untrusted_content` applied.',
  }),
  choices: Type.Array(Enum(CHOICES), { description: 'Decisions that are possible.' }),
  expires_at: Described(
    Timestamp,
    'When the approval expires without a decision, or if the approved call is not made.',
  ),
  created_at: Described(Timestamp, 'When the approval was requested.'),
  decided_at: Nullable(Described(Timestamp, 'When the decision was made; null while it is pending.')),
  decided_by: Nullable(
    Type.String({
      description: 'Who decided: `key:<id>`, `link`, `webhook:<id>` or `session`; null while it is pending.',
    }),
  ),
  log_id: Nullable(
    Type.String({
      description: 'Id of the log of the call that requested the approval; null when that log was removed.',
    }),
  ),
  used_log_id: Nullable(
    Type.String({
      description: 'Id of the log of the call that ran with this approval; null while there is none.',
    }),
  ),
}

export const Approval = Type.Object(
  {
    ...Summary,
    arguments: Nullable(
      Open(
        {},
        {
          description:
            'Exact arguments of the call. Null after the approval was used, denied or has expired.',
        },
      ),
    ),
  },
  { $id: 'Approval' },
)

export type Approval = Static<typeof Approval>

const EVENTS = [
  'refused',
  'requested',
  'approved',
  'denied',
  'used',
  'restored',
  'expired',
  'denial_ended',
  'let_by_session',
] as const

export type DecisionEvent = (typeof EVENTS)[number]

const Decision = Type.Object({
  id: Type.String({ description: 'Id of the decision.' }),
  event: Enum(EVENTS, {
    description:
      'What happened: `refused` by a policy, `requested`, `approved`, `denied`, `used`, ' +
      '`restored` when the approved call failed before it was sent, `expired`, `denial_ended`, or `let_by_session` ' +
      'after an approval for the rest of a session.',
  }),
  at: Described(Timestamp, 'When it happened.'),
  approval_id: Nullable(
    Type.String({ description: 'Id of the approval, `apr_…`; null when a policy decided alone.' }),
  ),
  policy_ids: PolicyIds,
  tool_slug: Type.String({ description: 'Slug of the tool.' }),
  ...CallOrigin,
  by: Nullable(
    Type.String({
      description: 'Who decided: `key:<id>`, `link`, `webhook:<id>` or `session`; null for policies.',
    }),
  ),
  log_id: Nullable(
    Type.String({ description: 'Id of the log of the call, `log_…`; null when it was removed.' }),
  ),
})

export const projectAccess = { audience: 'project' } as const

const readAccess = { audience: 'project', permission: { area: 'approvals', level: 'read' } } as const

const decideAccess = { audience: 'project', permission: { area: 'approvals', level: 'write' } } as const

const params = Type.Object({ approval_id: Described(Id('apr'), 'Id of the approval, `apr_…`.') })

export const listApprovals = route({
  ...readAccess,
  id: 'approvals.list',
  method: 'GET',
  path: '/approvals',
  summary: 'List approvals, newest first',
  description:
    'Returns a page of approvals, newest first: calls that wait for the decision of a person, and ' +
    'past ones. The arguments are left out; read an approval to see them.',
  example: { query: { status: 'pending' } },
  query: Type.Object({
    status: Type.Optional(Enum(APPROVAL_STATUSES, { description: 'Only approvals with this status.' })),
    ...PageQuery,
  }),
  reply: PageOf(Type.Object(Summary)),
})

export const listDecisions = route({
  ...readAccess,
  id: 'approvals.decisions',
  method: 'GET',
  path: '/approvals/decisions',
  summary: 'List the decisions of policies and people, newest first',
  description:
    'Returns a page of the decisions of policies and people, newest first. It is the audit log of ' +
    'approvals.',
  example: { query: { limit: 50 } },
  query: Type.Object(PageQuery),
  reply: PageOf(Decision),
})

export const readApproval = route({
  ...readAccess,
  id: 'approvals.read',
  method: 'GET',
  path: '/approvals/:approval_id',
  summary: 'Read an approval, with the exact arguments',
  description: 'Returns one approval with the exact arguments of the call.',
  example: { params: { approval_id: exampleId('apr') }, needs: 'an approval' },
  params,
  reply: Approval,
  errors: ['Approval_NotFound'],
})

export const approveCall = route({
  ...decideAccess,
  id: 'approvals.approve',
  method: 'POST',
  path: '/approvals/:approval_id/approve',
  summary: 'Approve a pending call',
  description:
    'Approves a pending call. The next call with exactly the same tool, account and arguments runs, ' +
    'once. With `for_session`, later calls of the tool in the session run too. An approval that is ' +
    'no longer pending returns `Approval_NotPending`.',
  example: { params: { approval_id: exampleId('apr') }, body: {}, needs: 'a pending approval' },
  params,
  body: Type.Object({
    for_session: Type.Optional(
      Type.Boolean({
        description:
          'Allow the tool with this account for the rest of the session. Only where `choices` ' +
          'contains `allow_session`. Default false.',
      }),
    ),
  }),
  reply: Approval,
  errors: ['Approval_NotFound', 'Approval_NotPending'],
})

export const denyCall = route({
  ...decideAccess,
  id: 'approvals.deny',
  method: 'POST',
  path: '/approvals/:approval_id/deny',
  summary: 'Deny a pending call',
  description:
    'Denies a pending call. Repeating the same call returns the denial until the approval expires.',
  example: { params: { approval_id: exampleId('apr') }, needs: 'a pending approval' },
  params,
  reply: Approval,
  errors: ['Approval_NotFound', 'Approval_NotPending'],
})

export const createApprovalLink = route({
  ...decideAccess,
  id: 'approvals.link',
  method: 'POST',
  path: '/approvals/:approval_id/link',
  summary: 'Create a link to the approval page',
  description:
    'Creates a link to a hosted page that shows the call and on which a person decides. Anyone who ' +
    'has the link can decide, until the approval expires.',
  example: { params: { approval_id: exampleId('apr') }, needs: 'a pending approval' },
  params,
  reply: Type.Object({
    url: Type.String({ description: 'URL of the page. Anyone who has it can decide.' }),
    expires_at: Described(Timestamp, 'When the link expires.'),
  }),
  errors: ['Approval_NotFound', 'Approval_NotPending'],
})

import { type Static, Type } from 'typebox'
import { Enum, Id, Nullable, Open, PageOf, PageQuery, Timestamp } from './common.ts'
import { route } from './route.ts'

// Our own addition to the API: calls that wait for a person. Only keys without restrictions decide.
export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'used', 'expired'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]
export const CHOICES = ['allow_once', 'allow_session', 'deny'] as const
export type Choice = (typeof CHOICES)[number]

const Summary = {
  id: Type.String(),
  status: Enum(APPROVAL_STATUSES),
  tool_slug: Type.String(),
  toolkit_slug: Type.String(),
  version: Type.String(),
  user_id: Nullable(Type.String()),
  connected_account_id: Nullable(Type.String()),
  session_id: Nullable(Type.String()),
  reason: Nullable(Type.String({ description: 'What the policies say that asked.' })),
  policy_ids: Type.Array(Type.String()),
  choices: Type.Array(Enum(CHOICES)),
  expires_at: Timestamp,
  created_at: Timestamp,
  decided_at: Nullable(Timestamp),
  decided_by: Nullable(Type.String({ description: '`key:<id>`, `link`, `webhook:<id>` or `session`.' })),
  log_id: Nullable(Type.String({ description: 'Of the call that asked.' })),
  used_log_id: Nullable(Type.String({ description: 'Of the call that it let run.' })),
}
export const Approval = Type.Object(
  {
    ...Summary,
    arguments: Nullable(
      Open({}, { description: 'What exactly is approved; null once it was used, denied or has expired.' }),
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
  'expired',
  'denial_ended',
  'let_by_session',
] as const
export type DecisionEvent = (typeof EVENTS)[number]
const Decision = Type.Object({
  id: Type.String(),
  event: Enum(EVENTS),
  at: Timestamp,
  approval_id: Nullable(Type.String()),
  policy_ids: Type.Array(Type.String()),
  tool_slug: Type.String(),
  user_id: Nullable(Type.String()),
  connected_account_id: Nullable(Type.String()),
  session_id: Nullable(Type.String()),
  by: Nullable(Type.String()),
  log_id: Nullable(Type.String()),
})

const project = { audience: 'project' } as const
const params = Type.Object({ approval_id: Id('apr') })

export const listApprovals = route({
  ...project,
  id: 'approvals.list',
  method: 'GET',
  path: '/approvals',
  summary: 'List calls that wait for a person, or did, newest first',
  query: Type.Object({ status: Type.Optional(Enum(APPROVAL_STATUSES)), ...PageQuery }),
  reply: PageOf(Type.Object(Summary)),
})
export const listDecisions = route({
  ...project,
  id: 'approvals.decisions',
  method: 'GET',
  path: '/approvals/decisions',
  summary: 'What policies and people decided, newest first',
  query: Type.Object(PageQuery),
  reply: PageOf(Decision),
})
export const readApproval = route({
  ...project,
  id: 'approvals.read',
  method: 'GET',
  path: '/approvals/:approval_id',
  summary: 'Read an approval, with the exact arguments',
  params,
  reply: Approval,
  errors: ['Approval_NotFound'],
})
export const approve = route({
  ...project,
  id: 'approvals.approve',
  method: 'POST',
  path: '/approvals/:approval_id/approve',
  summary: 'Allow the call: the next call that is exactly this one runs, once',
  params,
  body: Type.Object({
    for_session: Type.Optional(
      Type.Boolean({
        description:
          'Allow the tool with this account for the rest of the session, where `choices` has allow_session.',
      }),
    ),
  }),
  reply: Approval,
  errors: ['Approval_NotFound', 'Approval_NotPending'],
})
export const denyApproval = route({
  ...project,
  id: 'approvals.deny',
  method: 'POST',
  path: '/approvals/:approval_id/deny',
  summary: 'Refuse the call',
  params,
  reply: Approval,
  errors: ['Approval_NotFound', 'Approval_NotPending'],
})
export const approvalLink = route({
  ...project,
  id: 'approvals.link',
  method: 'POST',
  path: '/approvals/:approval_id/link',
  summary: 'The address of a page on which a person decides',
  params,
  reply: Type.Object({
    url: Type.String({ description: 'Whoever has it can decide.' }),
    expires_at: Timestamp,
  }),
  errors: ['Approval_NotFound', 'Approval_NotPending'],
})

export const decideInSession = route({
  ...project,
  neverRetry: true,
  id: 'sessions.decide',
  method: 'POST',
  path: '/tool_router/session/:session_id/approvals/:approval_id',
  summary: 'Decide on a call of a session, and run it if it is allowed',
  params: Type.Object({ session_id: Id('trs'), approval_id: Id('apr') }),
  body: Type.Object({ decision: Enum(CHOICES) }),
  reply: Type.Object({ data: Open({}), error: Nullable(Type.String()), log_id: Type.String() }),
  errors: [
    'ToolRouterV2_SessionNotFound',
    'Approval_NotFound',
    'Approval_NotPending',
    'ToolRouterV2_NoActiveConnection',
    'ToolRouterV2_AccountRequired',
    'Tool_ToolNotFound',
    'ActionExecute_PolicyRefused',
    'Approval_LimitReached',
    'ActionExecute_ToolDeprecated',
    'ActionExecute_ToolNotAllowed',
    'ActionExecute_ConnectedAccountExpired',
    'ActionExecute_ConnectedAccountNotActive',
    'ActionExecute_SharedAccessDenied',
    'ActionExecute_UpstreamUnreachable',
    'ActionExecute_UpstreamUnavailable',
    'ActionExecute_UpstreamTimeout',
  ],
})

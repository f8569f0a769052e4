import { Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Id, Nullable, Open } from '../common.ts'
import { route } from '../route.ts'
import { SESSION_ACCOUNT_ERRORS } from '../sessions/common.ts'
import { CALL_ERRORS } from '../tools/call-errors.ts'
import { CHOICES, projectAccess } from './approvals.ts'

export const decideInSession = route({
  ...projectAccess,
  neverRetry: true,
  id: 'sessions.decide',
  method: 'POST',
  path: '/tool_router/session/:session_id/approvals/:approval_id',
  summary: 'Decide on a pending call of a session',
  description:
    'Decides on a call that waits in a session. After an approval the call runs at once, and the ' +
    'response holds its result. Clients must not repeat this request automatically.',
  example: {
    params: { session_id: exampleId('trs'), approval_id: exampleId('apr') },
    body: { decision: 'allow_once' },
    needs: 'a pending approval in a session',
  },
  params: Type.Object({
    session_id: Described(Id('trs'), 'Id of the session, `trs_…`.'),
    approval_id: Described(Id('apr'), 'Id of the approval, `apr_…`.'),
  }),
  body: Type.Object({
    decision: Enum(CHOICES, {
      description: 'The decision. `allow_session` also allows later calls of this tool in the session.',
    }),
  }),
  reply: Type.Object({
    data: Open({}, { description: 'Result of the tool; empty after a denial.' }),
    error: Nullable(
      Type.String({ description: 'Reason why the tool failed or did not run; null on success.' }),
    ),
    log_id: Type.String({ description: 'Id of the log of the call, `log_…`.' }),
  }),
  errors: [
    'ToolRouterV2_SessionNotFound',
    'Approval_NotFound',
    'Approval_NotPending',
    ...SESSION_ACCOUNT_ERRORS,
    'Tool_ToolNotFound',
    'ActionExecute_ToolDeprecated',
    ...CALL_ERRORS,
  ],
})

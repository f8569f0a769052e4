import type { ErrorDefinition } from './definition.ts'

/** Errors of policies and approvals (19xx). */
export const POLICY_ERRORS = {
  Policy_NotFound: {
    code: 1901,
    status: 404,
    fix: 'List the policies of the project and use an id from there.',
  },
  Policy_LimitReached: {
    code: 1902,
    status: 409,
    fix: 'Delete a policy that is no longer needed, or let one policy cover more tools.',
  },
  Approval_NotFound: {
    code: 1911,
    status: 404,
    fix: 'List the approvals of the project and use an id from there.',
  },
  Approval_NotPending: {
    code: 1912,
    status: 409,
    fix: 'Make the call again if it is still needed. It requests a new approval.',
  },
  Approval_LimitReached: {
    code: 1913,
    status: 429,
    fix: 'Decide on pending calls (`patchbay approvals list --status pending`), or wait until they expire.',
  },
  Approval_SignatureRefused: {
    code: 1914,
    status: 401,
    fix:
      'Sign the decision with the approval_secret of a webhook subscription to which ' +
      'service.approval.requested was delivered, and send it within five minutes.',
  },
} as const satisfies Record<string, ErrorDefinition>

import type { ErrorDefinition } from './definition.ts'

/** Errors of tool executions and proxy requests (18xx). */
export const EXECUTION_ERRORS = {
  ActionExecute_ConnectedAccountNotFound: {
    code: 1810,
    status: 404,
    fix:
      'Connect an account of this toolkit for the user with POST /connected_accounts/link, ' +
      'then try again.',
  },
  ActionExecute_ConnectedAccountEntityIdRequired: {
    code: 1811,
    status: 400,
    fix: 'Send the user_id that owns the connected account.',
  },
  ActionExecute_ConnectedAccountEntityIdMismatch: {
    code: 1812,
    status: 400,
    fix: 'Send the user_id that owns the connected account.',
  },
  ActionExecute_ConnectedAccountExpired: {
    code: 1820,
    status: 410,
    fix: 'Ask the user to connect the account again, with POST /connected_accounts/{nanoid}/refresh.',
  },
  ActionExecute_ConnectedAccountNotActive: {
    code: 1821,
    status: 422,
    fix: 'Finish or repeat the connection, or enable the account and its auth config.',
  },
  ActionExecute_SharedAccessDenied: {
    code: 1822,
    status: 403,
    fix: 'Ask the owner of the shared account for access.',
  },
  ActionExecute_ToolNotAllowed: {
    code: 1823,
    status: 403,
    fix: 'Use a tool that the auth config allows, or change its tool_access_config.',
  },
  ActionExecute_ToolDeprecated: { code: 1830, status: 410, fix: 'Use the tool that replaces this one.' },
  ActionExecute_UpstreamUnreachable: {
    code: 1840,
    status: 502,
    fix:
      'Check the URL of the application, and that the application runs. IP addresses of ' +
      'private networks need EGRESS_ALLOW.',
  },
  ActionExecute_UpstreamUnavailable: {
    code: 1841,
    status: 503,
    fix: 'Try again later. The application is not available.',
  },
  ActionExecute_UpstreamTimeout: {
    code: 1842,
    status: 504,
    fix: 'Try again later, or ask the application for less data at once.',
  },
  ActionProxy_OriginMismatch: {
    code: 1850,
    status: 400,
    fix: 'Use a path below the base URL of the connected account.',
  },
  ActionProxy_MissingAuthContext: {
    code: 1851,
    status: 400,
    fix: 'Send connected_account_id or custom_connection_data.',
  },
  ActionExecute_NoModelConfigured: {
    code: 1860,
    status: 501,
    fix:
      'Send arguments instead of text, or ask the administrator of the server to set ' +
      'LLM_BASE_URL and LLM_MODEL.',
  },
  ActionExecute_ModelUnavailable: {
    code: 1861,
    status: 503,
    fix:
      'Try again later, or send arguments instead of text. The administrator of the server ' +
      'finds the reason in the log.',
  },
  ActionExecute_ModelBusy: {
    code: 1862,
    status: 429,
    fix: 'Wait before the next call with text, or send arguments.',
  },
  ActionExecute_IdempotencyKeyReused: {
    code: 1870,
    status: 409,
    fix: 'Send a new Idempotency-Key with a new call. Repeat a call with exactly the same request.',
  },
  ActionExecute_IdempotentCallUnderWay: {
    code: 1871,
    status: 409,
    fix: 'Repeat the call with the same key in a few seconds.',
  },
  ActionExecute_IdempotentOutcomeUnknown: {
    code: 1872,
    status: 409,
    fix:
      'Check in the log and in the application whether the call had its effect. To make ' +
      'the call again, use a new key.',
  },
  ActionExecute_IdempotentResultNotKept: {
    code: 1873,
    status: 409,
    fix: 'Read the outcome in the log. To make the call again, use a new key.',
  },
  ActionExecute_ResponseNotFound: {
    code: 1874,
    status: 404,
    fix:
      'Use the id and the pages that the execution returned, within one hour. Otherwise ' +
      'execute the tool again.',
  },
  ActionExecute_NotRecorded: {
    code: 1875,
    status: 404,
    fix:
      'Record this call with `patchbay record`, or make only the recorded calls, as often ' +
      'as they were recorded.',
  },
  ActionExecute_PolicyRefused: {
    code: 1880,
    status: 403,
    fix:
      'Continue without this call, or ask an administrator of the project to change the ' +
      'policy. `patchbay policies check` prints which policy it is.',
  },
  ActionExecute_ApprovalRequired: {
    code: 1881,
    status: 403,
    fix:
      'Ask a person to decide, with the URL in errors or with `patchbay approvals ' +
      'approve`, then make exactly the same call again.',
  },
} as const satisfies Record<string, ErrorDefinition>

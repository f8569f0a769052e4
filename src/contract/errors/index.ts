import { ACCOUNT_ERRORS } from './accounts.ts'
import { BUDGET_ERRORS } from './budgets.ts'
import { CONSOLE_ERRORS } from './console.ts'
import { EXECUTION_ERRORS } from './execution.ts'
import { HTTP_ERRORS } from './http.ts'
import { LOG_AND_FILE_ERRORS } from './logs-and-files.ts'
import { MEMBER_ERRORS } from './members.ts'
import { MCP_ERRORS } from './mcp.ts'
import { PLAYGROUND_ERRORS } from './playground.ts'
import { POLICY_ERRORS } from './policies.ts'
import { PROJECT_ERRORS } from './projects.ts'
import { SESSION_ERRORS } from './sessions.ts'
import { TOOLKIT_ERRORS } from './toolkits.ts'
import { TRIGGER_ERRORS } from './triggers.ts'
import { WEBHOOK_ERRORS } from './webhooks.ts'

/**
 * Every error of the API by slug, in the order of the codes. A slug and a code never change their meaning.
 * An error that is removed moves to RETIRED_ERRORS.
 */
export const ERRORS = {
  ...ACCOUNT_ERRORS,
  ...PROJECT_ERRORS,
  ...CONSOLE_ERRORS,
  ...MEMBER_ERRORS,
  ...TRIGGER_ERRORS,
  ...MCP_ERRORS,
  ...WEBHOOK_ERRORS,
  ...LOG_AND_FILE_ERRORS,
  ...EXECUTION_ERRORS,
  ...POLICY_ERRORS,
  ...BUDGET_ERRORS,
  ...TOOLKIT_ERRORS,
  ...SESSION_ERRORS,
  ...HTTP_ERRORS,
  ...PLAYGROUND_ERRORS,
} as const

/**
 * Slugs and codes of errors that earlier releases returned. They are never used again, because clients may still
 * branch on them.
 */
export const RETIRED_ERRORS: readonly { readonly slug: string; readonly code: number }[] = []

export type ErrorSlug = keyof typeof ERRORS

/** Errors that every operation can return, in addition to its own. */
export const SHARED_ERRORS: readonly ErrorSlug[] = [
  'HTTP_BadRequest',
  'HTTP_Unauthorized',
  'APIKey_InvalidAPIKey',
  'APIKey_InsufficientPermissions',
  'APIKey_IpNotAllowed',
  'HTTP_PayloadTooLarge',
  'HTTP_UnsupportedMediaType',
  'HTTP_TooManyRequests',
  'HTTP_InternalServerError',
  'HTTP_ServiceUnavailable',
]

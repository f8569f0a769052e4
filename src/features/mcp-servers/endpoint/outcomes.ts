import { type ApiError, describeApiError } from '../../../platform/http/api-error.ts'
import type { Logger } from '../../../platform/log.ts'
import type { McpOutcome, McpUrlElicitation } from '../../../platform/mcp/server/context.ts'

export type ToolResponse = {
  successful: boolean
  data: Record<string, unknown>
  error: string | null
  log_id: string | null
}

/** Builds the MCP result of a tool call. @param visit a page that the user has to open first */
export const toMcpOutcome = (structured: ToolResponse, visit?: McpUrlElicitation): McpOutcome => ({
  structured,
  isError: !structured.successful,
  urlElicitation: visit,
})

/** Builds the MCP result of a call that was not made. */
export const rejectedOutcome = (error: string): McpOutcome =>
  toMcpOutcome({ successful: false, data: {}, error, log_id: null })

/** Builds the MCP result of an error, with its details and the suggested fix, and logs errors of this server. */
export function failedOutcome(
  { requestId, log }: { requestId: string; log: Logger },
  failure: ApiError,
): McpOutcome {
  if (failure.status >= 500 && !failure.slug.startsWith('ActionExecute_'))
    log.error({ err: failure.cause ?? failure, request_id: requestId }, failure.slug)
  return rejectedOutcome(describeApiError(failure))
}

/** Builds the MCP result that asks the user to connect an account. @param reason ends with a full stop */
export function connectOutcome(
  reason: string,
  { redirectUrl, connectedAccountId }: { redirectUrl: string; connectedAccountId: string },
): McpOutcome {
  return toMcpOutcome(
    {
      successful: false,
      data: { redirect_url: redirectUrl, connected_account_id: connectedAccountId },
      error: `${reason} Show the user this link, and call the tool again after the user has connected: ${redirectUrl}`,
      log_id: null,
    },
    {
      id: connectedAccountId,
      message: `${reason} Connect it here, then call the tool again.`,
      url: redirectUrl,
    },
  )
}

/** Returns the approval page of a call that is pending, if the policies allow a link. */
export function approvalVisit(tool: string, data: Record<string, unknown>): McpUrlElicitation | undefined {
  // A call that a hook blocked has no approval.
  const { id, reason, url } = (data['approval'] ?? { id: '', reason: '' }) as {
    id: string
    reason: string
    url?: string
  }
  return url === undefined
    ? undefined
    : { id, url, message: `${tool} needs your approval: ${reason}. Decide here, then call the tool again.` }
}

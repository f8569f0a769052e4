import { ToolFailure } from '../../catalog/index.ts'
import { EgressError } from '../../platform/egress/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { redactorFor } from '../http/redactor.ts'
import { failedResult, MESSAGE_MAX, waitingData } from '../http/tool-result.ts'
import { RateLimited } from '../throttling/rate-limited.ts'
import type { ToolResult } from '../types.ts'
import type { HasConnection, HasTool, StepDeps } from './context.ts'

/**
 * Makes a result of an error that a model can act on: a rate limit, a failure of the tool, a response that is too
 * large. A request that did not reach the application is an ApiError.
 */
export function recoverFailure({ resolvedTool }: HasTool, { files }: StepDeps, error: unknown): ToolResult {
  if (error instanceof RateLimited) {
    const result = failedResult(error.statusCode, error.message.slice(0, MESSAGE_MAX))
    return { ...result, data: { ...result.data, ...waitingData(error.limiter, error.retryAfterMs) } }
  }
  if (error instanceof ToolFailure) return failedResult(error.statusCode, error.message.slice(0, MESSAGE_MAX))
  if (!(error instanceof EgressError)) throw error
  if (error.kind === 'too_large') {
    const size = sizeText(resolvedTool.tool.limits.responseBytes ?? files.bytesMax)
    return failedResult(413, `The response of the application is larger than ${size}. Request less at once.`)
  }
  if (error.kind === 'over_budget')
    return failedResult(413, `${error.message} The application may have acted. Request less at once.`)
  if (error.kind === 'busy') throw new ApiError('HTTP_ServiceUnavailable', error.message, { cause: error })
  throw new ApiError(
    error.kind === 'timeout' ? 'ActionExecute_UpstreamTimeout' : 'ActionExecute_UpstreamUnreachable',
    error.message,
    { cause: error },
  )
}

const sizeText = (bytes: number) =>
  bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${bytes} bytes`

/** Removes the credentials from a failure: some providers repeat them in their error. */
export function redactFailure(
  { connection }: HasConnection,
  _deps: StepDeps,
  result: ToolResult,
): ToolResult {
  if (result.successful) return result
  const redact = redactorFor(connection)
  const data = Object.fromEntries(
    Object.entries(result.data).map(([name, value]) => [
      name,
      typeof value === 'string' ? redact(value) : value,
    ]),
  )
  return { ...result, data, error: result.error && redact(result.error) }
}

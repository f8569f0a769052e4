import { STATUS_CODES } from '../../platform/http/node-http.ts'
import { compilePath, FileBytes, type PathReader } from '../../catalog/index.ts'
import type { ResolvedOperation } from '../pipeline/context.ts'
import type { ToolResult } from '../types.ts'
import type { ProviderResponse } from './provider-response.ts'

export const MESSAGE_MAX = 2_000
/** Paths of the error text at most providers. A toolkit may name others. */
const USUAL_MESSAGES = [
  'error.message',
  'message',
  'error_description',
  'detail',
  'error',
  'errors[0].message',
  'title',
].map(compilePath)

/** Returns the response of the application as the result of the tool. */
export function toToolResult(operation: ResolvedOperation, response: ProviderResponse): ToolResult {
  const { tool } = operation
  const { status } = response
  const isSuccess = status >= 200 && status <= 299 && (!tool.successWhen || tool.successWhen(response))
  if (!isSuccess) return providerFailure(operation, response)
  const result: ToolResult = {
    data: asObject(
      tool.response.pick ? tool.response.pick(response.body) : response.body,
      tool.response.wrap,
    ),
    error: null,
    successful: true,
    statusCode: status,
    headers: response.headers,
  }
  if (response.reply) result.bytes = response.reply.body.length
  return result
}

/** Returns an object, since `data` of a result always is one. */
export function asObject(value: unknown, wrap: string | undefined): Record<string, unknown> {
  if (value === undefined || value === null) return {}
  if (Array.isArray(value)) return { [wrap ?? 'items']: value }
  if (value instanceof FileBytes) return { [wrap ?? 'file']: value }
  if (typeof value === 'object') return value as Record<string, unknown>
  return { [wrap ?? 'value']: value }
}

const DOUBTS = {
  no_response:
    ' (An earlier attempt of this call received no response and may have been carried out. ' +
    'Check before you repeat the call.)',
  server_error:
    ' (An earlier attempt of this call failed with a server error, too, and may have been carried out. ' +
    'Check before you repeat the call.)',
} as const

function providerFailure(operation: ResolvedOperation, response: ProviderResponse): ToolResult {
  const { status, retryAfterMs } = response
  const { http, text } = errorTexts(operation, response)
  const doubt = response.doubt && operation.tool.effect !== 'read' ? DOUBTS[response.doubt] : ''
  const result = failedResult(status, (text || http) + doubt, status >= 300 ? http : undefined)
  return retryAfterMs === undefined
    ? result
    : { ...result, data: { ...result.data, ...waitingData('application', retryAfterMs) } }
}

/** Data for a caller who has to wait: who limits the calls, and how long. */
export const waitingData = (limiter: 'application' | 'account', ms: number) => ({
  limiter,
  retry_after_seconds: Math.ceil(ms / 1_000),
})

function errorTexts(
  { toolkit }: ResolvedOperation,
  { status, body }: ProviderResponse,
): { http: string; text: string } {
  const text =
    firstText(toolkit.errorMessage, body) ?? firstText(USUAL_MESSAGES, body) ?? unknownErrorText(body)
  const kind = status >= 500 ? 'Server Error: ' : status >= 400 ? 'Client Error: ' : ''
  const http = `${status} ${kind}${STATUS_CODES[status] ?? 'Unknown'}`
  return { http, text: text.slice(0, MESSAGE_MAX) }
}

function firstText(paths: readonly PathReader[], body: unknown): string | undefined {
  for (const read of paths) {
    const value = read(body)
    if (value !== undefined && value !== null && value !== '') {
      return typeof value === 'string' ? value : JSON.stringify(value)
    }
  }
  return undefined
}

/** Returns the body of an error in an unknown form, unless it is an HTML page or empty. */
function unknownErrorText(body: unknown): string {
  if (typeof body === 'string') return /^\s*</.test(body) ? '' : body
  const isUseful =
    typeof body === 'object' && body !== null && Object.keys(body).length > 0 && !(body instanceof FileBytes)
  return isUseful ? JSON.stringify(body) : ''
}

/** Returns a failure of the tool itself. */
export function failedResult(statusCode: number | null, message: string, httpError?: string): ToolResult {
  return {
    data: { ...(httpError ? { http_error: httpError } : {}), status_code: statusCode, message },
    error: httpError && httpError !== message ? `${httpError} - ${message}` : message,
    successful: false,
    statusCode,
  }
}

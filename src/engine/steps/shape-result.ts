import { STATUS_CODES } from 'node:http'
import type { ErrorMeaning, FoundTool } from '../../catalog/index.ts'
import type { EgressResponse } from '../../platform/egress/index.ts'
import type { Result } from '../types.ts'

const MESSAGE_MAX = 2_000
const TEXTUAL = /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml|javascript|graphql|x-www-form-urlencoded)\b)/

/** A provider's answer, its body parsed. */
export interface ProviderAnswer { status: number, headers: EgressResponse['headers'], body: unknown }

/** JSON where it is JSON, text where it is text, base64 with its type otherwise. */
export function readAnswer({ status, headers, body }: EgressResponse): ProviderAnswer {
  const type = String(headers['content-type'] ?? '')
  if (!body.length) return { status, headers, body: undefined }
  if (type && !TEXTUAL.test(type)) return { status, headers, body: { content_type: type, size: body.length, base64: body.toString('base64') } }
  const text = body.toString('utf8')
  try { return { status, headers, body: JSON.parse(text) } } catch { return { status, headers, body: text } }
}

/** What an answer means: the toolkit's own table first, then the status. Undefined for a success. */
export function meaningOf({ toolkit }: FoundTool, answer: ProviderAnswer): ErrorMeaning | undefined {
  for (const { when, meaning } of toolkit.errors) if (when(answer)) return meaning
  const { status } = answer
  if (status < 400) return undefined
  if (status === 401) return 'reauth'
  if (status === 403) return 'permission'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 429) return 'rate_limit'
  return status >= 500 || status === 408 ? 'transient' : 'invalid'
}

/** The provider's answer as the result of the tool: `data` is always an object. */
export function shapeResult(found: FoundTool, answer: ProviderAnswer): Result {
  const { tool } = found
  const fits = answer.status >= 200 && answer.status <= 299 && (!tool.successWhen || tool.successWhen(answer))
  if (!fits) return providerFailure(found, answer)
  const picked = tool.response.pick ? tool.response.pick(answer.body) : answer.body
  return { data: asObject(picked, tool.response.wrap), error: null, successful: true, statusCode: answer.status }
}

function asObject(value: unknown, wrap: string | undefined): Record<string, unknown> {
  if (value === undefined || value === null) return {}
  if (Array.isArray(value)) return { [wrap ?? 'items']: value }
  if (typeof value === 'object') return value as Record<string, unknown>
  return { [wrap ?? 'value']: value }
}

function providerFailure({ toolkit }: FoundTool, answer: ProviderAnswer): Result {
  const { status, body } = answer
  const found = toolkit.errorMessage.map((read) => read(body)).find((value) => value !== undefined && value !== null && value !== '')
  const text = found === undefined ? (typeof body === 'string' && !/^\s*</.test(body) ? body : '') : typeof found === 'string' ? found : JSON.stringify(found)
  const http = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
  const message = text.slice(0, MESSAGE_MAX)
  return failure(status, message || http, status >= 300 ? http : undefined)
}

/** A failure of the tool itself, as callers read it. */
export function failure(statusCode: number | null, message: string, httpError?: string): Result {
  return {
    data: { ...(httpError ? { http_error: httpError } : {}), status_code: statusCode, message },
    error: httpError && httpError !== message ? `${httpError} - ${message}` : message, successful: false, statusCode,
  }
}

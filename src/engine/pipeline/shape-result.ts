import { STATUS_CODES } from 'node:http'
import {
  compilePath,
  type ErrorMeaning,
  FileBytes,
  fileType,
  type FoundTool,
  type PathReader,
} from '../../catalog/index.ts'
import type { EgressResponse } from '../../platform/egress/index.ts'
import type { Result } from '../types.ts'
import { fileNameOf } from './file-name.ts'

export const MESSAGE_MAX = 2_000
/** Media types whose bodies are text. */
export const isTextual = (type: string): boolean => TEXTUAL.test(type)
const TEXTUAL =
  /^(text\/|[\w.-]+\/[\w.-]+\+(json|xml|yaml)\b|application\/(json|xml|yaml|x-yaml|javascript|graphql|x-www-form-urlencoded|x-ndjson|jsonl|csv|toml)\b)/i
/** Where the text of an error stands at most providers; a toolkit may name better places. */
const USUAL_MESSAGES = [
  'error.message',
  'message',
  'error_description',
  'detail',
  'error',
  'errors[0].message',
  'title',
].map(compilePath)

/** A provider's answer, its body parsed; `reply` is how it came, where it is one of HTTP alone. */
export interface ProviderAnswer {
  status: number
  headers: EgressResponse['headers']
  body: unknown
  reply?: EgressResponse
  /** How long to wait, as the application says when it is asked too often. */
  retryAfterMs?: number
  /** An earlier attempt of the same request had no answer that tells whether it was carried out. */
  inDoubt?: boolean
}

/** Answers to 10 MB stand in the result. */
export const INLINE_BYTES_MAX = 10 * 1024 * 1024

/** JSON where it is JSON, text where it is text; bytes, and what is too long to stand in a result, as a file. */
export function readAnswer(reply: EgressResponse): ProviderAnswer {
  return { status: reply.status, headers: reply.headers, body: bodyOf(reply), reply }
}

function bodyOf(reply: EgressResponse): unknown {
  const { headers, body } = reply
  const type = String(headers['content-type'] ?? '')
  if (!body.length) return undefined
  if ((type && !TEXTUAL.test(type)) || body.length > INLINE_BYTES_MAX)
    return new FileBytes(fileNameOf(reply, type || 'text/plain'), fileType(type), body)
  const text = body.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
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
  return {
    data: asObject(picked, tool.response.wrap),
    error: null,
    successful: true,
    statusCode: answer.status,
    headers: answer.headers,
    ...(answer.reply && { bytes: answer.reply.body.length }),
  }
}

/** `data` is always an object. */
export function asObject(value: unknown, wrap: string | undefined): Record<string, unknown> {
  if (value === undefined || value === null) return {}
  if (Array.isArray(value)) return { [wrap ?? 'items']: value }
  if (value instanceof FileBytes) return { [wrap ?? 'file']: value }
  if (typeof value === 'object') return value as Record<string, unknown>
  return { [wrap ?? 'value']: value }
}

const DOUBT =
  ' (An earlier attempt of this call ended without an answer and may have been carried out: look before repeating it.)'

function providerFailure(found: FoundTool, answer: ProviderAnswer): Result {
  const { status, retryAfterMs } = answer
  const { http, text } = wordsOf(found, answer)
  const doubt = answer.inDoubt && found.tool.effect !== 'read' ? DOUBT : ''
  const result = failure(status, (text || http) + doubt, status >= 300 ? http : undefined)
  return retryAfterMs === undefined
    ? result
    : { ...result, data: { ...result.data, ...waiting('application', retryAfterMs) } }
}

/** What a caller needs to know that was asked to wait: by whom, and how long. */
export const waiting = (limiter: 'application' | 'account', ms: number) => ({
  limiter,
  retry_after_seconds: Math.ceil(ms / 1_000),
})

function wordsOf({ toolkit }: FoundTool, { status, body }: ProviderAnswer): { http: string; text: string } {
  const found = firstText(toolkit.errorMessage, body) ?? firstText(USUAL_MESSAGES, body) ?? remainder(body)
  const kind = status >= 500 ? 'Server Error: ' : status >= 400 ? 'Client Error: ' : ''
  const http = `${status} ${kind}${STATUS_CODES[status] ?? 'Unknown'}`
  return { http, text: found.slice(0, MESSAGE_MAX) }
}

function firstText(places: readonly PathReader[], body: unknown): string | undefined {
  for (const read of places) {
    const value = read(body)
    if (value !== undefined && value !== null && value !== '')
      return typeof value === 'string' ? value : JSON.stringify(value)
  }
  return undefined
}

/** What an unknown error says, as far as a reader could use it: a page of HTML is of no use. */
function remainder(body: unknown): string {
  if (typeof body === 'string') return /^\s*</.test(body) ? '' : body
  return typeof body === 'object' &&
    body !== null &&
    Object.keys(body).length > 0 &&
    !(body instanceof FileBytes)
    ? JSON.stringify(body)
    : ''
}

/** A failure of the tool itself, as callers read it. */
export function failure(statusCode: number | null, message: string, httpError?: string): Result {
  return {
    data: { ...(httpError ? { http_error: httpError } : {}), status_code: statusCode, message },
    error: httpError && httpError !== message ? `${httpError} - ${message}` : message,
    successful: false,
    statusCode,
  }
}

import { JsonTooComplex, parseBoundedJson } from '../../platform/bounded-json.ts'
import { objectFromOutline, outlineInThread } from '../../platform/json-outline/index.ts'
import { isLargeBody } from '../../platform/http/turns/request-turns.ts'
import { runInSlices } from '../../platform/http/turns/run-in-slices.ts'
import { parseJsonInPieces } from '../../platform/json-pieces.ts'
import { type ErrorMeaning, FileBytes, validMediaType } from '../../catalog/index.ts'
import type { EgressRequest, EgressResponse } from '../../platform/egress/index.ts'
import { fileNameOf } from '../files/file-name.ts'
import type { ResolvedOperation } from '../pipeline/context.ts'

/** Media types whose bodies are text. */
const TEXTUAL =
  /^(text\/|[\w.-]+\/[\w.-]+\+(json|xml|yaml)\b|application\/(json|xml|yaml|x-yaml|javascript|graphql|x-www-form-urlencoded|x-ndjson|jsonl|csv|toml)\b)/i
export const isTextual = (type: string): boolean => TEXTUAL.test(type)

/** A larger body is not part of the result: it becomes a file. */
export const INLINE_BYTES_MAX = 10 * 1024 * 1024

/** How one request differs from what its tool says. */
export interface RequestOptions {
  timeoutMs?: number | undefined
  /** Receives the body while it arrives. */
  onBody?: EgressRequest['onBody']
  /** The request only prepares the call, so its success does not prove that the credentials are valid. */
  isPreparation?: boolean
  bytesMax?: number
  mayRedirect?: EgressRequest['mayRedirect']
  maxRedirects?: number
  /** Sensitive headers in addition to those of the credentials. */
  sensitiveHeaders?: string[]
  /** Proxy for a request without credentials, which otherwise bring it. */
  proxy?: EgressRequest['proxy']
}

/** An attempt without a response, or one with a server error: the application may have done its work. */
export type Doubt = 'no_response' | 'server_error'

/** The response of an application with its parsed body. `reply`: the response as received over HTTP. */
export interface ProviderResponse {
  status: number
  headers: EgressResponse['headers']
  body: unknown
  /** The text from which `body` was parsed. */
  text?: string | undefined
  /** Long properties of `body` are parsed when they are read. */
  isUnparsed?: true
  reply?: EgressResponse
  /** How long to wait, as the application says after too many requests. */
  retryAfterMs?: number
  /** Why an earlier attempt of the same request may have been carried out. */
  doubt?: Doubt
}

/** A shorter JSON text is parsed by this thread: the exchange with the other one takes as long. */
const UNPARSED_BYTES_MIN = 256 * 1_024

/**
 * Parses JSON and text; a large text in slices, so that other requests do not wait. Bytes, and text that is too long or
 * too complex for a result, become a file.
 * @param unparsedFor the project of a call whose result is sent as it is. Large JSON is then only checked, by a thread.
 */
export function readProviderResponse(
  reply: EgressResponse,
  unparsedFor?: string,
): ProviderResponse | Promise<ProviderResponse> {
  if (!hasText(reply) || !isLargeBody(reply.body.length)) return toProviderResponse(reply)
  const mayStayUnparsed =
    unparsedFor !== undefined && reply.status <= 299 && reply.body.length >= UNPARSED_BYTES_MIN
  return mayStayUnparsed ? checkInThread(reply, unparsedFor) : parseInSlices(reply)
}

function parseInSlices(reply: EgressResponse): Promise<ProviderResponse> {
  const text = reply.body.toString('utf8')
  return runInSlices(parseJsonInPieces(text)).then(
    (value) => withValue(reply, text, value),
    (error: unknown) => withValue(reply, text, valueOfInvalid(text, error)),
  )
}

async function checkInThread(reply: EgressResponse, projectId: string): Promise<ProviderResponse> {
  const { status, headers, body } = reply
  const outline = await outlineInThread(projectId, body)
  if (outline.kind === 'other') return parseInSlices(reply)
  if (outline.kind === 'object')
    return { status, headers, body: objectFromOutline(body, outline.members), isUnparsed: true, reply }
  const text = body.toString('utf8')
  return withValue(reply, text, outline.kind === 'invalid' ? text : undefined)
}

/** The same in one piece. */
export function toProviderResponse(reply: EgressResponse): ProviderResponse {
  const { status, headers, body } = reply
  if (!body.length) return { status, headers, body: undefined, reply }
  if (!hasText(reply)) {
    const type = typeOf(reply)
    const file = new FileBytes(fileNameOf(reply, type || 'text/plain'), validMediaType(type), body)
    return { status, headers, body: file, reply }
  }
  const text = body.toString('utf8')
  return withValue(reply, text, parseText(text))
}

const typeOf = ({ headers }: EgressResponse): string => String(headers['content-type'] ?? '')

/** Whether a body is text that can be part of a result. */
function hasText(reply: EgressResponse): boolean {
  const type = typeOf(reply)
  return (!type || isTextual(type)) && reply.body.length <= INLINE_BYTES_MAX
}

function withValue(reply: EgressResponse, text: string, value: unknown): ProviderResponse {
  const { status, headers, body } = reply
  return value === undefined
    ? { status, headers, body: new FileBytes(fileNameOf(reply, JSON_TYPE), JSON_TYPE, body), reply }
    : { status, headers, body: value, text, reply }
}

const JSON_TYPE = 'application/json'

/**
 * Returns the value of JSON text, and other text as it is; undefined for JSON that is too complex to parse, which
 * becomes a file.
 */
export function parseText(text: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch (error) {
    return valueOfInvalid(text, error)
  }
}

const valueOfInvalid = (text: string, error: unknown): string | undefined =>
  error instanceof JsonTooComplex ? undefined : text

/** Returns the meaning of a response: by the error table of the toolkit, then by the status. */
export function responseMeaning(
  { toolkit }: Pick<ResolvedOperation, 'toolkit'>,
  response: ProviderResponse,
): ErrorMeaning | undefined {
  for (const { when, meaning } of toolkit.errors) if (when(response)) return meaning
  const { status } = response
  if (status < 400) return undefined
  if (status === 401) return 'reauth'
  if (status === 403) return 'permission'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 429) return 'rate_limit'
  return status >= 500 || status === 408 ? 'transient' : 'invalid'
}

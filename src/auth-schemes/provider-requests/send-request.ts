import { parseBoundedJson } from '../../platform/bounded-json.ts'
import { MissingValue, UnsafeValue } from '../../catalog/index.ts'
import { EgressError, type EgressProxy } from '../../platform/egress/index.ts'
import { logEntryFor } from './log-entry.ts'
import { UnusableKey } from '../signing/private-key.ts'
import { ProviderUnavailable, type SchemeDeps } from '../scheme.ts'

/** An endpoint that takes longer is treated as unavailable. */
const TIMEOUT_MS = 15_000
const RESPONSE_BYTES_MAX = 1_000_000

export interface AuthProviderResponse {
  status: number
  headers: Record<string, string | string[]>
  /** Parsed JSON, otherwise the fields of a form, otherwise the text. */
  body: unknown
  /**
   * Time of the request, ms since the epoch. Token lifetimes count from here: the time at which the provider
   * issued
   * the token is unknown, and counting from the request never results in a later expiry.
   */
  requestedAt: number
}

export interface AuthProviderRequest {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string
  /** Default: 15 seconds. */
  timeoutMs?: number
}

/**
 * Builds a request. Missing values are an error of this connection, not of this server.
 * @throws ProviderUnavailable
 */
export function buildRequest(build: () => AuthProviderRequest): AuthProviderRequest {
  try {
    return build()
  } catch (error) {
    if (error instanceof MissingValue || error instanceof UnsafeValue)
      throw new ProviderUnavailable(`The request to the provider cannot be built: ${error.message}`, {
        cause: error,
      })
    if (error instanceof UnusableKey)
      throw new ProviderUnavailable(
        `The request to the provider cannot be signed: the key ${error.message}.`,
        {
          cause: error,
        },
      )
    throw error
  }
}

/**
 * Sends one request to an authorization server, limited in time and size.
 * @throws ProviderUnavailable without a response
 */
export async function sendRequest(
  deps: SchemeDeps,
  proxy: EgressProxy | undefined,
  { timeoutMs = TIMEOUT_MS, ...options }: AuthProviderRequest,
): Promise<AuthProviderResponse> {
  const sent = { ...options, headers: { accept: 'application/json', ...options.headers } }
  const startedAt = performance.now()
  const requestedAt = deps.now()
  try {
    const { status, headers, body } = await deps.egress.send({
      ...sent,
      timeoutMs,
      bytesMax: RESPONSE_BYTES_MAX,
      maxRedirects: 0,
      ...(proxy ? { proxy } : {}),
    })
    const text = body.toString('utf8')
    const response = {
      status,
      headers,
      body: parseBody(text, String(headers['content-type'] ?? '')),
      requestedAt,
    }
    deps.logRequest?.(logEntryFor(sent, { ...response, text }, performance.now() - startedAt))
    return response
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    deps.logRequest?.(logEntryFor(sent, { error }, performance.now() - startedAt))
    throw new ProviderUnavailable(error.message, { cause: error })
  }
}

function parseBody(text: string, contentType: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch {
    // Some providers return a form, or declare JSON and send text.
  }
  const looksLikeForm =
    contentType.includes('x-www-form-urlencoded') || /^[\w.~-]+=[^\s]*(&[\w.~-]+=[^\s]*)*$/.test(text)
  return looksLikeForm ? Object.fromEntries(new URLSearchParams(text)) : text
}

/** Encodes parameters as a form or as JSON; returns the body with its content type. */
export function encodeBody(
  kind: 'form' | 'json',
  params: Readonly<Record<string, string>>,
): { headers: Record<string, string>; body: string } {
  return kind === 'json'
    ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(params) }
    : {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(params).toString(),
      }
}

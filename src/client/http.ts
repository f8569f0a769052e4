import { PatchbayConnectionError, PatchbayError } from './errors.ts'

/** Options of one request. */
export interface RequestOptions {
  signal?: AbortSignal | undefined
  /** Time for one attempt, in milliseconds. Default: that of the client. */
  timeoutMs?: number | undefined
  /** Repetitions after a failure that the server lets a client repeat. Default: that of the client. */
  retriesMax?: number | undefined
  /** Makes an execution safe to repeat: the server runs it once for each key. */
  idempotencyKey?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

export interface HttpRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  /** JSON value; undefined for none. */
  body?: unknown
}

export interface Transport {
  fetch: typeof globalThis.fetch
  timeoutMs: number
  retriesMax: number
  /** Waits between two attempts; rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>
  /** Receives the headers of every response. */
  onResponse(headers: Headers): void
}

/** A longer pause is left to the caller: the error has the header. */
const DELAY_MS_MAX = 60_000
const FIRST_DELAY_MS = 500
const REPEATABLE_METHODS = new Set(['GET', 'PUT', 'DELETE'])
/** The request was not processed. */
const REJECTED_STATUSES = new Set([429, 503])
const FAILED_STATUSES = new Set([500, 502, 504])

/**
 * Sends a request and repeats it as the server allows: not with `x-should-retry: false`, unless an idempotency key
 * makes it safe; after `Retry-After` or the reset of the rate limit, otherwise with growing delays.
 * @returns the parsed body
 * @throws PatchbayError for an error response, PatchbayConnectionError without a response
 */
export async function sendRequest(
  transport: Transport,
  request: HttpRequest,
  options: RequestOptions = {},
): Promise<unknown> {
  const retriesMax = options.retriesMax ?? transport.retriesMax
  for (let attempt = 0; ; attempt++) {
    const outcome = await sendOnce(transport, request, options)
    if ('body' in outcome) return outcome.body
    const delayMs = attempt < retriesMax ? delayBefore(attempt, request, options, outcome.error) : undefined
    if (delayMs === undefined) throw outcome.error
    await transport.wait(delayMs, options.signal)
  }
}

type Outcome = { body: unknown } | { error: PatchbayError | PatchbayConnectionError }

async function sendOnce(
  transport: Transport,
  { method, url, headers, body }: HttpRequest,
  { signal, timeoutMs = transport.timeoutMs, idempotencyKey, headers: more }: RequestOptions,
): Promise<Outcome> {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await transport.fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...more,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    transport.onResponse(response.headers)
    const content = parseBody(await response.text())
    return response.ok ? { body: content } : { error: new PatchbayError(response, content) }
  } catch (error) {
    if (signal?.aborted) throw error
    const { origin } = new URL(url)
    const message = timeout.aborted
      ? `${origin} did not respond within ${timeoutMs} ms.`
      : `${origin} could not be reached. Check baseUrl and that the server runs.`
    return { error: new PatchbayConnectionError(message, error) }
  }
}

function parseBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Returns how long to wait before the next attempt, in milliseconds; undefined if the request must not be repeated. */
function delayBefore(
  attempt: number,
  { method }: HttpRequest,
  { idempotencyKey }: RequestOptions,
  error: PatchbayError | PatchbayConnectionError,
): number | undefined {
  const isSafe = idempotencyKey !== undefined || REPEATABLE_METHODS.has(method)
  const backoffMs = FIRST_DELAY_MS * 2 ** attempt * (0.5 + Math.random() / 2)
  if (error instanceof PatchbayConnectionError) return isSafe ? backoffMs : undefined
  const { status, headers } = error
  if (headers.get('x-should-retry') === 'false' && idempotencyKey === undefined) return undefined
  if (!REJECTED_STATUSES.has(status) && !(isSafe && FAILED_STATUSES.has(status))) return undefined
  const delayMs = retryAfterMs(headers) ?? backoffMs
  return delayMs <= DELAY_MS_MAX ? delayMs : undefined
}

/** Returns the delay that the server asks for: `Retry-After` in seconds or as a date. */
function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const seconds = Number(text)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** Waits with a timer. */
export const waitForTimer = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })

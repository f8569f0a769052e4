import type { PayloadVersion } from '../../../contract/events/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type Egress, EgressError } from '../../../platform/egress/index.ts'
import type { Branding } from '../../../platform/http/branding/branding.ts'
import { type Sign, signedHeaders } from '../../../platform/webhook-signature.ts'
import type { EventMessage } from './event-message.ts'
import { parseRetryAfter } from './retry-schedule.ts'

export interface AttemptDeps {
  egress: Egress
  clock: Clock
  brand: Branding
  /** For a request with its response. Default 15,000. */
  timeoutMs?: number
}

export interface Receiver {
  webhook_url: string | URL
  version: PayloadVersion
  sign: Sign
}

/** The result of one request to a receiver. */
export interface AttemptResult {
  delivered: boolean
  /** Null if there was no response. */
  status: number | null
  latency_ms: number
  error: string | null
  /** The first 2 KB. */
  response: string | null
  /** Seconds that the receiver asks for; 0 if it does not. */
  retry_after_s: number
}

const TIMEOUT_MS = 15_000
/** A larger response is a failure; of a successful one only the stored part is read. */
const RESPONSE_BYTES_MAX = 1024 * 1024
const STORED_BYTES = 2_048

/**
 * Sends one request. Every 2xx status acknowledges the message as soon as the status line is received,
 * whatever follows.
 * @throws EgressError `aborted` only, when the signal fires
 */
export async function attemptDelivery(
  deps: AttemptDeps,
  receiver: Receiver,
  message: EventMessage,
  number: number,
  signal?: AbortSignal,
): Promise<AttemptResult> {
  const { egress, clock, timeoutMs = TIMEOUT_MS } = deps
  const startedAt = performance.now()
  const body = new StoredBody()
  const result = (
    status: number | null,
    bytes: Buffer | null,
    error: string | null,
    retryAfterSeconds = 0,
  ) => ({
    delivered: status !== null && status >= 200 && status < 300,
    status,
    latency_ms: Math.round(performance.now() - startedAt),
    error,
    response: bytes && toStorableText(bytes),
    retry_after_s: retryAfterSeconds,
  })
  try {
    const response = await egress.send({
      ...signedRequest(deps, receiver, message, number),
      timeoutMs,
      bytesMax: RESPONSE_BYTES_MAX,
      maxRedirects: 0,
      onBody: (status) => body.start(status),
      signal,
    })
    const retryAfter = parseRetryAfter(response.headers['retry-after'], clock.now())
    return result(response.status, body.bytes() ?? response.body, null, retryAfter)
  } catch (error) {
    const { status } = body
    if (!(error instanceof EgressError) || (error.kind === 'aborted' && status === null)) throw error
    return status === null
      ? result(null, null, error.message)
      : result(status, body.bytes() ?? Buffer.alloc(0), null)
  }
}

function signedRequest(
  { clock, brand }: AttemptDeps,
  receiver: Receiver,
  message: EventMessage,
  number: number,
) {
  const { id, body } = message
  const timestamp = Math.floor(clock.now() / 1_000)
  return {
    method: 'POST' as const,
    url: receiver.webhook_url,
    body,
    headers: {
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'patchbay-webhooks',
      ...signedHeaders(receiver.sign, id, timestamp, body),
      [brand.toWire('x-service-webhook-version')]: receiver.version,
      [brand.toWire('x-service-delivery-attempt')]: String(number),
    },
  }
}

/** Collects the stored part of a successful response while it arrives. */
class StoredBody {
  /** The status of the response; null until it is acknowledged. */
  status: number | null = null
  readonly #chunks: Buffer[] = []

  /** Returns a function that receives the chunks and returns whether they are enough. */
  start(status: number): (chunk: Buffer) => boolean {
    this.status = status
    let length = 0
    return (chunk) => {
      this.#chunks.push(chunk)
      length += chunk.length
      return length >= STORED_BYTES
    }
  }

  bytes(): Buffer | undefined {
    return this.#chunks.length > 0 ? Buffer.concat(this.#chunks) : undefined
  }
}

/** Text that PostgreSQL can store: invalid UTF-8 and NUL are replaced. */
const toStorableText = (bytes: Buffer): string =>
  bytes.subarray(0, STORED_BYTES).toString('utf8').replaceAll('\0', '\u{fffd}')

import type { Sign } from '../../platform/webhook-signature.ts'
import type { PayloadVersion } from '../../contract/webhooks.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Egress, EgressError } from '../../platform/egress/index.ts'
import type { WireBrand } from '../../platform/http/branding/branding.ts'
import { messageId, payloadText, type Told } from './payload.ts'
import { retryAfter } from './schedule.ts'

export interface AttemptDeps {
  egress: Egress
  clock: Clock
  brand: WireBrand
  /** Of one request, with the answer. Default 15,000. */
  timeoutMs?: number
}
export interface Receiver {
  webhook_url: string | URL
  version: PayloadVersion
  sign: Sign
}

/** What came of one request to a receiver. */
export interface Answered {
  delivered: boolean
  /** Null when there was no answer. */
  status: number | null
  latency_ms: number
  error: string | null
  /** The first 2 KB. */
  response: string | null
  /** As the receiver asks, in seconds; 0 when it does not. */
  retry_after_s: number
}

const TIMEOUT_MS = 15_000
/** An answer that is larger is a failure; of a success no more than what is kept is read. */
const ANSWER_BYTES_MAX = 1024 * 1024
const KEPT_BYTES = 2_048

/** One request. Every 2xx is an acknowledgement from its first line on, whatever becomes of its body. @throws EgressError `aborted` only, when the signal fires */
export async function attempt(
  { egress, clock, brand, timeoutMs = TIMEOUT_MS }: AttemptDeps,
  receiver: Receiver,
  event: Told,
  number: number,
  signal?: AbortSignal,
): Promise<Answered> {
  const id = messageId(event.id)
  const body = payloadText(event, receiver.version, brand.spell)
  const timestamp = Math.floor(clock.now() / 1_000)
  const startedAt = performance.now()
  const kept: Buffer[] = []
  let acknowledged: number | null = null
  const take = (status: number) => {
    acknowledged = status
    let bytes = 0
    return (chunk: Buffer) => {
      kept.push(chunk)
      bytes += chunk.length
      return bytes >= KEPT_BYTES
    }
  }
  const ended = (
    status: number | null,
    answer: Buffer | null,
    error: string | null,
    retry_after_s = 0,
  ): Answered => ({
    delivered: status !== null && status >= 200 && status < 300,
    status,
    latency_ms: Math.round(performance.now() - startedAt),
    error,
    response: answer && textOf(answer),
    retry_after_s,
  })
  try {
    const reply = await egress.send({
      method: 'POST',
      url: receiver.webhook_url,
      body,
      timeoutMs,
      bytesMax: ANSWER_BYTES_MAX,
      maxRedirects: 0,
      take,
      ...(signal ? { signal } : {}),
      headers: {
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'patchbay-webhooks',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': receiver.sign(id, timestamp, body),
        [brand.spell('x-service-webhook-version')]: receiver.version,
        [brand.spell('x-service-delivery-attempt')]: String(number),
      },
    })
    return ended(
      reply.status,
      kept.length > 0 ? Buffer.concat(kept) : reply.body,
      null,
      retryAfter(reply.headers['retry-after'], clock.now()),
    )
  } catch (error) {
    if (!(error instanceof EgressError) || (error.kind === 'aborted' && acknowledged === null)) throw error
    return acknowledged === null
      ? ended(null, null, error.message)
      : ended(acknowledged, Buffer.concat(kept), null)
  }
}

/** As text that the database takes: bytes that are none are replaced, and so is NUL. */
const textOf = (bytes: Buffer): string =>
  bytes.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\u{fffd}')

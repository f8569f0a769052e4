import type { Readable } from 'node:stream'
import { ApiError } from '../../../../platform/http/api-error.ts'
import type { IngressPlace } from './capacity.ts'

const BODY_BYTES_MAX = 5 * 1024 * 1024
const BODY_MS_MAX = 10_000

/** The request cannot be received at the moment. */
export const tooManyDeliveries = (seconds: number): ApiError =>
  new ApiError('WebhookIngress_TooMany', `Too many deliveries. Send it again in ${seconds} s.`)

/**
 * Reads the body of a delivery, and counts its bytes as they arrive.
 * @throws ApiError 413 for more than 5 MB, 408 after ten seconds, 429 if the deliveries in progress use too much memory
 */
export async function readDeliveryBody(
  stream: Readable,
  place: IngressPlace,
  timeoutMs = BODY_MS_MAX,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  const late = new ApiError('HTTP_RequestTimeout', `The body did not arrive within ${timeoutMs / 1_000} s.`)
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late), timeoutMs)
  const iterator = stream.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), timeout])
      if (next.done) return Buffer.concat(chunks)
      const chunk = next.value as Buffer
      length += chunk.length
      if (length > BODY_BYTES_MAX) throw new ApiError('HTTP_PayloadTooLarge', 'A delivery has at most 5 MB.')
      if (!place.add(chunk.length)) throw tooManyDeliveries(1)
      chunks.push(chunk)
    }
  } finally {
    clearTimeout(timer)
  }
}

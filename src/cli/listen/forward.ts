import type { StreamedEvent } from '../../contract/events/index.ts'
import { signedHeaders, signer } from '../../platform/webhook-signature.ts'
import type { Io } from '../io.ts'

export interface ForwardResult {
  delivered: boolean
  status: number | null
  latency_ms: number
  error: string | null
}

const TIMEOUT_MS = 15_000

/** Sends events to a URL as the server does: with the same bytes, headers and signatures, but only once. */
export function createForwarder(
  io: Io,
  url: string,
  secret: string,
): (item: StreamedEvent) => Promise<ForwardResult> {
  const request = io.fetch ?? fetch
  const sign = signer([secret])
  return async ({ payload }) => {
    const { id = '', type = '' } = payload as { id?: string; type?: string }
    const brand = type.split('.')[0] || 'service'
    const body = JSON.stringify(payload)
    const timestamp = Math.floor(Date.now() / 1_000)
    const startedAt = performance.now()
    const ended = (status: number | null, error: string | null): ForwardResult => ({
      delivered: status !== null && status >= 200 && status < 300,
      status,
      latency_ms: Math.round(performance.now() - startedAt),
      error,
    })
    try {
      const response = await request(url, {
        method: 'POST',
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'patchbay-webhooks',
          ...signedHeaders(sign, id, timestamp, body),
          [`x-${brand}-webhook-version`]: 'V3',
          [`x-${brand}-delivery-attempt`]: '1',
        },
      })
      await response.body?.cancel()
      return ended(response.status, null)
    } catch (error) {
      return ended(null, reasonOf(error as Error))
    }
  }
}

/** Returns the system's error code of a failed request, if there is one. */
export function reasonOf(error: Error): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined
  return error.name === 'TimeoutError'
    ? `no response within ${TIMEOUT_MS / 1_000} seconds`
    : (cause?.code ?? cause?.message ?? error.message)
}

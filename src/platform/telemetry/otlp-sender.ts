import { setTimeout as wait } from 'node:timers/promises'
import { createEgress, parseAllowRules } from '../egress/index.ts'
import type { Logger } from '../log.ts'

export interface OtlpSettings {
  /** URL of a collector that accepts OTLP over HTTP, without a slash at the end. */
  endpoint: string
  /** Sent with every request, such as the key of a monitoring service. */
  headers: Readonly<Record<string, string>>
  protocol: 'http/protobuf' | 'http/json'
}

/** Sends serialized data. Resolves with whether the collector has accepted it. */
export interface OtlpSender {
  send(signal: 'traces' | 'metrics', body: Uint8Array): Promise<boolean>
  close(): Promise<void>
}

const TIMEOUT_MS = 10_000
const RESPONSE_BYTES_MAX = 64 * 1024
const ATTEMPTS_MAX = 3
const RETRY_MS = 1_000
const RETRY_AFTER_MS_MAX = 5_000
/** The statuses after which OTLP repeats a request (OTLP 1.7, "OTLP/HTTP Response"). */
const RETRYABLE = new Set([429, 502, 503, 504])

/**
 * Sends to a collector. Its endpoint is a setting, so its IP address may be private; no other private address is
 * allowed by this. A collector that is unavailable loses data and delays nothing; the log says so once.
 */
export function createOtlpSender({ endpoint, headers, protocol }: OtlpSettings, log: Logger): OtlpSender {
  const { hostname, port, protocol: scheme } = new URL(endpoint)
  const egress = createEgress({
    allow: parseAllowRules(`${hostname}:${port || (scheme === 'https:' ? '443' : '80')}`),
  })
  let isFailing = false
  const report = (reason: string | undefined) => {
    if (reason !== undefined && !isFailing)
      log.warn(
        { reason, endpoint },
        'traces and metrics could not be sent; they are dropped until this works',
      )
    if (reason === undefined && isFailing) log.info({ endpoint }, 'traces and metrics are sent again')
    isFailing = reason !== undefined
  }
  const post = (signal: string, body: Uint8Array) =>
    egress.send({
      method: 'POST',
      url: `${endpoint}/v1/${signal}`,
      headers: {
        ...headers,
        'content-type': protocol === 'http/json' ? 'application/json' : 'application/x-protobuf',
        'user-agent': 'patchbay',
      },
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      timeoutMs: TIMEOUT_MS,
      bytesMax: RESPONSE_BYTES_MAX,
    })
  return {
    async send(signal, body) {
      let reason = ''
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
        let delayMs = RETRY_MS
        try {
          const { status, headers: received } = await post(signal, body)
          if (status < 300) {
            report(undefined)
            return true
          }
          reason = `status ${status}`
          if (!RETRYABLE.has(status)) break
          delayMs = Math.min(Number(received['retry-after']) * 1_000 || RETRY_MS, RETRY_AFTER_MS_MAX)
        } catch (error) {
          reason = (error as Error).message
        }
        if (attempt < ATTEMPTS_MAX) await wait(delayMs, undefined, { ref: false })
      }
      report(reason)
      return false
    },
    close: () => egress.close(),
  }
}

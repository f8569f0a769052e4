import { Readable } from 'node:stream'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { type Egress, EgressError } from '../egress/index.ts'

/** The transport interface of the AWS SDK. */
type S3Handler = Exclude<Extract<S3ClientConfig['requestHandler'], { handle: unknown }>, undefined>
type S3Request = Parameters<S3Handler['handle']>[0]

const TIMEOUT_MS = 60_000
/**
 * The HTTP client sets the length of the body, and does not support `expect`. Neither name is signed with
 * another value.
 */
const OMITTED_HEADERS = new Set(['content-length', 'expect'])

/**
 * Sends requests of the AWS SDK through the egress guard, each attempt in at most 60 s and with a response of
 * at most `bytesMax` bytes.
 */
export function s3Handler(egress: Egress, bytesMax: number): S3Handler {
  return {
    async handle(request: S3Request, { abortSignal }: { abortSignal?: unknown } = {}) {
      const response = await egress
        .send({
          method: request.method,
          url: urlOf(request),
          headers: { ...headersOf(request), 'accept-encoding': 'identity' },
          body: bodyOf(request),
          maxRedirects: 0,
          timeoutMs: TIMEOUT_MS,
          bytesMax,
          signal: abortSignal as AbortSignal | undefined,
        })
        .catch((error: unknown) => {
          throw markRetryable(error)
        })
      const headers = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      )
      return { response: { statusCode: response.status, headers, body: Readable.from([response.body]) } }
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  } as unknown as S3Handler
}

/** Makes the SDK try again after an error of the network, but not after a denied address. */
function markRetryable(error: unknown): unknown {
  const isRetryable = error instanceof EgressError && !error.kind.startsWith('refused_')
  return isRetryable ? Object.assign(error, { $retryable: { throttling: false } }) : error
}

function urlOf({ protocol, hostname, port, path, query }: S3Request): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    ([value].flat() as (string | null)[]).map((one) => `${encode(name)}=${encode(one ?? '')}`),
  )
  const search = pairs.length > 0 ? `?${pairs.join('&')}` : ''
  return `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}${search}`
}

/** Percent-encodes as AWS Signature Version 4 does (RFC 3986, unreserved characters only). */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const headersOf = ({ headers }: S3Request): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers as Record<string, string>).filter(
      ([name]) => !OMITTED_HEADERS.has(name.toLowerCase()),
    ),
  )

function bodyOf({ body }: S3Request): Buffer | string | undefined {
  if (body === undefined || typeof body === 'string') return body
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  throw new Error('the object store client can send bytes and text only')
}

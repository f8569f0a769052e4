import { createHash, randomBytes } from 'node:crypto'
import type { OutgoingRequest } from '../scheme.ts'

/** Inputs of a signature that are not part of the request; fixed in tests. */
export interface SignatureContext {
  now: number
  nonce: string
}

/** Result of a signature: the URL to use and the headers to add. */
export interface SignedRequest {
  url: string
  headers: Record<string, string>
}

export const newSignatureContext = (now: number): SignatureContext => ({
  now,
  nonce: randomBytes(16).toString('hex'),
})

/** Parts of a request, by their names in signature templates. */
export function requestParts(
  { method, url: text, body = '' }: OutgoingRequest,
  { now, nonce }: SignatureContext,
): Readonly<Record<string, string>> {
  const url = new URL(text)
  const pairs = url.search.slice(1).split('&').filter(Boolean)
  return {
    method,
    url: url.href,
    scheme: url.protocol.slice(0, -1),
    host: url.host,
    path: url.pathname,
    query: url.search.slice(1),
    sorted_query: pairs.sort().join('&'),
    body: body.toString(),
    timestamp: String(Math.floor(now / 1_000)),
    timestamp_ms: String(now),
    date: new Date(now).toUTCString(),
    nonce,
  }
}

export const sha256 = (text: string | Buffer, encoding: 'base64' | 'hex') =>
  createHash('sha256').update(text).digest(encoding)

import { createHash, randomBytes } from 'node:crypto'
import type { OutgoingRequest } from '../scheme.ts'

/** What a signature takes from outside the request; fixed in tests. */
export interface Moment {
  now: number
  nonce: string
}

/** What a signature adds. */
export interface Signed {
  url: string
  headers: Record<string, string>
}

export const momentOf = (now: number): Moment => ({ now, nonce: randomBytes(16).toString('hex') })

/** The parts of a request by the names that templates of a signature use. */
export function partsOf(
  { method, url: text, body = '' }: OutgoingRequest,
  { now, nonce }: Moment,
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

import { createHmac } from 'node:crypto'
import { same } from './credentials.ts'
import type { Incoming } from './http.ts'

const SKEW_MS = 300_000

export interface OAuth1Demands {
  method: string
  realm?: string | undefined
  consumer: readonly [key: string, secret: string]
  token?: readonly [token: string, secret: string] | undefined
  /** Address that was called, without query. */
  url: string
  now: number
  /** Nonces that were used. */
  seen: Map<string, unknown>
}

/** The protocol parameters of an Authorization header (RFC 5849 §3.5.1). */
export function oauth1Params({ headers }: Incoming): Record<string, string> {
  const text = /^OAuth (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? ''
  return Object.fromEntries(
    [...text.matchAll(/([\w]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decodeURIComponent(value),
    ]),
  )
}

/** What is wrong with a request that was signed after RFC 5849; nothing when it is right. */
export function checkOAuth1(request: Incoming, demands: OAuth1Demands): string | undefined {
  const { realm, oauth_signature: signature = '', ...params } = oauth1Params(request)
  if (params['oauth_signature_method'] !== demands.method)
    return `The signature method must be ${demands.method}.`
  if (demands.realm !== undefined && realm !== demands.realm) return `The realm must be ${demands.realm}.`
  if (
    params['oauth_consumer_key'] !== demands.consumer[0] ||
    (demands.token && params['oauth_token'] !== demands.token[0])
  )
    return 'The consumer or the token is not known.'
  if (Math.abs(Number(params['oauth_timestamp']) * 1_000 - demands.now) > SKEW_MS)
    return 'The timestamp is old.'
  const nonce = `${params['oauth_nonce']}`
  if (nonce.length < 8 || demands.seen.has(nonce)) return 'The nonce is missing or was used.'
  demands.seen.set(nonce, true)
  const key = [demands.consumer[1], demands.token?.[1] ?? ''].map(encode).join('&')
  const expected =
    demands.method === 'PLAINTEXT'
      ? key
      : createHmac(demands.method === 'HMAC-SHA1' ? 'sha1' : 'sha256', key)
          .update(baseString(request, params, demands.url))
          .digest('base64')
  return same(signature, expected) ? undefined : 'The signature is wrong.'
}

/** RFC 5849 §3.4.1. */
function baseString(
  { method, query, headers, body }: Incoming,
  params: Record<string, string>,
  url: string,
): string {
  const form = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    ? [...new URLSearchParams(body)]
    : []
  const pairs = [...Object.entries(params), ...query, ...form].map(
    ([name, value]) => [encode(name), encode(value)] as const,
  )
  pairs.sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : 1))
  return [method, url, pairs.map((pair) => pair.join('=')).join('&')].map(encode).join('&')
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

import { createHmac } from 'node:crypto'
import OAuth from 'oauth-1.0a'
import type { Lookup, SignOf } from '../../catalog/index.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { fillOptional, fillText } from '../texts.ts'
import type { Moment, Signed } from './parts.ts'

export interface OAuth1Keys {
  consumerKey: string
  consumerSecret: string
  token?: string | undefined
  tokenSecret?: string | undefined
}
export interface OAuth1Options {
  method?: 'HMAC-SHA1' | 'HMAC-SHA256' | 'PLAINTEXT' | undefined
  realm?: string | undefined
  /** Further protocol parameters, e.g. oauth_callback. */ extra?: Readonly<Record<string, string>>
}

const FORM = /^application\/x-www-form-urlencoded\b/i

/** Signs with the keys of the connection. */
export function oauth1(
  { method, realm }: SignOf<'oauth1'>,
  lookup: Lookup,
  request: OutgoingRequest,
  moment: Moment,
): Signed {
  const keys = {
    consumerKey: fillText('{consumer_key}', lookup),
    consumerSecret: fillText("{consumer_secret||''}", lookup),
    token: fillText('{oauth_token}', lookup),
    tokenSecret: fillText("{oauth_token_secret||''}", lookup),
  }
  return {
    url: request.url,
    headers: {
      authorization: oauth1Header(request, keys, moment, { method, realm: fillOptional(realm, lookup) }),
    },
  }
}

/** The Authorization header of RFC 5849 §3.5.1: signed are the method, the address, its query, and the parameters of a form body (§3.4.1.3). */
export function oauth1Header(
  request: OutgoingRequest,
  keys: OAuth1Keys,
  { now, nonce }: Moment,
  { method = 'HMAC-SHA1', realm, extra }: OAuth1Options = {},
): string {
  const url = new URL(request.url)
  const signer = new OAuth({
    consumer: { key: keys.consumerKey, secret: keys.consumerSecret },
    signature_method: method,
    ...(realm === undefined ? {} : { realm: realm.replaceAll(/["\\]/g, '') }),
    hash_function: (text, key) =>
      method === 'PLAINTEXT'
        ? key
        : createHmac(method === 'HMAC-SHA1' ? 'sha1' : 'sha256', key)
            .update(text)
            .digest('base64'),
  })
  const data: Record<string, string> = {
    oauth_consumer_key: keys.consumerKey,
    ...(keys.token === undefined ? {} : { oauth_token: keys.token }),
    oauth_signature_method: method,
    oauth_timestamp: String(Math.floor(now / 1_000)),
    oauth_nonce: nonce,
    oauth_version: '1.0',
    ...extra,
  }
  // The library would lose a name that stands in the query and in the body, and leave `+` in a query as it is; so it gets them read.
  const parameters = {
    method: request.method,
    url: url.origin + url.pathname,
    data: signedParameters(url, request),
  }
  data['oauth_signature'] = signer.getSignature(parameters, keys.tokenSecret, data as unknown as OAuth.Data)
  return signer.toHeader(data as unknown as OAuth.Authorization).Authorization
}

function signedParameters(
  { searchParams }: URL,
  { headers, body }: OutgoingRequest,
): Record<string, string | string[]> {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const pairs = [
    ...searchParams,
    ...(body !== undefined && FORM.test(type) ? new URLSearchParams(body.toString()) : []),
  ]
  const found: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of pairs) found[name] = name in found ? [found[name]!, value].flat() : value
  return found
}

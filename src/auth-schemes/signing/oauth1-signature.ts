import { createHmac } from 'node:crypto'
import OAuth from 'oauth-1.0a'
import type { Lookup, SignOf } from '../../catalog/index.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { fillOptionalTemplate, fillTemplate } from '../credentials/templates.ts'
import type { SignatureContext, SignedRequest } from './signature-context.ts'

export interface OAuth1Keys {
  consumerKey: string
  consumerSecret: string
  token?: string | undefined
  tokenSecret?: string | undefined
}
export interface OAuth1Options {
  method?: 'HMAC-SHA1' | 'HMAC-SHA256' | 'PLAINTEXT' | undefined
  realm?: string | undefined
  /** Further protocol parameters, such as `oauth_callback`. */
  extra?: Readonly<Record<string, string>>
}

const FORM_CONTENT_TYPE = /^application\/x-www-form-urlencoded\b/i

/** Signs with the OAuth 1 keys of the connection. */
export function oauth1Signature(
  { method, realm }: SignOf<'oauth1'>,
  lookup: Lookup,
  request: OutgoingRequest,
  context: SignatureContext,
): SignedRequest {
  const keys = {
    consumerKey: fillTemplate('{consumer_key}', lookup),
    consumerSecret: fillTemplate("{consumer_secret||''}", lookup),
    token: fillTemplate('{oauth_token}', lookup),
    tokenSecret: fillTemplate("{oauth_token_secret||''}", lookup),
  }
  return {
    url: request.url,
    headers: {
      authorization: oauth1Header(request, keys, context, {
        method,
        realm: fillOptionalTemplate(realm, lookup),
      }),
    },
  }
}

/**
 * Creates the Authorization header (RFC 5849 §3.5.1). The signature covers method, URL, query, and the
 * parameters of
 * a form body (§3.4.1.3).
 */
export function oauth1Header(
  request: OutgoingRequest,
  keys: OAuth1Keys,
  { now, nonce }: SignatureContext,
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
  // Parameters are parsed here: the library loses a name that is in both query and body, and does not decode
  // `+`.
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
    ...(body !== undefined && FORM_CONTENT_TYPE.test(type) ? new URLSearchParams(body.toString()) : []),
  ]
  const parameters: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of pairs)
    parameters[name] = name in parameters ? [parameters[name]!, value].flat() : value
  return parameters
}

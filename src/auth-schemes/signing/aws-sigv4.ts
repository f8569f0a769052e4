import aws4 from 'aws4'
import type { Lookup, SignOf } from '../../catalog/index.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { fillOptionalTemplate, fillTemplate } from '../credentials/templates.ts'
import type { SignatureContext, SignedRequest } from './signature-context.ts'

/** Headers that are signed: a proxy may change others. */
const SIGNED_HEADERS = /^(content-type|content-md5|x-amz-.*)$/
/** Headers that the HTTP client sets, with the values that were signed. */
const HEADERS_SET_BY_CONNECTION = new Set(['host', 'content-length'])

/** Signs with AWS Signature Version 4 in headers. */
export function awsSigV4(
  sign: SignOf<'aws_sigv4'>,
  lookup: Lookup,
  { method, url: text, headers, body }: OutgoingRequest,
  { now }: SignatureContext,
): SignedRequest {
  const url = new URL(text)
  const sessionToken = fillOptionalTemplate(sign.session_token, lookup)
  const signedHeaders = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => SIGNED_HEADERS.test(name))
  const request = {
    host: url.host,
    path: url.pathname + url.search,
    method,
    service: fillTemplate(sign.service, lookup),
    region: fillTemplate(sign.region, lookup),
    headers: {
      ...Object.fromEntries(signedHeaders),
      'x-amz-date': new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    },
    ...(body === undefined ? {} : { body }),
  }
  const signed = aws4.sign(request, {
    accessKeyId: fillTemplate(sign.access_key_id, lookup),
    secretAccessKey: fillTemplate(sign.secret_access_key, lookup),
    ...(sessionToken === undefined ? {} : { sessionToken }),
  })
  const added = Object.entries(signed.headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    .filter(([name]) => !HEADERS_SET_BY_CONNECTION.has(name))
  // The returned path has its query in the signed order.
  return { url: url.origin + (signed.path ?? request.path), headers: Object.fromEntries(added) }
}

import aws4 from 'aws4'
import type { Lookup, SignOf } from '../../catalog/index.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { fillOptional, fillText } from '../texts.ts'
import type { Moment, Signed } from './parts.ts'

/** A proxy on the way may change others. */
const SIGNED = /^(content-type|content-md5|x-amz-.*)$/
/** The connection writes these itself, as they were signed. */
const WRITTEN_ANYWAY = new Set(['host', 'content-length'])

/** AWS Signature Version 4 in headers. */
export function awsSigV4(
  sign: SignOf<'aws_sigv4'>,
  lookup: Lookup,
  { method, url: text, headers, body }: OutgoingRequest,
  { now }: Moment,
): Signed {
  const url = new URL(text)
  const sessionToken = fillOptional(sign.session_token, lookup)
  const kept = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => SIGNED.test(name))
  const request = {
    host: url.host,
    path: url.pathname + url.search,
    method,
    service: fillText(sign.service, lookup),
    region: fillText(sign.region, lookup),
    headers: {
      ...Object.fromEntries(kept),
      'x-amz-date': new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    },
    ...(body === undefined ? {} : { body }),
  }
  const signed = aws4.sign(request, {
    accessKeyId: fillText(sign.access_key_id, lookup),
    secretAccessKey: fillText(sign.secret_access_key, lookup),
    ...(sessionToken === undefined ? {} : { sessionToken }),
  })
  const added = Object.entries(signed.headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    .filter(([name]) => !WRITTEN_ANYWAY.has(name))
  // The path comes back as it was signed, its query in the order of the signature.
  return { url: url.origin + (signed.path ?? request.path), headers: Object.fromEntries(added) }
}

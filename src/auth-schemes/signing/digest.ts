import { createHash, createHmac } from 'node:crypto'
import { encodeSegment, type Lookup, type SignOf } from '../../catalog/index.ts'
import { UnusableKey } from '../keys.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { fillText, fillTexts } from '../texts.ts'
import { type Moment, partsOf, type Signed } from './parts.ts'

/** A keyed (RFC 2104) or plain digest over a message that the manifest puts together. */
export function digest(
  sign: SignOf<'hmac'> | SignOf<'hash'>,
  lookup: Lookup,
  request: OutgoingRequest,
  moment: Moment,
): Signed {
  const parts = partsOf(request, moment)
  const own: Lookup = (name) => (Object.hasOwn(parts, name) ? parts[name] : lookup(name))
  const hash =
    sign.kind === 'hmac' ? createHmac(sign.algorithm, keyOf(sign, own)) : createHash(sign.algorithm)
  const signature = hash
    .update(sign.message === '' ? '' : fillText(sign.message, own))
    .digest(sign.encoding ?? 'hex')
  const withSignature: Lookup = (name) => (name === 'signature' ? signature : own(name))
  const query = Object.entries(fillTexts(sign.query, withSignature))
    .map(([name, value]) => `${encodeSegment(name)}=${encodeSegment(value)}`)
    .join('&')
  return {
    url: query ? `${request.url}${request.url.includes('?') ? '&' : '?'}${query}` : request.url,
    headers: fillTexts(sign.headers, withSignature),
  }
}

function keyOf({ key, key_encoding: encoding = 'utf8' }: SignOf<'hmac'>, lookup: Lookup): Buffer {
  const bytes = Buffer.from(fillText(key, lookup), encoding)
  if (!bytes.length) throw new UnusableKey(`is not written as ${encoding}`)
  return bytes
}

import { createHash, createHmac } from 'node:crypto'
import { percentEncode, type Lookup, type SignOf } from '../../catalog/index.ts'
import { UnusableKey } from './private-key.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { fillTemplate, fillTemplates } from '../credentials/templates.ts'
import { type SignatureContext, requestParts, type SignedRequest } from './signature-context.ts'

/** Signs with a keyed (RFC 2104) or plain digest over a message that the manifest defines. */
export function digestSignature(
  sign: SignOf<'hmac'> | SignOf<'hash'>,
  lookup: Lookup,
  request: OutgoingRequest,
  context: SignatureContext,
): SignedRequest {
  const parts = requestParts(request, context)
  const partLookup: Lookup = (name) => (Object.hasOwn(parts, name) ? parts[name] : lookup(name))
  const hash =
    sign.kind === 'hmac' ? createHmac(sign.algorithm, hmacKey(sign, partLookup)) : createHash(sign.algorithm)
  const signature = hash
    .update(sign.message === '' ? '' : fillTemplate(sign.message, partLookup))
    .digest(sign.encoding ?? 'hex')
  const withSignature: Lookup = (name) => (name === 'signature' ? signature : partLookup(name))
  const query = Object.entries(fillTemplates(sign.query, withSignature))
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join('&')
  return {
    url: query ? `${request.url}${request.url.includes('?') ? '&' : '?'}${query}` : request.url,
    headers: fillTemplates(sign.headers, withSignature),
  }
}

function hmacKey({ key, key_encoding: encoding = 'utf8' }: SignOf<'hmac'>, lookup: Lookup): Buffer {
  const bytes = Buffer.from(fillTemplate(key, lookup), encoding)
  if (!bytes.length) throw new UnusableKey(`is not encoded as ${encoding}`)
  return bytes
}

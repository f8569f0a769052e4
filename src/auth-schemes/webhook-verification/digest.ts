import { createHmac } from 'node:crypto'
import type { DigestManifest, Lookup } from '../../catalog/index.ts'
import { fillText } from '../texts.ts'

/** An HMAC as a manifest describes it. Undefined where the key is empty: then anybody could make it. @throws MissingValue */
export function hmacOf(
  { algorithm, key, key_prefix: prefix = '', key_encoding: encoding = 'utf8' }: DigestManifest,
  lookup: Lookup,
  message: Buffer,
): Buffer | undefined {
  const text = fillText(key, lookup)
  const bytes = Buffer.from(
    prefix !== '' && text.startsWith(prefix) ? text.slice(prefix.length) : text,
    encoding,
  )
  return bytes.length === 0 ? undefined : createHmac(algorithm, bytes).update(message).digest()
}

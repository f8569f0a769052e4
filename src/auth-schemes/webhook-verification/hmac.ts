import { createHmac } from 'node:crypto'
import type { DigestManifest, Lookup } from '../../catalog/index.ts'
import { fillTemplate } from '../credentials/templates.ts'

/**
 * Computes the HMAC that a manifest describes; undefined for an empty key, which anyone could use.
 * @throws MissingValue
 */
export function computeHmac(
  { algorithm, key, key_prefix: prefix = '', key_encoding: encoding = 'utf8' }: DigestManifest,
  lookup: Lookup,
  message: Buffer,
): Buffer | undefined {
  const text = fillTemplate(key, lookup)
  const bytes = Buffer.from(
    prefix !== '' && text.startsWith(prefix) ? text.slice(prefix.length) : text,
    encoding,
  )
  return bytes.length === 0 ? undefined : createHmac(algorithm, bytes).update(message).digest()
}

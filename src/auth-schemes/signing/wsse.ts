import { createHash } from 'node:crypto'
import type { Lookup, SignOf } from '../../catalog/index.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { fillText } from '../texts.ts'
import type { Moment, Signed } from './parts.ts'

/** The header X-WSSE: a digest of nonce, time and secret in place of the secret (WS-Security UsernameToken, as HTTP APIs write it). */
export function wsse(
  sign: SignOf<'wsse'>,
  lookup: Lookup,
  { url }: OutgoingRequest,
  { now, nonce }: Moment,
): Signed {
  const created = new Date(now).toISOString().replace(/\.\d{3}/, '')
  const hash = createHash('sha1').update(nonce + created + fillText(sign.secret, lookup))
  const digest =
    sign.digest === 'hex' ? Buffer.from(hash.digest('hex')).toString('base64') : hash.digest('base64')
  const username = fillText(sign.username, lookup).replaceAll(/["\\]/g, (char) => `\\${char}`)
  return {
    url,
    headers: {
      'x-wsse': `UsernameToken Username="${username}", PasswordDigest="${digest}", Nonce="${nonce}", Created="${created}"`,
    },
  }
}

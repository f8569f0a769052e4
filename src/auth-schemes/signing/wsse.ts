import { createHash } from 'node:crypto'
import type { Lookup, SignOf } from '../../catalog/index.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { fillTemplate } from '../credentials/templates.ts'
import type { SignatureContext, SignedRequest } from './signature-context.ts'

/**
 * Creates the X-WSSE header: a digest of nonce, time and secret (WS-Security UsernameToken, adapted to HTTP).
 */
export function wsse(
  sign: SignOf<'wsse'>,
  lookup: Lookup,
  { url }: OutgoingRequest,
  { now, nonce }: SignatureContext,
): SignedRequest {
  const created = new Date(now).toISOString().replace(/\.\d{3}/, '')
  const hash = createHash('sha1').update(nonce + created + fillTemplate(sign.secret, lookup))
  const digest =
    sign.digest === 'hex' ? Buffer.from(hash.digest('hex')).toString('base64') : hash.digest('base64')
  const username = fillTemplate(sign.username, lookup).replaceAll(/["\\]/g, (char) => `\\${char}`)
  return {
    url,
    headers: {
      'x-wsse':
        `UsernameToken Username="${username}", PasswordDigest="${digest}", ` +
        `Nonce="${nonce}", Created="${created}"`,
    },
  }
}

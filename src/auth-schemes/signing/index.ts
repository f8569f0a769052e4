import { headerText, type Lookup, type SignManifest } from '../../catalog/index.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { awsSigV4 } from './aws-sigv4.ts'
import { digest } from './digest.ts'
import { httpMessageSignature } from './http-message-signature.ts'
import { oauth1 } from './oauth1.ts'
import { type Moment, momentOf, type Signed } from './parts.ts'
import { wsse } from './wsse.ts'

type Signers = {
  [K in SignManifest['kind']]: (
    sign: Extract<SignManifest, { kind: K }>,
    lookup: Lookup,
    request: OutgoingRequest,
    moment: Moment,
  ) => Signed
}

const SIGNERS: Signers = {
  hmac: digest,
  hash: digest,
  oauth1,
  aws_sigv4: awsSigV4,
  wsse,
  http_message_signature: httpMessageSignature,
}

/**
 * Signs a finished request as its manifest says: answers the address to send it to and the headers to set on it.
 * @throws MissingValue, UnsafeValue, UnusableKey
 */
export function signRequest(
  sign: SignManifest,
  lookup: Lookup,
  request: OutgoingRequest,
  now: number,
  moment: Moment = momentOf(now),
): Signed {
  const signer = SIGNERS[sign.kind] as (
    sign: SignManifest,
    lookup: Lookup,
    request: OutgoingRequest,
    moment: Moment,
  ) => Signed
  const { url, headers } = signer(sign, lookup, request, moment)
  return {
    url,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), headerText(name, value)]),
    ),
  }
}

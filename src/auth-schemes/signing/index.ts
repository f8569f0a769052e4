import { headerText, type Lookup, type SignManifest } from '../../catalog/index.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { awsSigV4 } from './aws-sigv4.ts'
import { digestSignature } from './digest-signature.ts'
import { httpMessageSignature } from './http-message-signature.ts'
import { oauth1Signature } from './oauth1-signature.ts'
import { type SignatureContext, newSignatureContext, type SignedRequest } from './signature-context.ts'
import { wsse } from './wsse.ts'

type Signers = {
  [K in SignManifest['kind']]: (
    sign: Extract<SignManifest, { kind: K }>,
    lookup: Lookup,
    request: OutgoingRequest,
    context: SignatureContext,
  ) => SignedRequest
}

const SIGNERS: Signers = {
  hmac: digestSignature,
  hash: digestSignature,
  oauth1: oauth1Signature,
  aws_sigv4: awsSigV4,
  wsse,
  http_message_signature: httpMessageSignature,
}

/**
 * Signs a finished request as its manifest declares. Returns the URL to use and the headers to set.
 * @throws MissingValue, UnsafeValue, UnusableKey
 */
export function signRequest(
  sign: SignManifest,
  lookup: Lookup,
  request: OutgoingRequest,
  now: number,
  context: SignatureContext = newSignatureContext(now),
): SignedRequest {
  const signer = SIGNERS[sign.kind] as (
    sign: SignManifest,
    lookup: Lookup,
    request: OutgoingRequest,
    context: SignatureContext,
  ) => SignedRequest
  const { url, headers } = signer(sign, lookup, request, context)
  return {
    url,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), headerText(name, value)]),
    ),
  }
}

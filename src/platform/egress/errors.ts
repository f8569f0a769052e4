export type EgressErrorKind =
  | 'refused_address' // Not a public address, and no allow rule opens it.
  | 'refused_url' // Not a URL that may be called: scheme, credentials, syntax.
  | 'dns' // The name does not resolve.
  | 'connect' // No connection: refused, unreachable, or not within connectTimeoutMs. Nothing was sent.
  | 'timeout' // No complete answer within timeoutMs. The server may have acted.
  | 'too_large' // The body exceeds bytesMax, as received or as decompressed.
  | 'reset' // The connection broke. The server may have acted.
  | 'tls' // The certificate or the handshake is not acceptable. Nothing was sent.
  | 'too_many_redirects'
  | 'aborted' // By the caller's signal, or because egress is closing.
  | 'protocol' // Not HTTP as it should be, in the request (nothing was sent) or in the answer.

/**
 * Why there is no answer. `message` is fit for the caller of a tool: it says host and reason, never a query string, a
 * credential, or an address that the caller did not name. `cause` is for the log only.
 */
export class EgressError extends Error {
  readonly kind: EgressErrorKind

  constructor(kind: EgressErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'EgressError'
    this.kind = kind
  }
}

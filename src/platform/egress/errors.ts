export type EgressErrorKind =
  | 'refused_address' // Not a public address, and no rule allows it.
  | 'refused_url' // Not a URL that may be called: scheme, credentials, syntax.
  | 'dns' // The name does not resolve.
  | 'connect' // No connection: rejected, unreachable, or not within connectTimeoutMs. Nothing was sent.
  | 'timeout' // No complete response within timeoutMs. The server may have acted.
  | 'too_large' // The body exceeds bytesMax, as received or as decompressed.
  | 'busy' // Too many bytes of other responses are in memory. Nothing was sent.
  | 'over_budget' // The response was dropped for the same reason. The server may have acted.
  | 'reset' // The connection broke. The server may have acted.
  | 'tls' // The certificate or the handshake is not valid. Nothing was sent.
  | 'too_many_redirects'
  | 'aborted' // By the caller's signal, or because egress is closing.
  | 'protocol' // Not valid HTTP, in the request (nothing was sent) or in the response.

/**
 * Why there is no response. `message` may be shown to the caller of a tool: it contains host and reason,
 * never a query string, a credential, or an address that the caller did not name. `cause` is for the log
 * only.
 */
export class EgressError extends Error {
  readonly kind: EgressErrorKind

  constructor(kind: EgressErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'EgressError'
    this.kind = kind
  }
}

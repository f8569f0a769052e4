import type { LookupFunction } from 'node:net'
import type { AllowRule } from './allow-rules.ts'
import type { ByteLease } from './byte-budget.ts'

export interface EgressOptions {
  /** Destinations in addition to public addresses, see `parseAllowRules`. */
  allow: AllowRule[]
  /** Time limit until TCP and TLS are ready. Default 5,000. */
  connectTimeoutMs?: number
  /** Further requests to an origin wait for a free connection. Default 256. */
  maxConnectionsPerOrigin?: number
  /** Bytes of all response bodies that may be in memory at the same time. Default 256 MiB. */
  responseBytesMax?: number | undefined
  /** Additional certificate authorities (PEM). */
  ca?: string
  /** Replaces the system's resolver. Its results pass the guard too. */
  lookup?: LookupFunction
}

export interface EgressRequest {
  method: string
  /** http or https, without credentials. */
  url: string | URL
  /**
   * Headers of the connection itself (transfer-encoding, upgrade, …) and a Host that is not the URL's are
   * rejected.
   */
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole request: name resolution, connection, redirects and the last byte of the body. */
  timeoutMs: number
  /** Limit of the response body, as received and as decompressed. Default 10 MB. */
  bytesMax?: number
  /** Default 5 for GET and HEAD, otherwise 0: the 3xx response is the result. */
  maxRedirects?: number
  /**
   * Returns whether a redirect may be followed; otherwise the redirect is the result. Default: all, each
   * checked like the first URL.
   */
  mayRedirect?: (to: URL) => boolean | Promise<boolean>
  proxy?: EgressProxy
  /**
   * Names of headers with credentials, in addition to the usual ones: they are not sent to another origin.
   */
  sensitiveHeaders?: string[]
  signal?: AbortSignal
  /**
   * Counts the body in the budget of the process until the caller releases it, for callers that work with the body.
   * Default: until the request ends.
   */
  lease?: ByteLease | undefined
  /**
   * Called when a successful (2xx), uncompressed response starts. The function that it returns receives the
   * body while it arrives, and `body` stays empty. It returns true when it needs no more: the rest is not
   * read, and the connection is closed. It must not throw. `timeoutMs` and `bytesMax` apply too.
   */
  onBody?: OnBody
}

export type OnBody = (
  status: number,
  headers: Record<string, string | string[]>,
) => ((chunk: Buffer) => boolean) | undefined

export interface EgressProxy {
  /** http or https; `user:password@` is sent to the proxy as Basic. */
  url: string
  /**
   * Sent as Proxy-Authorization: unchanged if it names a scheme (`Basic …`), otherwise as `Bearer <authKey>`.
   */
  authKey?: string
}

export interface EgressResponse {
  status: number
  /** Names in lower case. Without content-encoding and content-length when the body was decompressed. */
  headers: Record<string, string | string[]>
  body: Buffer
  /** URL of the response, after redirects. */
  url: string
}

export interface EgressStats {
  /** Origins and proxies that have a pool. */
  origins: number
  connections: number
  /** Requests on a connection. */
  running: number
  /** Requests that wait for a connection. */
  waiting: number
}

export interface Egress {
  /** Any HTTP status is a result. @throws EgressError, and no other error */
  send(request: EgressRequest): Promise<EgressResponse>
  /**
   * Checks a URL as far as possible without a resolver: its form, and its host if it is an IP address. A name
   * is checked at each connection.
   * @throws EgressError `refused_url` or `refused_address`
   */
  check(url: string | URL): void
  /** Returns a lease for the responses of several requests. The caller must release it. */
  lease(): ByteLease
  /**
   * Rejects new requests, and resolves when those in progress have ended. Each one ends within its own
   * timeout.
   */
  close(): Promise<void>
  stats(): EgressStats
}

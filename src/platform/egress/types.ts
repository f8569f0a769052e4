import type { LookupFunction } from 'node:net'
import type { AllowRule } from './allow-rules.ts'

export interface EgressOptions {
  /** What is reachable besides public addresses, see `parseAllowRules`. */
  allow: AllowRule[]
  /** Until TCP and TLS are ready. Default 5,000. */
  connectTimeoutMs?: number
  /** More requests than this to one origin wait for a free connection. Default 256. */
  maxConnectionsPerOrigin?: number
  /** Further certificate authorities (PEM), besides those that Node trusts. */
  ca?: string
  /** In place of the system's resolver. What it answers is checked all the same. */
  lookup?: LookupFunction
}

export interface EgressRequest {
  method: string
  /** http or https, without credentials. */
  url: string | URL
  /** Headers of the connection itself (transfer-encoding, upgrade, …) are refused, and so is a Host that is not the URL's. */
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole exchange: names, connection, redirects and the last byte of the body. */
  timeoutMs: number
  /** Of the response body, as received and as decompressed. Default 10 MB. */
  bytesMax?: number
  /** Default 5 for GET and HEAD, otherwise 0: the 3xx response itself is the answer. */
  maxRedirects?: number
  /** Which redirects may be followed; one that may not is the answer itself. Default: all, each checked as the first address was. */
  mayRedirect?: (to: URL) => boolean | Promise<boolean>
  proxy?: EgressProxy
  /** Header names that carry credentials, besides the usual ones: they do not follow a redirect to another origin. */
  sensitiveHeaders?: string[]
  signal?: AbortSignal
  /**
   * Asked when a success (2xx) that is not compressed begins. A taker gets the body while it arrives, and `body` stays empty; it answers true when it has
   * enough: the rest is not read and the connection is closed. It must not throw. `timeoutMs` and `bytesMax` hold all the same.
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
  /** Sent as Proxy-Authorization: as it is if it names a scheme (`Basic …`), otherwise as `Bearer <authKey>`. */
  authKey?: string
}

export interface EgressResponse {
  status: number
  /** Names in lower case. Without content-encoding and content-length when the body was decompressed. */
  headers: Record<string, string | string[]>
  body: Buffer
  /** Where the answer came from, after redirects. */
  url: string
}

export interface EgressStats {
  /** Origins and proxies that have a pool. */
  origins: number
  connections: number
  /** Requests on a connection. */
  running: number
  /** Requests that wait for one. */
  waiting: number
}

export interface Egress {
  /** @throws EgressError, and nothing else. Any HTTP status is an answer, not an error. */
  send(request: EgressRequest): Promise<EgressResponse>
  /**
   * Whether the URL may be called as far as it tells itself: its form, and its host where that is an address. A name is judged by what it resolves to, at every connection.
   * @throws EgressError `refused_url` or `refused_address`
   */
  check(url: string | URL): void
  /** Refuses new requests and resolves when those under way have ended; each ends within its own timeout. */
  close(): Promise<void>
  stats(): EgressStats
}

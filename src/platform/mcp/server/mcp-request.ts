import type { IncomingHttpHeaders } from 'node:http'
import type { ReceivedBody } from '../../http/middleware/receive-large-body.ts'

/** A request of an authenticated caller. `signal` aborts when the caller disconnects. */
export interface McpRequest {
  readonly url: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** A large body that a thread has checked, instead of the text. */
  readonly largeBody?: ReceivedBody | undefined
  readonly signal: AbortSignal
}

/** A response to one message as JSON text, or any other response. */
export type McpResponse = Response | { readonly jsonText: string }

/** Returns a header as one text. Node.js itself joins the values of repeated headers, but its types do not say so. */
export const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Returns the request in the form that the SDK's handlers of HTTP take. The body is passed on separately.
 * @param signal makes a request that follows it, which costs a third of a call: only for what reads the signal
 */
export function toWebRequest({ url, method, headers }: McpRequest, signal?: AbortSignal): Request {
  const web = new Headers()
  // The length is that of a body that this request does not have.
  for (const name of Object.keys(headers)) {
    const value = headerOf(headers, name)
    if (value !== undefined && name !== 'content-length' && name !== 'connection') web.set(name, value)
  }
  return new Request(url, { method, headers: web, ...(signal && { signal }) })
}

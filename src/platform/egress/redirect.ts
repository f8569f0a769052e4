import { parseRequestUrl } from './request-url.ts'

/** One request. A redirect creates the next one. */
export interface Hop {
  url: URL
  method: string
  headers: Record<string, string> | undefined
  body: string | Buffer | undefined
}

const credentials = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'api-key',
  'apikey',
  'x-auth-token',
  'x-access-token',
])

/**
 * Returns the request to which a response redirects, or undefined if it is not a redirect (RFC 9110, section
 * 15.4).
 * @throws EgressError `refused_url` if the new URL must not be called
 */
export function redirectedRequest(
  hop: Hop,
  status: number,
  headers: Record<string, string | string[]>,
  sensitive: string[] | undefined,
  label: string,
): Hop | undefined {
  const location = headers['location']
  // Two locations: no telling which is meant.
  if (!isRedirect(status) || typeof location !== 'string') return undefined
  // Header bytes are read as Latin-1; many servers send UTF-8 in a location.
  const url = URL.parse(Buffer.from(location, 'latin1').toString(), hop.url.href)
  const next = { ...hop, url: parseRequestUrl(url ?? '', label) }
  if (becomesGet(status, hop.method)) {
    next.method = 'GET'
    next.body = undefined
    next.headers = without(next.headers, (name) => name.startsWith('content-'))
  }
  if (next.url.origin !== hop.url.origin) {
    const sensitiveNames = new Set(sensitive?.map((name) => name.toLowerCase()))
    next.headers = without(next.headers, (name) => credentials.has(name) || sensitiveNames.has(name))
  }
  // It belonged to the old URL; the connection sets the new one.
  next.headers = without(next.headers, (name) => name === 'host')
  return next
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308
}

function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD'
  return (status === 301 || status === 302) && method === 'POST'
}

function without(
  headers: Record<string, string> | undefined,
  drops: (name: string) => boolean,
): Record<string, string> | undefined {
  return headers && Object.fromEntries(Object.entries(headers).filter(([name]) => !drops(name.toLowerCase())))
}

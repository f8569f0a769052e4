import { type FoundTool, type RenderedRequest, FileBytes } from '../../catalog/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { isSameSite } from '../same-site.ts'
import type { Connection, ProxyCall } from '../types.ts'
import { baseAddress, joined, translated } from './build-request.ts'
import type { Manner } from './send.ts'

/** Names that the connection sets by itself, or that belong to one hop only (RFC 9110 §7.6.1). */
const NOT_FOR_CALLERS =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|http2-settings|proxy-.*)$/i
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const REDIRECTS_MAX = 5
/** What says nothing of the caller may follow a redirect to another host of the same site. */
const HARMLESS = /^(accept|accept-language|content-type|user-agent|range|if-.*)$/

/** The caller's request, ready to be given its credentials, and the addresses it may be led on to. */
export interface ProxyRequest {
  rendered: RenderedRequest
  way: NonNullable<Manner['way']>
}

/** @throws ApiError when the endpoint is not of the account's site, or the request cannot be sent */
export async function proxyRequest(
  call: ProxyCall,
  found: FoundTool,
  connection: Connection,
  bytes: FileBytes | undefined,
  ownHosts: () => ReadonlySet<string>,
): Promise<ProxyRequest> {
  const base = URL.parse(translated(() => baseAddress(found, connection)))
  const target = await endpointOf(call.endpoint, base, found, ownHosts)
  const headers = headersOf(call)
  for (const { name, value } of found.toolkit.headers)
    if (value.names.length) delete headers[name.toLowerCase()]
  headers['accept'] ??= '*/*'
  const query = (call.parameters ?? [])
    .filter(({ type }) => type === 'query')
    .map(({ name, value }): [string, string] => [name, value])
  const { body, bodyType } = bodyOf(call, bytes, headers)
  return {
    rendered: {
      method: call.method,
      path: withoutCredentials(target, connection),
      query,
      headers,
      body,
      bodyType,
    },
    way: {
      maxRedirects: call.method === 'GET' || call.method === 'HEAD' ? REDIRECTS_MAX : 0,
      mayRedirect: (to) => isSameSite(base ?? target, to, ownHosts),
      sensitiveHeaders: Object.keys(headers).filter((name) => !HARMLESS.test(name)),
    },
  }
}

/** Where the request goes. A fragment is for browsers; a user or password in an address would be other credentials. */
async function endpointOf(
  endpoint: string,
  base: URL | null,
  { toolkit }: FoundTool,
  ownHosts: () => ReadonlySet<string>,
): Promise<URL> {
  if (/[\0-\x1f\x7f\\#]/.test(endpoint))
    throw badRequest('Error in payload.endpoint: must not hold control characters, backslashes or a fragment')
  const isWhole = /^[a-z][a-z0-9+.-]*:/i.test(endpoint) || endpoint.startsWith('//')
  if (!base && !isWhole)
    throw badRequest(`Error in payload.endpoint: ${toolkit.name} has no base address; give a whole address`)
  const target = URL.parse(
    isWhole ? endpoint : joined((base as URL).href.replace(/[?#].*$/, ''), endpoint),
    base?.href,
  )
  if (!target || target.username || target.password)
    throw badRequest('Error in payload.endpoint: is not a path or an address')
  const isOwn = base
    ? await isSameSite(base, target, ownHosts)
    : target.protocol === 'https:' && ownHosts().has(target.hostname)
  if (!isOwn)
    throw new ApiError(
      'ActionProxy_OriginMismatch',
      `The endpoint is on ${target.protocol}//${target.host}, the account on ${base ? base.origin : 'the hosts of its tools'}; credentials do not go to another site.`,
    )
  return target
}

/** A parameter of the address that the credentials use themselves is dropped: credentials are set by the connection alone. */
function withoutCredentials(target: URL, connection: Connection): string {
  const own =
    connection.kind === 'account' || connection.kind === 'custom'
      ? connection.setup.scheme.query.map(({ name }) => name)
      : []
  if (!own.length || !target.search) return target.href
  const kept = target.search
    .slice(1)
    .split('&')
    .filter((pair) => !own.includes(new URLSearchParams(pair).keys().next().value ?? ''))
  target.search = kept.join('&')
  return target.href
}

function headersOf({ parameters = [] }: ProxyCall): Record<string, string> {
  const headers: Record<string, string> = {}
  const wrong = parameters.flatMap(({ type, name, value }, index) => {
    if (type !== 'header') return []
    const at = `Error in payload.parameters.${index}`
    headers[name.toLowerCase()] = value
    if (!HEADER_NAME.test(name)) return [`${at}.name: is no header name`]
    if (NOT_FOR_CALLERS.test(name)) return [`${at}.name: ${name} is set by the connection itself`]
    return HEADER_VALUE.test(value) ? [] : [`${at}.value: cannot stand in a header`]
  })
  if (wrong.length) throw badRequest(...wrong)
  return headers
}

/** Objects as JSON, or as a form where the content type says so; texts as they are; bytes as they are. */
function bodyOf(
  { body, binaryBody }: ProxyCall,
  bytes: FileBytes | undefined,
  headers: Record<string, string>,
): Pick<RenderedRequest, 'body' | 'bodyType'> {
  const given = binaryBody?.content_type ?? undefined
  if (bytes) return { body: new FileBytes(bytes.name, given ?? bytes.type, bytes.bytes), bodyType: 'binary' }
  if (body === undefined || body === null) return { body: undefined, bodyType: 'json' }
  if (typeof body === 'string') return { body, bodyType: 'text' }
  const isForm =
    typeof body === 'object' &&
    !Array.isArray(body) &&
    /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
  return { body, bodyType: isForm ? 'form' : 'json' }
}

import { FileBytes, type RenderedRequest } from '../../catalog/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { HasRequest, ResolvedOperation } from '../pipeline/context.ts'
import type { ProxyCall, ToolConnection } from '../types.ts'
import { baseUrl, joinUrl, withCallerErrors } from './egress-request.ts'
import { isSameSite } from './same-site.ts'

/** Headers that the connection sets, or that apply to one hop only (RFC 9110 §7.6.1). */
const RESERVED_HEADERS =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|http2-settings|proxy-.*)$/i
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const REDIRECTS_MAX = 5
/** Headers that say nothing about the caller may follow a redirect to another host of the same site. */
const HARMLESS_HEADERS = /^(accept|accept-language|content-type|user-agent|range|if-.*)$/

/**
 * Renders the request of the caller, without credentials, and decides which redirects it may follow.
 * @throws ApiError when the endpoint is on another site, or the request cannot be sent
 */
export async function renderProxyRequest(
  call: ProxyCall,
  operation: ResolvedOperation,
  connection: ToolConnection,
  bytes: FileBytes | undefined,
  toolkitHosts: () => ReadonlySet<string>,
): Promise<HasRequest> {
  const base = URL.parse(withCallerErrors(() => baseUrl(operation, connection)))
  const target = await resolveEndpoint(call.endpoint, base, operation, toolkitHosts)
  const headers = readHeaders(call)
  for (const { name, value } of operation.toolkit.headers) {
    if (value.names.length) delete headers[name.toLowerCase()]
  }
  headers['accept'] ??= '*/*'
  const query = (call.parameters ?? [])
    .filter(({ type }) => type === 'query')
    .map(({ name, value }): [string, string] => [name, value])
  const { body, bodyType } = renderBody(call, bytes, headers)
  const path = withoutCredentials(target, connection)
  return {
    request: { method: call.method, path, query, headers, body, bodyType },
    requestOptions: {
      maxRedirects: call.method === 'GET' || call.method === 'HEAD' ? REDIRECTS_MAX : 0,
      mayRedirect: (to) => isSameSite(base ?? target, to, toolkitHosts),
      sensitiveHeaders: Object.keys(headers).filter((name) => !HARMLESS_HEADERS.test(name)),
    },
  }
}

/** A fragment is for browsers. A user or password in a URL would be other credentials. */
async function resolveEndpoint(
  endpoint: string,
  base: URL | null,
  { toolkit }: ResolvedOperation,
  toolkitHosts: () => ReadonlySet<string>,
): Promise<URL> {
  const field = 'Error in payload.endpoint'
  if (/[\0-\x1f\x7f\\#]/.test(endpoint)) {
    throw badRequest(`${field}: must not contain control characters, backslashes or a fragment`)
  }
  const isCompleteUrl = /^[a-z][a-z0-9+.-]*:/i.test(endpoint) || endpoint.startsWith('//')
  if (!base && !isCompleteUrl) {
    throw badRequest(`${field}: ${toolkit.name} has no base URL; send a complete URL`)
  }
  const url = isCompleteUrl ? endpoint : joinUrl((base as URL).href.replace(/[?#].*$/, ''), endpoint)
  const target = URL.parse(url, base?.href)
  if (!target || target.username || target.password) throw badRequest(`${field}: is not a path or a URL`)
  const isAllowed = base
    ? await isSameSite(base, target, toolkitHosts)
    : target.protocol === 'https:' && toolkitHosts().has(target.hostname)
  if (isAllowed) return target
  const site = base ? base.origin : 'the hosts of its tools'
  throw new ApiError(
    'ActionProxy_OriginMismatch',
    `The endpoint is on ${target.protocol}//${target.host}, the account on ${site}; ` +
      'credentials are not sent to another site.',
  )
}

/** Removes query parameters that the credentials use: only the connection sets credentials. */
function withoutCredentials(target: URL, connection: ToolConnection): string {
  const reserved =
    connection.kind === 'account' || connection.kind === 'custom'
      ? connection.context.scheme.query.map(({ name }) => name)
      : []
  if (!reserved.length || !target.search) return target.href
  target.search = target.search
    .slice(1)
    .split('&')
    .filter((pair) => !reserved.includes(new URLSearchParams(pair).keys().next().value ?? ''))
    .join('&')
  return target.href
}

function readHeaders({ parameters = [] }: ProxyCall): Record<string, string> {
  const headers: Record<string, string> = {}
  const errors: string[] = []
  for (const [index, { type, name, value }] of parameters.entries()) {
    if (type !== 'header') continue
    const field = `Error in payload.parameters.${index}`
    headers[name.toLowerCase()] = value
    if (!HEADER_NAME.test(name)) errors.push(`${field}.name: is not a valid header name`)
    else if (RESERVED_HEADERS.test(name)) errors.push(`${field}.name: the connection sets ${name}`)
    else if (!HEADER_VALUE.test(value)) errors.push(`${field}.value: is not a valid header value`)
  }
  if (errors.length) throw badRequest(...errors)
  return headers
}

/** Objects are sent as JSON, or as a form if the content type says so. Text and bytes are sent as they are. */
function renderBody(
  { body, binaryBody }: ProxyCall,
  bytes: FileBytes | undefined,
  headers: Record<string, string>,
): Pick<RenderedRequest, 'body' | 'bodyType'> {
  const type = binaryBody?.content_type ?? undefined
  if (bytes) return { body: new FileBytes(bytes.name, type ?? bytes.type, bytes.bytes), bodyType: 'binary' }
  if (body === undefined || body === null) return { body: undefined, bodyType: 'json' }
  if (typeof body === 'string') return { body, bodyType: 'text' }
  const isForm =
    typeof body === 'object' &&
    !Array.isArray(body) &&
    /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
  return { body, bodyType: isForm ? 'form' : 'json' }
}

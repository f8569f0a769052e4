import {
  type ConnectionContext,
  credentialLookup,
  type Credentials,
  emptyLookup,
  signForConnection,
  UnusableKey,
} from '../../auth-schemes/index.ts'
import {
  FileBytes,
  headerText,
  type Lookup,
  MissingValue,
  type QueryValue,
  render,
  type RenderedRequest,
  renderOptional,
  renderUrl,
  ToolFailure,
  UnsafeValue,
} from '../../catalog/index.ts'
import type { EgressRequest } from '../../platform/egress/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { ResolvedOperation } from '../pipeline/context.ts'
import type { CustomAuth, ToolConnection } from '../types.ts'
import { encodeBody } from './encode-body.ts'

const TIMEOUT_SECONDS = 60
const USER_AGENT = 'patchbay/0.1'

/** Returns how long one request may take. */
export const timeoutMsOf = ({ tool, toolkit }: ResolvedOperation): number =>
  ((tool.request ?? tool.mcp)?.timeoutSeconds ?? toolkit.timeoutSeconds ?? TIMEOUT_SECONDS) * 1_000

/**
 * Returns the request as it is sent: base URL, headers of the toolkit, credentials, and last the signature over
 * all of it. Credentials are set after the parts of the tool, so no argument can replace them.
 * @param minted tokens that were made for this request
 */
export function createEgressRequest(
  operation: ResolvedOperation,
  rendered: RenderedRequest,
  connection: ToolConnection,
  now: number,
  minted?: Credentials,
): EgressRequest {
  return withCallerErrors(() => {
    const { toolkit, tool } = operation
    const context = contextOf(connection)
    const lookup = lookupFor(context, tool.useToken, minted)
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': USER_AGENT }
    for (const { name, value } of toolkit.headers) assign(headers, name, renderOptional(value, lookup))
    for (const [name, value] of Object.entries(rendered.headers)) headers[name.toLowerCase()] = value
    let query = [...rendered.query]
    let { body } = rendered
    if (context) query = applyQuery(context, lookup, query)
    if (context) body = applyScheme(context, lookup, headers, body)
    if (connection.kind === 'params') body = applyParams(connection.params, headers, query, body)
    const encodedBody = encodeBody({ ...rendered, body }, headers)
    // A complete URL needs no base URL, which may contain values that only the response to this request brings.
    const fullUrl = /^https?:\/\//i.test(rendered.path)
      ? rendered.path
      : joinUrl(baseUrlOf(operation, context, connection, lookup), rendered.path)
    const url = withQuery(fullUrl, query)
    const unsigned = { method: rendered.method, url, headers, body: encodedBody }
    const signed = context ? signForConnection(context, lookup, unsigned, now) : { url, headers: {} }
    return {
      method: rendered.method,
      url: signed.url,
      headers: Object.assign(headers, signed.headers),
      timeoutMs: timeoutMsOf(operation),
      ...(encodedBody === undefined ? {} : { body: encodedBody }),
      ...(tool.limits.responseBytes === undefined ? {} : { bytesMax: tool.limits.responseBytes }),
      ...(context?.proxy ? { proxy: context.proxy } : {}),
      sensitiveHeaders: [...sensitiveHeaders(toolkit, connection, context), ...Object.keys(signed.headers)],
    }
  })
}

/** Headers that must not follow a redirect to another host. */
function sensitiveHeaders(
  { headers }: ResolvedOperation['toolkit'],
  connection: ToolConnection,
  context: ConnectionContext | undefined,
): string[] {
  const ofConnection = context
    ? context.scheme.headers
    : connection.kind === 'params'
      ? (connection.params.parameters?.filter(({ in: location }) => location === 'header') ?? [])
      : []
  const templated = headers.filter(({ value }) => value.names.length > 0)
  return [...ofConnection, ...templated].map(({ name }) => name)
}

const contextOf = (connection: ToolConnection): ConnectionContext | undefined =>
  connection.kind === 'account' || connection.kind === 'custom' ? connection.context : undefined

/** With `use_token`, another token of the connection replaces the access token everywhere. */
function lookupFor(
  context: ConnectionContext | undefined,
  useToken: string | undefined,
  minted?: Credentials,
): Lookup {
  if (!context) return emptyLookup
  const lookup = credentialLookup(context, minted)
  return useToken === undefined ? lookup : (name) => lookup(name === 'access_token' ? useToken : name)
}

/** `headerText` rejects line breaks, which would start another header (RFC 9110 §5.5). */
function assign(headers: Record<string, string>, name: string, value: string | undefined): void {
  if (value !== undefined) headers[name.toLowerCase()] = headerText(name, value)
}

/**
 * Adds a cookie of the credentials before the cookies of the tool: of two with one name, servers use the first
 * (RFC 6265 §5.4).
 */
function assignCredential(headers: Record<string, string>, name: string, value: string | undefined): void {
  const cookie = name === 'cookie' ? headers['cookie'] : undefined
  assign(headers, name, value !== undefined && cookie !== undefined ? `${value}; ${cookie}` : value)
}

/** A credential in the query replaces all parameters of the same name. */
function applyQuery(
  { scheme }: ConnectionContext,
  lookup: Lookup,
  query: [string, QueryValue][],
): [string, QueryValue][] {
  if (!scheme.query.length) return query
  const added = scheme.query.flatMap(({ name, value }): [string, string][] => {
    const text = renderOptional(value, lookup)
    return text === undefined ? [] : [[name, text]]
  })
  const names = new Set(scheme.query.map(({ name }) => name))
  return [...query.filter(([name]) => !names.has(name)), ...added]
}

function applyScheme(
  { scheme }: ConnectionContext,
  lookup: Lookup,
  headers: Record<string, string>,
  body: unknown,
): unknown {
  for (const { name, value } of scheme.headers) assignCredential(headers, name, renderOptional(value, lookup))
  if (scheme.basic) {
    // An empty password is allowed (RFC 7617).
    const username = render(scheme.basic.username, lookup)
    const password = render(scheme.basic.password, (name) => lookup(name) ?? '')
    headers['authorization'] = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  }
  if (!scheme.body.length) return body
  const added = Object.fromEntries(
    scheme.body
      .map(({ name, value }) => [name, renderOptional(value, lookup)])
      .filter(([, value]) => value !== undefined),
  )
  return isFields(body) ? { ...body, ...added } : (body ?? added)
}

function applyParams(
  { parameters = [], body: extra }: CustomAuth,
  headers: Record<string, string>,
  query: [string, QueryValue][],
  body: unknown,
): unknown {
  for (const { name, in: location, value } of parameters) {
    if (location === 'header') assign(headers, name, String(value))
    else query.push([name, String(value)])
  }
  if (!extra || !Object.keys(extra).length) return body
  return isFields(body) ? { ...body, ...extra } : (body ?? extra)
}

const isFields = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && !(body instanceof FileBytes)

/** Returns the values of a connection that templates of a tool can use. */
export const connectionLookup = (connection: ToolConnection, useToken: string | undefined): Lookup =>
  lookupFor(contextOf(connection), useToken)

/** Returns the base URL of a connection; empty without one. @throws MissingValue, UnsafeValue */
export function baseUrl(operation: ResolvedOperation, connection: ToolConnection): string {
  const context = contextOf(connection)
  return baseUrlOf(operation, context, connection, lookupFor(context, operation.tool.useToken))
}

function baseUrlOf(
  { toolkit }: ResolvedOperation,
  context: ConnectionContext | undefined,
  connection: ToolConnection,
  lookup: Lookup,
): string {
  if (connection.kind === 'params' && connection.params.base_url) return connection.params.base_url
  const template = context?.scheme.baseUrl ?? toolkit.baseUrl
  return template ? renderUrl(template, lookup) : ''
}

/** Appends a path to a base URL. An empty path means the base URL itself. */
export const joinUrl = (base: string, path: string) =>
  path === '' ? base : `${base.replace(/\/+$/, '')}${path.startsWith('/') ? '' : '/'}${path}`

/** Half a surrogate pair would make `encodeURIComponent` throw. */
const percentEncode = (text: string) => encodeURIComponent(text.toWellFormed())

/**
 * Commas between list items are not encoded, commas in an item are, so servers can decode either way
 * (RFC 6570 §3.2.8).
 */
const encodeQueryValue = (value: QueryValue) =>
  typeof value === 'string' ? percentEncode(value) : value.map(percentEncode).join(',')

function withQuery(url: string, query: readonly [string, QueryValue][]): string {
  if (!query.length) return url
  const pairs = query.map(([name, value]) => `${percentEncode(name)}=${encodeQueryValue(value)}`)
  return `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`
}

/** Runs `build` and throws its errors as the caller of a tool can understand them. @throws ApiError, ToolFailure */
export function withCallerErrors<T>(build: () => T): T {
  try {
    return build()
  } catch (error) {
    throw toCallerError(error)
  }
}

/** A value that is missing in a template is an error of the connection, not of the server. */
export function toCallerError(error: unknown): unknown {
  if (error instanceof MissingValue) {
    const message = `The connection lacks a value that the request needs: ${error.message}`
    return new ApiError('ConnectedAccount_BadRequest', message, { cause: error })
  }
  if (error instanceof UnusableKey) {
    const message = `The key of the connection ${error.message}.`
    return new ApiError('ConnectedAccount_BadRequest', message, { cause: error })
  }
  if (error instanceof UnsafeValue) return new ToolFailure(error.message, { cause: error })
  return error
}

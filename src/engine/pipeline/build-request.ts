import {
  lookupOf,
  lookupOfNothing,
  type ConnectionContext,
  signedBy,
  UnusableKey,
  type Values,
} from '../../auth-schemes/index.ts'
import {
  FileBytes,
  type FoundTool,
  headerText,
  type Lookup,
  type RenderedRequest,
  render,
  renderAddress,
  renderOptional,
  renderRequest,
  MissingValue,
  type QueryValue,
  ToolFailure,
  UnsafeValue,
} from '../../catalog/index.ts'
import type { EgressRequest } from '../../platform/egress/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Connection, CustomAuth, Execution } from '../types.ts'
import { encodeBody } from './encode-body.ts'

const TIMEOUT_SECONDS = 60
const USER_AGENT = 'patchbay/0.1'

/** How long a call may take. */
export const timeoutMsOf = ({ tool, toolkit }: FoundTool): number =>
  ((tool.request ?? tool.mcp)?.timeoutSeconds ?? toolkit.timeoutSeconds ?? TIMEOUT_SECONDS) * 1_000

/** The tool's own request, its places filled from the arguments. */
export function renderTool(
  { tool }: FoundTool,
  { arguments: args }: Execution,
  connection: Connection,
): RenderedRequest {
  if (!tool.request) throw new Error(`${tool.slug} has no request`)
  return translated(() =>
    renderRequest(tool.request as NonNullable<typeof tool.request>, args, lookupFor(connection, tool)),
  )
}

/** What a request takes beside its connection: the moment, and the tokens that were made for it. */
export interface Fresh {
  now: number
  minted: Values
}

/**
 * The request as it leaves: base address, headers of the toolkit, credentials, and at the very end the signature over all of it.
 * Credentials are set after the tool's own parts, so no argument can take their place.
 */
export function buildRequest(
  found: FoundTool,
  rendered: RenderedRequest,
  connection: Connection,
  { now, minted }: Fresh,
): EgressRequest {
  return translated(() => {
    const { toolkit, tool } = found
    const lookup = lookupFor(connection, tool, minted)
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': USER_AGENT }
    for (const { name, value } of toolkit.headers) assign(headers, name, renderOptional(value, lookup))
    for (const [name, value] of Object.entries(rendered.headers)) headers[name.toLowerCase()] = value
    let query = [...rendered.query]
    let { body } = rendered
    const setup = setupOf(connection)
    if (setup) query = applyQuery(setup, lookup, query)
    if (setup) body = applyScheme(setup, lookup, headers, body)
    if (connection.kind === 'params') body = applyParams(connection.params, headers, query, body)
    const text = encodeBody({ ...rendered, body }, headers)
    // A whole address needs no base, which may hold what only its answer brings.
    const url = withQuery(
      /^https?:\/\//i.test(rendered.path)
        ? rendered.path
        : joined(addressOf(found, setup, connection, lookup), rendered.path),
      query,
    )
    const signed = setup
      ? signedBy(setup, lookup, { method: rendered.method, url, headers, body: text }, now)
      : { url, headers: {} }
    return {
      method: rendered.method,
      url: signed.url,
      headers: Object.assign(headers, signed.headers),
      timeoutMs: timeoutMsOf(found),
      ...(text === undefined ? {} : { body: text }),
      ...(tool.limits.responseBytes === undefined ? {} : { bytesMax: tool.limits.responseBytes }),
      ...(setup?.proxy ? { proxy: setup.proxy } : {}),
      sensitiveHeaders: [...sensitiveHeaders(toolkit, connection, setup), ...Object.keys(signed.headers)],
    }
  })
}

/** Headers that must not follow a redirect to another host. */
function sensitiveHeaders(
  { headers }: FoundTool['toolkit'],
  connection: Connection,
  setup: ConnectionContext | undefined,
): string[] {
  const own = setup
    ? setup.scheme.headers
    : connection.kind === 'params'
      ? (connection.params.parameters?.filter(({ in: place }) => place === 'header') ?? [])
      : []
  const filled = headers.filter(({ value }) => value.names.length > 0)
  return filled.length ? [...own, ...filled].map(({ name }) => name) : own.map(({ name }) => name)
}

const setupOf = (connection: Connection): ConnectionContext | undefined =>
  connection.kind === 'account' || connection.kind === 'custom' ? connection.setup : undefined

/** Under `use_token` another token of the connection stands for the access token, wherever it goes. */
function lookupFor(
  connection: Connection,
  { useToken }: Pick<FoundTool['tool'], 'useToken'>,
  minted?: Values,
): Lookup {
  const setup = setupOf(connection)
  if (!setup) return lookupOfNothing
  const lookup = lookupOf(setup, minted)
  return useToken === undefined ? lookup : (name) => lookup(name === 'access_token' ? useToken : name)
}

/** A line break in a value would begin another header (RFC 9110 §5.5). */
function assign(headers: Record<string, string>, name: string, value: string | undefined): void {
  if (value !== undefined) headers[name.toLowerCase()] = headerText(name, value)
}

/** A cookie that signs in stands beside the tool's own, and before them: of two with one name servers take the first (RFC 6265 §5.4). */
function assignCredential(headers: Record<string, string>, name: string, value: string | undefined): void {
  const own = name === 'cookie' ? headers['cookie'] : undefined
  assign(headers, name, value !== undefined && own !== undefined ? `${value}; ${own}` : value)
}

/** A credential of the query stands alone under its name. */
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
    // A user with an empty password is a user (RFC 7617).
    const pair = `${render(scheme.basic.username, lookup)}:${render(scheme.basic.password, (name) => lookup(name) ?? '')}`
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`
  }
  if (!scheme.body.length) return body
  const added = Object.fromEntries(
    scheme.body
      .map(({ name, value }) => [name, renderOptional(value, lookup)])
      .filter(([, value]) => value !== undefined),
  )
  return isRecord(body) ? { ...body, ...added } : (body ?? added)
}

function applyParams(
  { parameters = [], body: extra }: CustomAuth,
  headers: Record<string, string>,
  query: [string, QueryValue][],
  body: unknown,
): unknown {
  for (const { name, in: place, value } of parameters) {
    if (place === 'header') assign(headers, name, String(value))
    else query.push([name, String(value)])
  }
  if (!extra || !Object.keys(extra).length) return body
  return isRecord(body) ? { ...body, ...extra } : (body ?? extra)
}

const isRecord = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && !(body instanceof FileBytes)

/** The base address of a connection, as its scheme or toolkit has it; empty when neither has one. @throws MissingValue, UnsafeValue */
export function baseAddress(found: FoundTool, connection: Connection): string {
  return addressOf(found, setupOf(connection), connection, lookupFor(connection, found.tool))
}

function addressOf(
  { toolkit }: FoundTool,
  setup: ConnectionContext | undefined,
  connection: Connection,
  lookup: Lookup,
): string {
  if (connection.kind === 'params' && connection.params.base_url) return connection.params.base_url
  const template = setup?.scheme.baseUrl ?? toolkit.baseUrl
  return template ? renderAddress(template, lookup) : ''
}

/** No path at all means the base address itself. */
export const joined = (base: string, path: string) =>
  path === '' ? base : `${base.replace(/\/+$/, '')}${path.startsWith('/') ? '' : '/'}${path}`

/** Half a surrogate pair would make `encodeURIComponent` throw. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

/** Commas between the items of a list are not encoded, those within an item are: so either way of reading them is right (RFC 6570 §3.2.8). */
const encodedValue = (value: QueryValue) =>
  typeof value === 'string' ? encoded(value) : value.map(encoded).join(',')

function withQuery(url: string, query: readonly [string, QueryValue][]): string {
  if (!query.length) return url
  return `${url}${url.includes('?') ? '&' : '?'}${query.map(([name, value]) => `${encoded(name)}=${encodedValue(value)}`).join('&')}`
}

/** A place that nothing fills is a fault of the connection, not of the server. @throws ApiError, ToolFailure */
export function translated<T>(build: () => T): T {
  try {
    return build()
  } catch (error) {
    throw translation(error)
  }
}

/** As the caller of a tool reads what went wrong while its request was made. */
export function translation(error: unknown): unknown {
  if (error instanceof MissingValue)
    return new ApiError(
      'ConnectedAccount_BadRequest',
      `The connection lacks a value that the request needs: ${error.message}`,
      { cause: error },
    )
  if (error instanceof UnusableKey)
    return new ApiError('ConnectedAccount_BadRequest', `The key of the connection ${error.message}.`, {
      cause: error,
    })
  if (error instanceof UnsafeValue) return new ToolFailure(error.message, { cause: error })
  return error
}

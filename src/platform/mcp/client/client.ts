import { EgressError } from '../../egress/index.ts'
import { isObject, type JsonObject, getOwn, nonEmptyString } from '../../json-object.ts'
import { exchange, type ExchangeOptions, sendAside } from './exchange.ts'
import { contentType } from './response-reader.ts'
import type { RpcResponse } from './messages.ts'
import { requestHeaders } from './request-headers.ts'
import { McpError, type McpReply, type McpSend, type Purpose } from './transport.ts'
import { CLIENT, LEGACY, MODERN, MODERN_ERRORS, UNSUPPORTED_VERSION } from './versions.ts'

export type Era = 'modern' | 'legacy'

/** The protocol revision of a server, and its session, if it has one. */
export interface McpPeer {
  readonly era: Era
  readonly version: string
  readonly session?: string
}

/** A connected server, with its metadata: server info, instructions, capabilities. */
export interface McpServerInfo {
  readonly peer: McpPeer
  readonly about: JsonObject
}

export interface McpClientOptions {
  readonly send: McpSend
  /** For all requests of this client. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export interface McpClient {
  /**
   * Finds out which revisions the server supports. `known` skips the first request.
   * @throws McpError, EgressError
   */
  connect(known?: Era): Promise<McpServerInfo>
  /** Sends one request and returns its result. @throws McpError, EgressError */
  request(
    peer: McpPeer,
    purpose: Purpose,
    method: string,
    params: JsonObject,
    headers?: Readonly<Record<string, string>>,
  ): Promise<JsonObject>
  /** Ends the session, if there is one. Never fails. */
  endSession(peer: McpPeer): Promise<void>
}

const DISCOVER_MS = 10_000
const SESSION = /^[\x21-\x7e]{1,2000}$/

/**
 * Creates a client of one server over streamable HTTP, for one task. It supports revisions with and without a
 * handshake.
 */
export function createMcpClient({ send, timeoutMs, signal }: McpClientOptions): McpClient {
  const deadline = performance.now() + timeoutMs
  const connection: ExchangeOptions = {
    send,
    signal,
    left() {
      const ms = deadline - performance.now()
      if (ms <= 0) throw new EgressError('timeout', `the MCP server: no response within ${timeoutMs} ms.`)
      return ms
    },
  }
  return {
    connect: async (known) =>
      (known === 'legacy' ? undefined : await discover(connection)) ?? initialize(connection),
    request: (peer, purpose, method, params, headers) =>
      request(connection, peer, purpose, method, params, headers),
    async endSession(peer) {
      if (peer.session !== undefined) await sendAside(connection, peer)
    },
  }
}

/**
 * Distinguishes the two kinds of servers: those of the modern revision must support this request, which
 * changes nothing. Returns undefined for an older server.
 */
async function discover(connection: ExchangeOptions): Promise<McpServerInfo | undefined> {
  try {
    const about = await request(
      connection,
      { era: 'modern', version: MODERN },
      'prepare',
      'server/discover',
      {},
      {},
      Math.min(connection.left(), DISCOVER_MS),
    )
    const versions = getOwn(about, 'supportedVersions')
    return Array.isArray(versions) && versions.includes(MODERN)
      ? {
          peer: { era: 'modern', version: MODERN },
          about: {
            ...about,
            serverInfo: getOwn(getOwn(about, '_meta'), 'io.modelcontextprotocol/serverInfo'),
          },
        }
      : undefined
  } catch (error) {
    if (error instanceof EgressError && error.kind === 'timeout') {
      // Throws if the time of the whole task is over, and not only that of this request.
      connection.left()
      return undefined
    }
    if (!(error instanceof McpError) || error.reply?.status === 401) throw error
    if (error.code === UNSUPPORTED_VERSION) return checkVersions(getOwn(error.data, 'supported'))
    if (error.code !== undefined && MODERN_ERRORS.includes(error.code)) throw error
    return undefined
  }
}

function checkVersions(supported: unknown): undefined {
  if (Array.isArray(supported) && supported.some((version) => LEGACY.includes(version as string)))
    return undefined
  throw new McpError(
    'unsupported',
    `The MCP server does not support the protocol revisions ${MODERN} and ${LEGACY.join(', ')}.`,
  )
}

/** The handshake of the revisions up to 2025-11-25 ("Lifecycle"). */
async function initialize(connection: ExchangeOptions): Promise<McpServerInfo> {
  const { answer, reply } = await exchange(
    connection,
    { era: 'legacy', version: '' },
    'prepare',
    'initialize',
    { protocolVersion: LEGACY[0], capabilities: {}, clientInfo: CLIENT },
    {},
    connection.left(),
  )
  const about = resultOf(answer, reply)
  const version = getOwn(about, 'protocolVersion')
  if (typeof version !== 'string' || !LEGACY.includes(version))
    throw new McpError(
      'unsupported',
      `The MCP server uses the protocol revision ${String(version).slice(0, 40)}; supported are ` +
        `${MODERN} and ${LEGACY.join(', ')}.`,
    )
  const session = reply.headers['mcp-session-id']
  if (session !== undefined && !(typeof session === 'string' && SESSION.test(session)))
    throw new McpError('unreadable', 'The MCP server returned an invalid session id.')
  const peer: McpPeer = { era: 'legacy', version, ...(session !== undefined && { session }) }
  // The next request shows whether this one had an effect, even if the server only closes the connection.
  await connection
    .send({
      purpose: 'aside',
      method: 'POST',
      headers: requestHeaders(peer, 'notifications/initialized', {}),
      message: { jsonrpc: '2.0', method: 'notifications/initialized' },
      timeoutMs: connection.left(),
      signal: connection.signal,
    })
    .catch(ignoreReset)

  return { peer, about }
}

async function request(
  connection: ExchangeOptions,
  peer: McpPeer,
  purpose: Purpose,
  method: string,
  params: JsonObject,
  headers: Readonly<Record<string, string>> = {},
  withinMs = connection.left(),
): Promise<JsonObject> {
  const { answer, reply } = await exchange(connection, peer, purpose, method, params, headers, withinMs)
  const result = resultOf(answer, reply)
  const type = getOwn(result, 'resultType')
  if (type === 'input_required')
    throw new McpError(
      'input',
      'The MCP server requests more input, which a tool call cannot provide: ' +
        `${inputRequestText(getOwn(result, 'inputRequests'))}.`,
      { reply },
    )
  if (type !== undefined && type !== 'complete')
    throw new McpError(
      'unreadable',
      `The MCP server returned a result of the unknown type ${String(type).slice(0, 40)}.`,
      { reply },
    )
  return result
}

function ignoreReset(error: unknown): void {
  if (!(error instanceof EgressError && error.kind === 'reset')) throw error
}

function resultOf(answer: RpcResponse | undefined, reply: McpReply): JsonObject {
  if (answer?.result && reply.status < 300) return answer.result
  if (answer?.error)
    throw new McpError('rpc', answer.error.message, {
      reply,
      code: answer.error.code,
      data: answer.error.data,
    })
  if (reply.status >= 300)
    throw new McpError('status', `The MCP server returned status ${reply.status}.`, { reply })
  const what =
    reply.body === undefined
      ? 'no response'
      : contentType(reply) === ''
        ? 'a response without a content type'
        : `${contentType(reply).slice(0, 60)} without a response`
  throw new McpError(
    'unreadable',
    `The MCP server returned ${what}. Use the URL of its streamable HTTP endpoint.`,
    { reply },
  )
}

/** Describes what a server requests, shortened. */
function inputRequestText(requests: unknown): string {
  const wishes = isObject(requests)
    ? Object.values(requests)
        .slice(0, 3)
        .map(
          (one) =>
            nonEmptyString(getOwn(getOwn(one, 'params'), 'message'))?.slice(0, 300) ??
            String(getOwn(one, 'method')).slice(0, 60),
        )
    : []
  return wishes.length > 0 ? wishes.join('; ') : 'without details'
}

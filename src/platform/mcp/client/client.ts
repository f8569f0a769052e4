import { EgressError } from '../../egress/index.ts'
import { isObject, type JsonObject, getOwn, nonEmptyString } from '../../json-object.ts'
import { createExchanges } from './exchange.ts'
import { contentType } from './response-reader.ts'
import type { RpcResponse } from './messages.ts'
import { requestHeaders } from './request-headers.ts'
import { McpError, type McpReply, type McpSend, type Purpose } from './transport.ts'
import { CLIENT, LEGACY, MODERN, MODERN_ERRORS, UNSUPPORTED_VERSION } from './versions.ts'

export type Era = 'modern' | 'legacy'

/** How a server is spoken with: the revision, and the session that it keeps for us, if it does. */
export interface McpPeer {
  readonly era: Era
  readonly version: string
  readonly session?: string
}

/** A server that was met, with what it says of itself: server info, instructions, capabilities. */
export interface McpServerInfo {
  readonly peer: McpPeer
  readonly about: JsonObject
}

export interface McpClientOptions {
  readonly send: McpSend
  /** For all that this client does until its result is there. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export interface McpClient {
  /** Finds out how the server is spoken with; `known` saves the question. @throws McpError, EgressError */
  connect(known?: Era): Promise<McpServerInfo>
  /** The result of one request. @throws McpError, EgressError */
  request(
    peer: McpPeer,
    purpose: Purpose,
    method: string,
    params: JsonObject,
    headers?: Readonly<Record<string, string>>,
  ): Promise<JsonObject>
  /** Ends the session, if there is one; never fails. */
  endSession(peer: McpPeer): Promise<void>
}

const DISCOVER_MS = 10_000
const SESSION = /^[\x21-\x7e]{1,2000}$/

/** A client of one server over streamable HTTP, for one piece of work. It speaks the revision without handshake and those with one. */
export function createMcpClient({ send, timeoutMs, signal }: McpClientOptions): McpClient {
  const deadline = performance.now() + timeoutMs

  function left(): number {
    const ms = deadline - performance.now()
    if (ms <= 0) throw new EgressError('timeout', `the MCP server: no answer within ${timeoutMs} ms.`)
    return ms
  }

  const { exchange, aside } = createExchanges({ send, signal, left })

  async function connect(known?: Era): Promise<McpServerInfo> {
    return (known === 'legacy' ? undefined : await discover()) ?? initialize()
  }

  /** Servers of the modern revision must know this request, and it changes nothing, so it tells the two eras apart. Undefined for one of before. */
  async function discover(): Promise<McpServerInfo | undefined> {
    try {
      const about = await request(
        { era: 'modern', version: MODERN },
        'prepare',
        'server/discover',
        {},
        {},
        Math.min(left(), DISCOVER_MS),
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
      if (error instanceof EgressError && error.kind === 'timeout' && deadline > performance.now())
        return undefined
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
      `The MCP server speaks other revisions of the protocol than ${MODERN} and ${LEGACY.join(', ')}.`,
    )
  }

  /** The handshake of the revisions up to 2025-11-25 ("Lifecycle"). */
  async function initialize(): Promise<McpServerInfo> {
    const { answer, reply } = await exchange(
      { era: 'legacy', version: '' },
      'prepare',
      'initialize',
      { protocolVersion: LEGACY[0], capabilities: {}, clientInfo: CLIENT },
      {},
      left(),
    )
    const about = resultOf(answer, reply)
    const version = getOwn(about, 'protocolVersion')
    if (typeof version !== 'string' || !LEGACY.includes(version))
      throw new McpError(
        'unsupported',
        `The MCP server speaks the revision ${String(version).slice(0, 40)}; known here are ${MODERN} and ${LEGACY.join(', ')}.`,
      )
    const session = reply.headers['mcp-session-id']
    if (session !== undefined && !(typeof session === 'string' && SESSION.test(session)))
      throw new McpError('unreadable', 'The MCP server gave a session id that cannot be sent back.')
    const peer: McpPeer = { era: 'legacy', version, ...(session !== undefined && { session }) }
    // What becomes of it shows with the next request, also when the server only hangs up.
    await send({
      purpose: 'aside',
      method: 'POST',
      headers: requestHeaders(peer, 'notifications/initialized', {}),
      message: { jsonrpc: '2.0', method: 'notifications/initialized' },
      timeoutMs: left(),
      signal,
    }).catch((error: unknown) => {
      if (!(error instanceof EgressError && error.kind === 'reset')) throw error
    })
    return { peer, about }
  }

  async function request(
    peer: McpPeer,
    purpose: Purpose,
    method: string,
    params: JsonObject,
    headers: Readonly<Record<string, string>> = {},
    withinMs = left(),
  ): Promise<JsonObject> {
    const { answer, reply } = await exchange(peer, purpose, method, params, headers, withinMs)
    const result = resultOf(answer, reply)
    const type = getOwn(result, 'resultType')
    if (type === 'input_required')
      throw new McpError(
        'input',
        `The MCP server asks for more before it answers, which a tool call cannot give: ${inputRequestText(getOwn(result, 'inputRequests'))}.`,
        { reply },
      )
    if (type !== undefined && type !== 'complete')
      throw new McpError(
        'unreadable',
        `The MCP server answered with a result of the unknown type ${String(type).slice(0, 40)}.`,
        { reply },
      )
    return result
  }

  return {
    connect,
    request: (peer, purpose, method, params, headers) => request(peer, purpose, method, params, headers),
    async endSession(peer) {
      if (peer.session !== undefined) await aside(peer)
    },
  }
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
    throw new McpError('status', `The MCP server answered with status ${reply.status}.`, { reply })
  const what =
    reply.body === undefined
      ? 'without an answer'
      : contentType(reply) === ''
        ? 'with no content type'
        : `with ${contentType(reply).slice(0, 60)} that holds no answer`
  throw new McpError(
    'unreadable',
    `The MCP server replied ${what}. Its address must be that of its streamable HTTP endpoint.`,
    { reply },
  )
}

/** What a server wants to know, in its own words but few of them. */
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
  return wishes.length > 0 ? wishes.join('; ') : 'it does not say what'
}

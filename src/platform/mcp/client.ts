import { setTimeout as wait } from 'node:timers/promises'
import { EgressError } from '../egress/index.ts'
import { contentType, type Inbox, inbox } from './inbox.ts'
import { type Answer, type Asked, isMembers, type Members, own, textOf } from './messages.ts'
import { requestHeaders, withMeta } from './request.ts'
import { McpError, type McpReply, type McpSend, type Purpose } from './transport.ts'
import { CLIENT, LEGACY, METHOD_NOT_FOUND, MODERN, MODERN_ERRORS, UNSUPPORTED_VERSION } from './versions.ts'

export type Era = 'modern' | 'legacy'

/** How a server is spoken with: the revision, and the session that it keeps for us, if it does. */
export interface Peer { readonly era: Era, readonly version: string, readonly session?: string }

/** A server that was met, with what it says of itself: server info, instructions, capabilities. */
export interface Met { readonly peer: Peer, readonly about: Members }

export interface McpClientOptions {
  readonly send: McpSend
  /** For all that this client does until its result is there. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export interface McpClient {
  /** Finds out how the server is spoken with; `known` saves the question. @throws McpError, EgressError */
  meet(known?: Era): Promise<Met>
  /** The result of one request. @throws McpError, EgressError */
  request(peer: Peer, purpose: Purpose, method: string, params: Members, headers?: Readonly<Record<string, string>>): Promise<Members>
  /** Ends the session, if there is one; never fails. */
  leave(peer: Peer): Promise<void>
}

const DISCOVER_MS = 10_000
const ASIDE_MS = 5_000
/** A server that goes on asking is not answered for ever. */
const ASKED_MAX = 50
const RESUMED_MAX = 30
const RETRY_MS = 1_000
const RETRY_MS_MAX = 5_000
const SESSION = /^[\x21-\x7e]{1,2000}$/

let lastId = 0

/** A client of one server over streamable HTTP, for one piece of work. It speaks the revision without handshake and those with one. */
export function mcpClient({ send, timeoutMs, signal }: McpClientOptions): McpClient {
  const deadline = performance.now() + timeoutMs

  function left(): number {
    const ms = deadline - performance.now()
    if (ms <= 0) throw new EgressError('timeout', `the MCP server: no answer within ${timeoutMs} ms.`)
    return ms
  }

  async function meet(known?: Era): Promise<Met> {
    return (known === 'legacy' ? undefined : await discover()) ?? initialize()
  }

  /** Servers of the modern revision must know this request, and it changes nothing, so it tells the two eras apart. Undefined for one of before. */
  async function discover(): Promise<Met | undefined> {
    try {
      const about = await request({ era: 'modern', version: MODERN }, 'prepare', 'server/discover', {}, {}, Math.min(left(), DISCOVER_MS))
      const versions = own(about, 'supportedVersions')
      return Array.isArray(versions) && versions.includes(MODERN) ? { peer: { era: 'modern', version: MODERN }, about: { ...about, serverInfo: own(own(about, '_meta'), 'io.modelcontextprotocol/serverInfo') } } : undefined
    } catch (error) {
      if (error instanceof EgressError && error.kind === 'timeout' && deadline > performance.now()) return undefined
      if (!(error instanceof McpError) || error.reply?.status === 401) throw error
      if (error.code === UNSUPPORTED_VERSION) return checkVersions(own(error.data, 'supported'))
      if (error.code !== undefined && MODERN_ERRORS.includes(error.code)) throw error
      return undefined
    }
  }

  function checkVersions(supported: unknown): undefined {
    if (Array.isArray(supported) && supported.some((version) => LEGACY.includes(version as string))) return undefined
    throw new McpError('unsupported', `The MCP server speaks other revisions of the protocol than ${MODERN} and ${LEGACY.join(', ')}.`)
  }

  /** The handshake of the revisions up to 2025-11-25 ("Lifecycle"). */
  async function initialize(): Promise<Met> {
    const { answer, reply } = await exchange({ era: 'legacy', version: '' }, 'prepare', 'initialize', { protocolVersion: LEGACY[0], capabilities: {}, clientInfo: CLIENT }, {}, left())
    const about = resultOf(answer, reply)
    const version = own(about, 'protocolVersion')
    if (typeof version !== 'string' || !LEGACY.includes(version)) throw new McpError('unsupported', `The MCP server speaks the revision ${String(version).slice(0, 40)}; known here are ${MODERN} and ${LEGACY.join(', ')}.`)
    const session = reply.headers['mcp-session-id']
    if (session !== undefined && !(typeof session === 'string' && SESSION.test(session))) throw new McpError('unreadable', 'The MCP server gave a session id that cannot be sent back.')
    const peer: Peer = { era: 'legacy', version, ...(session !== undefined && { session }) }
    // What becomes of it shows with the next request.
    await send({ purpose: 'aside', method: 'POST', headers: requestHeaders(peer, 'notifications/initialized', {}), message: { jsonrpc: '2.0', method: 'notifications/initialized' }, timeoutMs: left(), signal })
    return { peer, about }
  }

  async function request(peer: Peer, purpose: Purpose, method: string, params: Members, headers: Readonly<Record<string, string>> = {}, withinMs = left()): Promise<Members> {
    const { answer, reply } = await exchange(peer, purpose, method, params, headers, withinMs)
    const result = resultOf(answer, reply)
    const type = own(result, 'resultType')
    if (type === 'input_required') throw new McpError('input', `The MCP server asks for more before it answers, which a tool call cannot give: ${wishesIn(own(result, 'inputRequests'))}.`, { reply })
    if (type !== undefined && type !== 'complete') throw new McpError('unreadable', `The MCP server answered with a result of the unknown type ${String(type).slice(0, 40)}.`, { reply })
    return result
  }

  async function exchange(peer: Peer, purpose: Purpose, method: string, params: Members, headers: Readonly<Record<string, string>>, withinMs: number): Promise<{ answer: Answer | undefined, reply: McpReply }> {
    const id = ++lastId
    let asked = 0
    const box = inbox(id, (one) => { if (peer.era === 'legacy' && ++asked <= ASKED_MAX) void respond(peer, one) })
    const message = { jsonrpc: '2.0', id, method, params: withMeta(peer, params) }
    try {
      const reply = await read(box, peer, () => send({ purpose, method: 'POST', headers: { ...headers, ...requestHeaders(peer, method, params) }, message, timeoutMs: withinMs, signal, take: box.take }))
      const last = await resumed(box, peer, purpose, reply)
      return { answer: box.answer, reply: last }
    } catch (error) {
      // Closing the stream says it to a modern server; one of before has to be told ("Cancellation"). The handshake must not be cancelled.
      if (error instanceof EgressError && peer.era === 'legacy' && purpose === 'call') void tell(peer, 'notifications/cancelled', { requestId: id, reason: 'The caller is gone or does not wait any longer.' })
      throw error
    }
  }

  /** A connection that breaks after an event with an id has not lost the answer. */
  async function read(box: Inbox, peer: Peer, ask: () => Promise<McpReply>): Promise<McpReply> {
    try {
      const reply = await ask()
      if (reply.body !== undefined) box.read(reply)
      if (box.isFlooded) throw new McpError('unreadable', 'The MCP server sent thousands of messages and no answer.')
      return reply
    } catch (error) {
      const isBroken = error instanceof EgressError && error.kind === 'reset' && peer.era === 'legacy' && box.stream?.lastId !== undefined
      if (!isBroken) throw error
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: undefined }
    }
  }

  /** Servers up to 2025-11-25 may close a stream before its answer, to be asked for the rest ("Resumability and Redelivery"). */
  async function resumed(box: Inbox, peer: Peer, purpose: Purpose, first: McpReply): Promise<McpReply> {
    let reply = first
    for (let count = 0; !box.answer && peer.era === 'legacy' && box.stream?.lastId !== undefined && count < RESUMED_MAX && reply.status < 300; count++) {
      await pause(Math.min(box.stream.retryMs ?? RETRY_MS, RETRY_MS_MAX, left()))
      const headers = { ...requestHeaders(peer, '', {}), accept: 'text/event-stream', 'last-event-id': box.stream.lastId }
      reply = await read(box, peer, () => send({ purpose, method: 'GET', headers, timeoutMs: left(), signal, take: box.take }))
    }
    return reply
  }

  async function pause(ms: number): Promise<void> {
    await wait(ms, undefined, { ...(signal && { signal }) }).catch(() => { throw new EgressError('aborted', 'the MCP server: the request was given up.') })
  }

  /** A request of the server: whether we are there is answered; models and users are not reached from here, and no capability says so. */
  function respond(peer: Peer, { id, method }: Asked): Promise<unknown> {
    const answer = method === 'ping' ? { result: {} } : { error: { code: METHOD_NOT_FOUND, message: 'This client has no user and no model to ask.' } }
    return aside(peer, { jsonrpc: '2.0', id, ...answer })
  }

  const tell = (peer: Peer, method: string, params: Members) => aside(peer, { jsonrpc: '2.0', method, params })

  /** Said although the caller may be gone; whether it was heard changes nothing. */
  const aside = (peer: Peer, message?: object) => send({
    purpose: 'aside', method: message ? 'POST' : 'DELETE', headers: requestHeaders(peer, '', {}), timeoutMs: ASIDE_MS, ...(message && { message }),
  }).catch(() => {})

  return {
    meet, request: (peer, purpose, method, params, headers) => request(peer, purpose, method, params, headers),
    async leave(peer) { if (peer.session !== undefined) await aside(peer) },
  }
}

function resultOf(answer: Answer | undefined, reply: McpReply): Members {
  if (answer?.result && reply.status < 300) return answer.result
  if (answer?.error) throw new McpError('rpc', answer.error.message, { reply, code: answer.error.code, data: answer.error.data })
  if (reply.status >= 300) throw new McpError('status', `The MCP server answered with status ${reply.status}.`, { reply })
  const what = reply.body === undefined ? 'without an answer' : contentType(reply) === '' ? 'with no content type' : `with ${contentType(reply).slice(0, 60)} that holds no answer`
  throw new McpError('unreadable', `The MCP server replied ${what}. Its address must be that of its streamable HTTP endpoint.`, { reply })
}

/** What a server wants to know, in its own words but few of them. */
function wishesIn(requests: unknown): string {
  const wishes = isMembers(requests) ? Object.values(requests).slice(0, 3).map((one) => textOf(own(own(one, 'params'), 'message'))?.slice(0, 300) ?? String(own(one, 'method')).slice(0, 60)) : []
  return wishes.length > 0 ? wishes.join('; ') : 'it does not say what'
}

import { setTimeout as wait } from 'node:timers/promises'
import { EgressError } from '../../egress/index.ts'
import type { McpPeer } from './client.ts'
import { type ResponseReader, createResponseReader } from './response-reader.ts'
import type { JsonObject } from '../../json-object.ts'
import type { RpcResponse, RpcRequest } from './messages.ts'
import { requestHeaders, withMeta } from './request-headers.ts'
import { McpError, type McpReply, type McpSend, type Purpose } from './transport.ts'
import { METHOD_NOT_FOUND } from './versions.ts'

const ASIDE_MS = 5_000
/** Requests of the server to which the client responds. */
const SERVER_REQUESTS_MAX = 50
const RESUMED_MAX = 30
const RETRY_MS = 1_000
const RETRY_MS_MAX = 5_000

/** The id of the last request of this process: no two requests of a session have the same id. */
let lastId = 0

export interface ExchangeOptions {
  readonly send: McpSend
  readonly signal: AbortSignal | undefined
  /** Returns the remaining milliseconds. @throws EgressError if there are none */
  left(): number
}

/**
 * Sends one request and reads the stream of its response: responds to requests of the server, resumes a broken stream,
 * and cancels the request if the caller has disconnected.
 * @throws McpError, EgressError
 */
export async function exchange(
  connection: ExchangeOptions,
  peer: McpPeer,
  purpose: Purpose,
  method: string,
  params: JsonObject,
  headers: Readonly<Record<string, string>>,
  withinMs: number,
): Promise<{ answer: RpcResponse | undefined; reply: McpReply }> {
  const id = ++lastId
  let serverRequests = 0
  const box = createResponseReader(id, (one) => {
    if (peer.era === 'legacy' && ++serverRequests <= SERVER_REQUESTS_MAX) void respond(connection, peer, one)
  })
  const message = { jsonrpc: '2.0', id, method, params: withMeta(peer, params) }
  try {
    const reply = await readReply(box, peer, () =>
      connection.send({
        purpose,
        method: 'POST',
        headers: { ...headers, ...requestHeaders(peer, method, params) },
        message,
        timeoutMs: withinMs,
        signal: connection.signal,
        onBody: box.onBody,
      }),
    )
    const last = await resumeStream(connection, box, peer, purpose, reply)
    return { answer: box.answer, reply: last }
  } catch (error) {
    // A modern server is notified by the closed stream, an older one by a message ("Cancellation"). The
    // handshake must not be cancelled.
    if (mayStillRun(error) && peer.era === 'legacy' && purpose === 'call')
      void notify(connection, peer, 'notifications/cancelled', {
        requestId: id,
        reason: 'The caller disconnected or timed out.',
      })
    throw error
  }
}

/** If a connection breaks after an event with an id, the response is not lost. */
async function readReply(
  box: ResponseReader,
  peer: McpPeer,
  sendRequest: () => Promise<McpReply>,
): Promise<McpReply> {
  try {
    const reply = await sendRequest()
    if (reply.body !== undefined) box.read(reply)
    if (box.isFlooded)
      throw new McpError('unreadable', 'The MCP server sent thousands of messages and no response.')
    return reply
  } catch (error) {
    const isBroken =
      error instanceof EgressError &&
      error.kind === 'reset' &&
      peer.era === 'legacy' &&
      box.stream?.lastId !== undefined
    if (!isBroken) throw error
    return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: undefined }
  }
}

/**
 * Servers up to 2025-11-25 may close a stream before its response, and expect a request for the rest
 * ("Resumability and Redelivery").
 */
async function resumeStream(
  connection: ExchangeOptions,
  box: ResponseReader,
  peer: McpPeer,
  purpose: Purpose,
  first: McpReply,
): Promise<McpReply> {
  let reply = first
  for (
    let count = 0;
    !box.answer &&
    peer.era === 'legacy' &&
    box.stream?.lastId !== undefined &&
    count < RESUMED_MAX &&
    reply.status < 300;
    count++
  ) {
    const waitMs = Math.min(box.stream.retryMs ?? RETRY_MS, RETRY_MS_MAX, connection.left())
    await pause(waitMs, connection.signal)
    const headers = {
      ...requestHeaders(peer, '', {}),
      accept: 'text/event-stream',
      'last-event-id': box.stream.lastId,
    }
    const timeoutMs = connection.left()
    reply = await readReply(box, peer, () =>
      connection.send({
        purpose,
        method: 'GET',
        headers,
        timeoutMs,
        signal: connection.signal,
        onBody: box.onBody,
      }),
    )
  }
  return reply
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(ms, undefined, { ...(signal && { signal }) }).catch(() => {
    throw new EgressError('aborted', 'the MCP server: the request was cancelled.')
  })
}

/**
 * Responds to a request of the server: a ping gets a result. Users and models are not available, and no
 * capability announces them.
 */
function respond(connection: ExchangeOptions, peer: McpPeer, { id, method }: RpcRequest): Promise<unknown> {
  const response =
    method === 'ping'
      ? { result: {} }
      : { error: { code: METHOD_NOT_FOUND, message: 'This client has no user and no model to ask.' } }
  return sendAside(connection, peer, { jsonrpc: '2.0', id, ...response })
}

const notify = (connection: ExchangeOptions, peer: McpPeer, method: string, params: JsonObject) =>
  sendAside(connection, peer, { jsonrpc: '2.0', method, params })

/** Sends a message although the caller may have disconnected. Its result is ignored. */
export const sendAside = ({ send }: ExchangeOptions, peer: McpPeer, message?: object): Promise<unknown> =>
  send({
    purpose: 'aside',
    method: message ? 'POST' : 'DELETE',
    headers: requestHeaders(peer, '', {}),
    timeoutMs: ASIDE_MS,
    ...(message && { message }),
  }).catch(() => {})

/** Whether the server may still be working on the request. */
const mayStillRun = (error: unknown): boolean =>
  error instanceof EgressError && ['aborted', 'timeout', 'too_large'].includes(error.kind)

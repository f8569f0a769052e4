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
/** Requests of the server that are answered, at most. */
const ASKED_MAX = 50
const RESUMED_MAX = 30
const RETRY_MS = 1_000
const RETRY_MS_MAX = 5_000

/** Of a process: no two requests of a session have the same id. */
let lastId = 0

export interface ExchangeOptions {
  readonly send: McpSend
  readonly signal: AbortSignal | undefined
  /** Returns the remaining milliseconds. @throws EgressError if there are none */
  left(): number
}

/**
 * Creates the functions for one request: they read the stream of its response, answer requests of the server,
 * resume a broken stream, and cancel the request.
 */
export function createExchanges({ send, signal, left }: ExchangeOptions) {
  /** @throws McpError, EgressError */
  async function exchange(
    peer: McpPeer,
    purpose: Purpose,
    method: string,
    params: JsonObject,
    headers: Readonly<Record<string, string>>,
    withinMs: number,
  ): Promise<{ answer: RpcResponse | undefined; reply: McpReply }> {
    const id = ++lastId
    let asked = 0
    const box = createResponseReader(id, (one) => {
      if (peer.era === 'legacy' && ++asked <= ASKED_MAX) void respond(peer, one)
    })
    const message = { jsonrpc: '2.0', id, method, params: withMeta(peer, params) }
    try {
      const reply = await read(box, peer, () =>
        send({
          purpose,
          method: 'POST',
          headers: { ...headers, ...requestHeaders(peer, method, params) },
          message,
          timeoutMs: withinMs,
          signal,
          onBody: box.onBody,
        }),
      )
      const last = await resumed(box, peer, purpose, reply)
      return { answer: box.answer, reply: last }
    } catch (error) {
      // A modern server is notified by the closed stream, an older one by a message ("Cancellation"). The
      // handshake must not be cancelled.
      if (isGivenUp(error) && peer.era === 'legacy' && purpose === 'call')
        void notify(peer, 'notifications/cancelled', {
          requestId: id,
          reason: 'The caller disconnected or timed out.',
        })
      throw error
    }
  }

  /** If a connection breaks after an event with an id, the response is not lost. */
  async function read(box: ResponseReader, peer: McpPeer, ask: () => Promise<McpReply>): Promise<McpReply> {
    try {
      const reply = await ask()
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
  async function resumed(
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
      await pause(Math.min(box.stream.retryMs ?? RETRY_MS, RETRY_MS_MAX, left()))
      const headers = {
        ...requestHeaders(peer, '', {}),
        accept: 'text/event-stream',
        'last-event-id': box.stream.lastId,
      }
      reply = await read(box, peer, () =>
        send({ purpose, method: 'GET', headers, timeoutMs: left(), signal, onBody: box.onBody }),
      )
    }
    return reply
  }

  async function pause(ms: number): Promise<void> {
    await wait(ms, undefined, { ...(signal && { signal }) }).catch(() => {
      throw new EgressError('aborted', 'the MCP server: the request was cancelled.')
    })
  }

  /**
   * Answers a request of the server. Pings are answered; users and models are not available, and no
   * capability announces them.
   */
  function respond(peer: McpPeer, { id, method }: RpcRequest): Promise<unknown> {
    const answer =
      method === 'ping'
        ? { result: {} }
        : { error: { code: METHOD_NOT_FOUND, message: 'This client has no user and no model to ask.' } }
    return aside(peer, { jsonrpc: '2.0', id, ...answer })
  }

  const notify = (peer: McpPeer, method: string, params: JsonObject) =>
    aside(peer, { jsonrpc: '2.0', method, params })

  /** Sends a message although the caller may have disconnected. Its result is ignored. */
  const aside = (peer: McpPeer, message?: object) =>
    send({
      purpose: 'aside',
      method: message ? 'POST' : 'DELETE',
      headers: requestHeaders(peer, '', {}),
      timeoutMs: ASIDE_MS,
      ...(message && { message }),
    }).catch(() => {})

  return { exchange, aside }
}

/** Whether the server may still be working on the request. */
const isGivenUp = (error: unknown): boolean =>
  error instanceof EgressError && ['aborted', 'timeout', 'too_large'].includes(error.kind)

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { KEEP_ALIVE_MS } from '../platform/http/server/keep-alive.ts'

export interface RetireTimes {
  /**
   * How long a worker that is replaced keeps its connections at least. Its responses say `connection: close`, so that
   * clients open new connections, which other workers accept.
   */
  readonly noticeMs: number
  /** How long connections without a request are kept after that. */
  readonly keepAliveMs: number
  /** How often the connections are counted. */
  readonly checkMs: number
}

const TIMES: RetireTimes = { noticeMs: 1_500, keepAliveMs: KEEP_ALIVE_MS, checkMs: 100 }
/** The longest time that `connectionsToEnd` takes. */
export const RETIRE_MS_MAX = TIMES.noticeMs + TIMES.keepAliveMs + TIMES.checkMs

/** The connections of a server on which the client may send another request. */
export interface WaitingConnections {
  readonly size: number
}

/** Tracks the connections of `server` that have no request in progress. New ones count after their first request. */
export function trackWaitingConnections(server: Server): WaitingConnections {
  const waiting = new Set<Socket>()
  server.on('connection', (socket) => {
    socket.once('close', () => waiting.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    waiting.delete(socket)
    response.once('close', () => {
      if (!socket.destroyed && !socket.writableEnded) waiting.add(socket)
    })
  })
  return waiting
}

/**
 * Waits until no connection is left on which a client may send another request. A client that does so while the
 * connection is closed loses the request, and HTTP/1.1 has no way to announce the end on a connection without one
 * (RFC 9112, section 9.5). So each is kept until it had a response that says `connection: close`, until the client
 * closes it, or until the keep-alive time that was announced to the client is over.
 */
export async function connectionsToEnd(
  connections: WaitingConnections | undefined,
  signal: AbortSignal,
  { noticeMs, keepAliveMs, checkMs }: RetireTimes = TIMES,
): Promise<void> {
  await wait(noticeMs, undefined, { signal })
  const deadline = performance.now() + keepAliveMs
  while (connections?.size && performance.now() < deadline) await wait(checkMs, undefined, { signal })
}

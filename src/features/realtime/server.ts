import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { RealtimeConnection } from './connection.ts'
import type { RealtimeDeps } from './deps.ts'
import { CLOSE, type CloseReason, messageText, supportsProtocol } from './protocol.ts'

const CONNECTIONS_MAX = 500
/** Connections that have not subscribed yet, which needs an API key. */
const WAITING_MAX = 200
/** Clients send subscriptions and pings only. */
const MESSAGE_BYTES_MAX = 10_000
/** How long clients may take to close their side. */
const CLOSE_MS = 1_000
const SOCKET_ID_PART_MAX = 2 ** 47

/**
 * `/app/<key>`, where Pusher clients connect, and the same behind the path of `clusterOf`. The key is the id of a
 * project.
 */
const REQUEST_URL = /^(?:\/realtime\?h=[^/]*)?\/app\/(proj_\w{1,32})\?(.*)$/
const ANY_KEY = /^(?:\/realtime\?h=[^/]*)?\/app\/[^/?]{1,128}(?:\?|$)/

/**
 * The `cluster` with which the client library of published clients connects to this server. It builds the URL
 * `wss://ws-<cluster>.pusher.com:443/app/<key>`: a user name takes the text before the host, a query that after it.
 */
export function clusterOf(publicUrl: string): string {
  const { host, pathname } = new URL(publicUrl)
  return `_@${host}${pathname.replace(/\/$/, '')}/realtime?h=`
}

/** Accepts the connections of Pusher clients at the port of the API. */
export function createRealtimeServer(deps: RealtimeDeps) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  })
  const connections = new Set<RealtimeConnection>()
  let isClosed = false

  function open(socket: WebSocket, url: string): void {
    const [, projectId, query] = REQUEST_URL.exec(url) ?? []
    const protocol = new URLSearchParams(query).get('protocol')
    if (projectId === undefined) return closeWith(socket, 'unknownKey')
    if (!supportsProtocol(protocol)) return closeWith(socket, 'unsupportedProtocol')
    const waiting = [...connections].filter(({ isSubscribed }) => !isSubscribed).length
    if (connections.size >= CONNECTIONS_MAX || waiting >= WAITING_MAX)
      return closeWith(socket, 'overCapacity')
    const socketId = `${randomInt(SOCKET_ID_PART_MAX)}.${randomInt(SOCKET_ID_PART_MAX)}`
    const connection = new RealtimeConnection(deps, socket, projectId, socketId)
    connections.add(connection)
    socket.on('close', () => connections.delete(connection))
  }

  return {
    /** Handles upgrade requests of an HTTP server. */
    attach(server: Server): void {
      server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
        const { url = '' } = request
        if (isClosed || !ANY_KEY.test(url)) return rejectUpgrade(stream, isClosed ? 503 : 404)
        sockets.handleUpgrade(request, stream, head, (socket) => open(socket, url))
      })
    },
    /** Ends all connections. Their clients reconnect to another process. */
    async close(): Promise<void> {
      isClosed = true
      for (const connection of connections) connection.close('restarting')
      sockets.close()
      const timer = setTimeout(() => {
        for (const socket of sockets.clients) socket.terminate()
      }, CLOSE_MS)
      await Promise.all(Array.from(sockets.clients, (socket) => once(socket, 'close')))
      clearTimeout(timer)
    },
  }
}

function closeWith(socket: WebSocket, reason: CloseReason): void {
  const [code, message] = CLOSE[reason]
  socket.on('error', () => socket.terminate())
  socket.send(messageText('pusher:error', { code, message }))
  socket.close(code, message)
}

const STATUS_TEXTS = { 404: 'Not Found', 503: 'Service Unavailable' } as const

function rejectUpgrade(stream: Duplex, status: keyof typeof STATUS_TEXTS): void {
  stream.on('error', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status} ${STATUS_TEXTS[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/**
 * Aborts when the caller leaves before the answer is out. The framework's own signal fires as soon as the request's body has been read
 * (Node closes an IncomingMessage then), or, when it is asked for later than that, never.
 */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const end = () => {
    if (!response.writableFinished) gone.abort()
  }
  if (response.destroyed) end()
  else response.once('close', end)
  return gone.signal
}

/** Ends the connection when its caller takes nothing of the answer for so long; with a bound, whoever does not read holds no memory. An injected request has no connection. */
export function closeIfUnread({ socket }: ServerResponse, afterMs: number): void {
  if (socket instanceof Socket) socket.setTimeout(afterMs)
}

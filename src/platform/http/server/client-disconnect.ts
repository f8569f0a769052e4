import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/**
 * Returns a signal that aborts when the caller disconnects before the response is complete. The signal of the
 * framework fires as soon as the request body has been read (Node then closes the IncomingMessage), or never
 * if it is requested later.
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

/**
 * Closes the connection if its caller reads nothing of the response for this long, so that callers that do
 * not read hold no memory. An injected request has no connection.
 */
export function closeIfUnread({ socket }: ServerResponse, afterMs: number): void {
  if (socket instanceof Socket) socket.setTimeout(afterMs)
}

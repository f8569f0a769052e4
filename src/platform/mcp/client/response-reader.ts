import { parseBoundedJsonOrUndefined } from '../../bounded-json.ts'
import { type EventStream, eventStream } from '../../sse.ts'
import { type RpcResponse, type RpcRequest, type RpcId, parseMessages } from './messages.ts'
import type { McpReply } from './transport.ts'

/** A server that sends more messages before its response is cut off. */
const MESSAGES_MAX = 10_000
const EVENTS = /^text\/event-stream\b/i

export const contentType = ({ headers }: Pick<McpReply, 'headers'>): string =>
  String(headers['content-type'] ?? '')

/**
 * Reads the messages that arrive for one request: its response, requests of the server, and others, which are
 * skipped.
 */
export interface ResponseReader {
  readonly answer: RpcResponse | undefined
  /** The stream of the response; undefined if the response is one JSON text. */
  readonly stream: EventStream | undefined
  readonly isFlooded: boolean
  /** For `EgressRequest.onBody`. */
  onBody(status: number, headers: McpReply['headers']): ((chunk: Buffer) => boolean) | undefined
  /** Reads a response that was not streamed. */
  read(reply: McpReply): void
}

/** Reads until the response to `id` arrives. Requests of the server go to `onRequest`. */
export function createResponseReader(id: RpcId, onRequest: (request: RpcRequest) => void): ResponseReader {
  let count = 0
  const box = {
    answer: undefined as RpcResponse | undefined,
    stream: undefined as EventStream | undefined,
    isFlooded: false,
    onBody,
    read,
  }

  function accept(value: unknown): void {
    for (const message of parseMessages(value)) {
      if (++count > MESSAGES_MAX) box.isFlooded = true
      if (box.answer || box.isFlooded) return
      if (message.kind === 'request') onRequest(message)
      // An error about a request whose id could not be read has no id.
      else if (
        message.kind === 'response' &&
        (message.id === id || (message.id === undefined && message.error))
      )
        box.answer = message
    }
  }

  function openStream(): EventStream {
    // A resumed stream continues after the last event of the previous one.
    const before = box.stream?.lastId
    const stream = eventStream((data, type) => {
      if (type === 'message') accept(parseBoundedJsonOrUndefined(data))
    })
    box.stream = {
      push: stream.push,
      get lastId() {
        return stream.lastId ?? before
      },
      get retryMs() {
        return stream.retryMs
      },
    }
    return box.stream
  }

  function onBody(_status: number, headers: McpReply['headers']): ((chunk: Buffer) => boolean) | undefined {
    if (!EVENTS.test(contentType({ headers }))) return undefined
    const stream = openStream()
    return (chunk) => {
      stream.push(chunk)
      return box.answer !== undefined || box.isFlooded
    }
  }

  function read(reply: McpReply): void {
    if (typeof reply.body === 'string' && EVENTS.test(contentType(reply)))
      openStream().push(Buffer.from(reply.body))
    else accept(reply.body)
  }

  return box
}

import { type EventStream, eventStream } from '../../sse.ts'
import { type RpcResponse, type RpcRequest, type RpcId, parseMessages } from './messages.ts'
import type { McpReply } from './transport.ts'

/** More messages than this before an answer are a flood. */
const MESSAGES_MAX = 10_000
const EVENTS = /^text\/event-stream\b/i

export const contentType = ({ headers }: Pick<McpReply, 'headers'>): string =>
  String(headers['content-type'] ?? '')

/** What arrives while one request waits for its answer: the answer, requests of the server, and what is passed over. */
export interface ResponseReader {
  readonly answer: RpcResponse | undefined
  /** A stream was begun; undefined for a reply that is one JSON text. */
  readonly stream: EventStream | undefined
  readonly isFlooded: boolean
  /** For `EgressRequest.take`. */
  onBody(status: number, headers: McpReply['headers']): ((chunk: Buffer) => boolean) | undefined
  /** A reply that was not taken. */
  read(reply: McpReply): void
}

/** Waits for the answer to `id`. An answer to something else is none; requests of the server go to `onRequest`. */
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
      // An error about a request whose id could not be read has none.
      else if (
        message.kind === 'response' &&
        (message.id === id || (message.id === undefined && message.error))
      )
        box.answer = message
    }
  }

  function openStream(): EventStream {
    // A stream that is taken up again goes on after the last event of the one before.
    const before = box.stream?.lastId
    const stream = eventStream((data, type) => {
      if (type === 'message') accept(parsed(data))
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

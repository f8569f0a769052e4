import { createParser } from 'eventsource-parser'

/** Formats one message: its id, which is the position in the stream, and its data, which is one line. */
export const messageText = (id: string, data: string): string => `id: ${id}\ndata: ${data}\n\n`

/** Formats one message without an id: it does not change the position of the reader. */
export const liveText = (data: string): string => `data: ${data}\n\n`

const POSITION = 'position '

/**
 * Formats a new position without a message, which also keeps the connection alive (WHATWG HTML 9.2.6). The
 * comment repeats the id for `eventStream`, whose parser drops the id of an event without data.
 */
export const positionText = (id: string): string => `: ${POSITION}${id}\nid: ${id}\n\n`

/** Formats how long a client waits before it connects again. */
export const retryText = (ms: number): string => `retry: ${ms}\n\n`

/** The reading side of a stream of server-sent events. */
export interface EventStream {
  /** Reads the next bytes. */
  push(chunk: Buffer): void
  /** Id of the last event that had one: a client that reconnects continues after it. */
  readonly lastId: string | undefined
  /** How long the server wants a client to wait before it reconnects, in milliseconds. */
  readonly retryMs: number | undefined
}

/** A longer time is meant for no client: 999,999,999 ms are eleven days. */
const RETRY_MAX_MS = 999_999_999

/**
 * Reads server-sent events and calls `onData` for each event with data. The caller limits the number of
 * bytes.
 */
export function eventStream(
  onData: (data: string, type: string, id: string | undefined) => void,
): EventStream {
  const decoder = new TextDecoder()
  let lastId: string | undefined
  let retryMs: number | undefined
  let endsWithReturn = false
  const parser = createParser({
    onEvent({ data, event, id }) {
      if (id !== undefined) lastId = id
      if (data !== '') onData(data, event ?? 'message', lastId)
    },
    onRetry(ms) {
      if (ms <= RETRY_MAX_MS) retryMs = ms
    },
    onComment(comment) {
      if (comment.startsWith(POSITION)) lastId = comment.slice(POSITION.length)
    },
  })
  return {
    push(chunk) {
      const text = decoder.decode(chunk, { stream: true })
      if (text === '') return
      // The parser waits after a final CR, because an LF may follow. A sender that ends lines with CR would
      // never be read.
      parser.feed((endsWithReturn && text.startsWith('\n') ? text.slice(1) : text).replace(/\r\n?/g, '\n'))
      endsWithReturn = text.endsWith('\r')
    },
    get lastId() {
      return lastId
    },
    get retryMs() {
      return retryMs
    },
  }
}

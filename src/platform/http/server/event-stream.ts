import { Readable } from 'node:stream'

/** How long a client may read nothing while the connection and the buffer are full. */
const SLOW_MS = 30_000

/**
 * A response of server-sent events without an end. Each text is one or more whole messages. A client that
 * reads too slowly is disconnected, and can reconnect with the id of its last message.
 */
export class EventStreamReply {
  readonly texts: AsyncIterable<string | Buffer>
  readonly slowMs: number

  constructor(texts: AsyncIterable<string | Buffer>, slowMs = SLOW_MS) {
    this.texts = texts
    this.slowMs = slowMs
  }
}

/** Proxies neither buffer nor change the stream. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** Returns the stream as bytes. The next text is created when the previous ones have been sent. */
export function toReadable({ texts, slowMs }: EventStreamReply): Readable {
  async function* timed() {
    for await (const text of texts) {
      const late = setTimeout(() => stream.destroy(), slowMs)
      try {
        yield text
      } finally {
        clearTimeout(late)
      }
    }
  }
  const stream = Readable.from(timed(), { objectMode: false })
  return stream
}

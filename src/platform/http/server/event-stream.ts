import { Readable } from 'node:stream'

/** For how long a reader may take nothing at all, while the connection and what is buffered for it are full. */
const SLOW_MS = 30_000

/** An answer without an end: server-sent events, each text one or more whole messages. A reader that does not keep up is cut off, and can come back with the id of the last message it has read. */
export class EventStreamReply {
  readonly texts: AsyncIterable<string>
  readonly slowMs: number

  constructor(texts: AsyncIterable<string>, slowMs = SLOW_MS) {
    this.texts = texts
    this.slowMs = slowMs
  }
}

/** Proxies neither collect nor change what passes. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** The answer as bytes. The next text is made when the ones before are on their way. */
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

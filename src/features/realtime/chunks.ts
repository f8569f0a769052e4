import { randomUUID } from 'node:crypto'
import { messageText } from './protocol.ts'

/** The limit of the original service, for which clients are written. Larger events are sent in chunks. */
const EVENT_CHARACTERS_MAX = 10_000
const CHUNK_CHARACTERS = 8_000

/** Returns the messages of one event: one, or chunks that clients join by `id` and `index`. */
export function eventMessages(channel: string, event: string, data: object): string[] {
  const text = JSON.stringify(data)
  if (text.length <= EVENT_CHARACTERS_MAX) return [messageText(event, data, channel)]
  const id = randomUUID()
  const count = Math.ceil(text.length / CHUNK_CHARACTERS)
  return Array.from({ length: count }, (_, index) => {
    const chunk = text.slice(index * CHUNK_CHARACTERS, (index + 1) * CHUNK_CHARACTERS)
    return messageText(`chunked-${event}`, { id, index, chunk, final: index === count - 1 }, channel)
  })
}

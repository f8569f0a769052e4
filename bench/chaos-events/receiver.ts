import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface Manner {
  name: string
  /** Before each answer. */
  delayMs?: number
  /** Share of requests that are rejected with 500. */
  fails?: number
}

/** What a receiver has seen. */
export interface Seen {
  name: string
  requests: number
  rejected: number
  /** Items that were taken, each once. */
  received: number
  /** Taken again under the same `webhook-id`. */
  duplicates: number
  /** One item under two ids, or one id for two items. */
  ambiguous: number
  /** An item that was taken before one that comes earlier in its feed. */
  outOfOrder: number
  /** Of the first faults, what they were. */
  about: string[]
}

export interface Receiver {
  url: string
  seen: Seen
  /** Items taken, by feed. */ received: ReadonlyMap<string, number>
  close(): Promise<void>
}

const ABOUT_MAX = 5

interface Delivery {
  metadata?: { trigger_id?: string }
  data?: { id?: string; feed?: string; n?: number }
}

const NOTHING_SEEN = { requests: 0, rejected: 0, received: 0, duplicates: 0, ambiguous: 0, outOfOrder: 0 }

/** Takes deliveries in its manner and keeps count. */
export async function startReceiver(
  { name, delayMs = 0, fails = 0 }: Manner,
  random: () => number,
): Promise<Receiver> {
  const seen: Seen = { name, ...NOTHING_SEEN, about: [] }
  const items = new Map<string, string>()
  const ids = new Map<string, string>()
  const next = new Map<string, number>()
  const fault = (kind: 'ambiguous' | 'outOfOrder', text: string) => {
    seen[kind]++
    if (seen.about.length < ABOUT_MAX) seen.about.push(text)
  }

  function take(id: string, { data: { id: item = '', feed = '', n = -1 } = {} }: Delivery): void {
    const before = items.get(item)
    if (before === id) {
      seen.duplicates++
      return
    }
    if (before !== undefined || ids.has(id))
      return fault('ambiguous', `${item} came as ${id}, and before that ${before ?? ids.get(id)}`)
    items.set(item, id)
    ids.set(id, item)
    seen.received++
    const expected = next.get(feed) ?? 0
    if (n !== expected) fault('outOfOrder', `${feed} ${n} came when ${expected} was to come`)
    next.set(feed, Math.max(expected, n + 1))
  }

  async function answer(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    seen.requests++
    if (delayMs > 0) await wait(delayMs)
    if (random() < fails) {
      seen.rejected++
      reply.writeHead(500).end()
      return
    }
    take(String(incoming.headers['webhook-id']), JSON.parse(text) as Delivery)
    reply.writeHead(204).end()
  }

  const server = createServer((incoming, reply) => {
    answer(incoming, reply).catch(() => reply.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`,
    seen,
    received: next,
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

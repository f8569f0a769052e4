import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'

interface Item {
  id: string
  feed: string
  n: number
}
interface Hook {
  feed: string
  url: string
  secret: string
}

export interface Application {
  url: string
  /** Puts the next item into a feed that is polled. */
  add(feed: string): void
  /**
   * Tells the next item of a feed to its webhook, again and again until it is taken; items of one feed go one
   * after the other.
   */
  deliver(feed: string): void
  /** Items of all feeds that came about, by feed. */
  counts(): ReadonlyMap<string, number>
  /** Items that no server has taken yet. */
  untold(): number
  /** Deliveries that had to be repeated. */
  repeated(): number
  /** Where the servers can be reached now. */
  servers: () => string[]
  close(): Promise<void>
}

const PAGE = 100
const RETRY_MS = 200
const TELL_MS = 10_000

/**
 * The application at which instances are registered and which they poll. Like a real one it repeats a
 * delivery that was not taken, also if only the answer was lost.
 */
export async function startApplication(): Promise<Application> {
  const feeds = new Map<string, Item[]>()
  const hooks = new Map<string, Hook>()
  const chains = new Map<string, Promise<void>>()
  const dispatcher = new Agent({ connections: 32 })
  let [hookIds, untold, repeated, closed] = [0, 0, 0, false]
  const server = createServer((incoming, reply) => {
    void answer(incoming, reply)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function push(feed: string): Item {
    const items = feeds.get(feed) ?? []
    feeds.set(feed, items)
    const item = { id: `${feed}-${items.length}`, feed, n: items.length }
    items.push(item)
    return item
  }

  async function answer(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://localhost')
    const [, kind, name = '', end] = pathname.split('/')
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    if (kind === 'feeds') {
      const items = feeds.get(name) ?? []
      if (end === 'end') return json(reply, { cursor: String(items.length) })
      const after = Number(searchParams.get('after') ?? 0)
      const page = items.slice(after, after + PAGE * 10)
      return json(reply, { items: page, cursor: String(after + page.length) })
    }
    if (kind === 'hooks' && incoming.method === 'POST') {
      const hook = JSON.parse(text) as Hook
      hooks.set(hook.feed, hook)
      return json(reply, { id: String(++hookIds) })
    }
    json(reply, {})
  }

  async function deliver(item: Item): Promise<void> {
    const body = JSON.stringify(item)
    for (let attempt = 0; !closed; attempt++) {
      if (attempt > 0) {
        repeated++
        await wait(RETRY_MS)
      }
      const hook = hooks.get(item.feed)
      const servers = application.servers()
      if (!hook || servers.length === 0) continue
      // The registered address names one server; a proxy would stand before all of them.
      const { pathname, search } = new URL(hook.url)
      const to = new URL(pathname + search, servers[(item.n + attempt) % servers.length])
      const status = await request(to, {
        method: 'POST',
        dispatcher,
        body,
        headers: {
          'content-type': 'application/json',
          'x-signature': createHmac('sha256', hook.secret).update(body).digest('hex'),
        },
        headersTimeout: TELL_MS,
        bodyTimeout: TELL_MS,
      }).then(
        async ({ statusCode, body: rest }) => {
          await rest.dump()
          return statusCode
        },
        () => 0,
      )
      if (status >= 200 && status < 300) {
        untold--
        return
      }
    }
  }

  const application: Application = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    servers: () => [],
    add(feed) {
      push(feed)
    },
    deliver(feed) {
      untold++
      const item = push(feed)
      chains.set(
        feed,
        (chains.get(feed) ?? Promise.resolve()).then(() => deliver(item)),
      )
    },
    counts: () => new Map([...feeds].map(([feed, items]) => [feed, items.length])),
    untold: () => untold,
    repeated: () => repeated,
    async close() {
      closed = true
      server.closeAllConnections()
      server.close()
      await dispatcher.destroy()
    },
  }
  return application
}

function json(reply: ServerResponse, value: object): void {
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

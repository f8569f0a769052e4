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
  /** Sends the next item of a feed to its webhook until a server accepts it; items of one feed are sent in order. */
  deliver(feed: string): void
  /** The number of items by feed. */
  counts(): ReadonlyMap<string, number>
  /** Items that no server has accepted yet. */
  untold(): number
  /** Deliveries that had to be repeated. */
  repeated(): number
  /** URLs at which the servers can be reached now. */
  servers: () => string[]
  close(): Promise<void>
}

const PAGE = 100
const RETRY_MS = 200
const SEND_MS = 10_000

/** The feeds with their items, and the webhooks that are registered for them. */
function createFeeds() {
  const feeds = new Map<string, Item[]>()
  const hooks = new Map<string, Hook>()
  let hookIds = 0

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

  return { feeds, hooks, push, answer }
}

/** Sends items to their webhooks. Like a real application it repeats a delivery whose response was lost. */
function createSender(hooks: ReadonlyMap<string, Hook>, serverUrls: () => string[]) {
  const dispatcher = new Agent({ connections: 32 })
  const counts = { untold: 0, repeated: 0 }
  let closed = false

  async function post(item: Item, hook: Hook, serverUrl: string): Promise<number> {
    const body = JSON.stringify(item)
    // The registered URL names one server; a proxy would stand before all of them.
    const { pathname, search } = new URL(hook.url)
    return request(new URL(pathname + search, serverUrl), {
      method: 'POST',
      dispatcher,
      body,
      headers: {
        'content-type': 'application/json',
        'x-signature': createHmac('sha256', hook.secret).update(body).digest('hex'),
      },
      headersTimeout: SEND_MS,
      bodyTimeout: SEND_MS,
    }).then(
      async ({ statusCode, body: rest }) => {
        await rest.dump()
        return statusCode
      },
      () => 0,
    )
  }

  async function deliver(item: Item): Promise<void> {
    for (let attempt = 0; !closed; attempt++) {
      if (attempt > 0) {
        counts.repeated++
        await wait(RETRY_MS)
      }
      const hook = hooks.get(item.feed)
      const urls = serverUrls()
      const url = urls[(item.n + attempt) % urls.length]
      if (!hook || url === undefined) continue
      const status = await post(item, hook, url)
      if (status >= 200 && status < 300) {
        counts.untold--
        return
      }
    }
  }

  const close = async () => {
    closed = true
    await dispatcher.destroy()
  }
  return { counts, deliver, close }
}

/** Starts the application at which instances are registered and which they poll. */
export async function startApplication(): Promise<Application> {
  const { feeds, hooks, push, answer } = createFeeds()
  const chains = new Map<string, Promise<void>>()
  const server = createServer((incoming, reply) => {
    void answer(incoming, reply)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sender = createSender(hooks, () => application.servers())
  const application: Application = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    servers: () => [],
    add(feed) {
      push(feed)
    },
    deliver(feed) {
      sender.counts.untold++
      const item = push(feed)
      chains.set(
        feed,
        (chains.get(feed) ?? Promise.resolve()).then(() => sender.deliver(item)),
      )
    },
    counts: () => new Map([...feeds].map(([feed, items]) => [feed, items.length])),
    untold: () => sender.counts.untold,
    repeated: () => sender.counts.repeated,
    async close() {
      const closed = sender.close()
      server.closeAllConnections()
      server.close()
      await closed
    },
  }
  return application
}

function json(reply: ServerResponse, value: object): void {
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

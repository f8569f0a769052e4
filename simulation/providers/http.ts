import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const BODY_BYTES_MAX = 12_000_000

/** A request as the providers of the simulator look at it. */
export interface Incoming {
  method: string
  /** Path below the provider, e.g. `/token`. */
  path: string
  /** Path and query just as they came, for providers that look at the encoding. */
  rawUrl: string
  /** The address that the caller used. */
  url: URL
  query: URLSearchParams
  headers: Readonly<Record<string, string>>
  body: string
  /** The body as it came. */
  bytes: Buffer
}

export interface Answer {
  status?: number
  headers?: Record<string, string | string[]>
  json?: unknown
  text?: string
  /** Only this many milliseconds later. */
  afterMs?: number
  /** The connection is closed without an answer. */
  hangUp?: boolean
}

export type Handler = (request: Incoming) => Answer | Promise<Answer>

export interface Listening {
  url: string
  close(): Promise<void>
}

/** Longer than any client of ours keeps an idle connection, so that no request meets one that is just being closed. */
const KEEP_ALIVE_MS = 120_000

/** Serves `handler` on this machine only. */
export async function listen(handler: Handler, port = 0): Promise<Listening> {
  const timers = new Set<NodeJS.Timeout>()
  const server: Server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void read(request)
      .then(handler)
      .then(
        (answer) => later(answer, timers, () => write(response, answer)),
        (error: unknown) => {
          write(response, {
            status: 500,
            json: {
              error: 'simulator_fault',
              error_description: error instanceof Error ? error.message : String(error),
            },
          })
        },
      )
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const timer of timers) clearTimeout(timer)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

async function read(request: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length > BODY_BYTES_MAX) throw new Error('The body is too long.')
    chunks.push(chunk as Buffer)
  }
  const bytes = Buffer.concat(chunks)
  const rawUrl = request.url ?? '/'
  const url = new URL(rawUrl, `http://${request.headers.host ?? '127.0.0.1'}`)
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    rawUrl,
    url,
    query: url.searchParams,
    headers,
    body: bytes.toString('utf8'),
    bytes,
  }
}

function later(answer: Answer, timers: Set<NodeJS.Timeout>, work: () => void): void {
  if (!answer.afterMs) return work()
  const timer = setTimeout(() => {
    timers.delete(timer)
    work()
  }, answer.afterMs)
  timers.add(timer)
}

function write(
  response: ServerResponse,
  { status = 200, headers = {}, json, text = '', hangUp }: Answer,
): void {
  if (hangUp) return void response.destroy()
  const body = json === undefined ? text : JSON.stringify(json)
  const type = json === undefined ? 'text/plain; charset=utf-8' : 'application/json'
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers }).end(body)
}

/** The parameters of a form; a name that is sent twice is rejected (RFC 6749 §3.1). */
export function formOf(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(found, name)) throw new ProviderError('invalid_request', `${name} is sent twice.`)
    found[name] = value
  }
  return found
}

/** An error response of a simulated provider (RFC 6749 §5.2). */
export class ProviderError extends Error {
  readonly code: string
  readonly status: number
  constructor(code: string, message: string, status = 400) {
    super(message)
    this.name = 'ProviderError'
    this.code = code
    this.status = status
  }
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { HostReply, SandboxDriver, SandboxHost } from '../../src/sandbox/index.ts'
import { type Sandbox, SandboxStopped } from '../../src/sandbox/types.ts'

/** A service with the HTTP contract of docs/guides/remote-sandboxes.md, whose sandboxes are those of another driver. */
export interface RemoteService {
  readonly url: string
  readonly token: string
  /** Method and path of each request. */
  readonly requests: string[]
  /** Replaces the response to runs. */
  respond: ((response: ServerResponse) => void) | undefined
}

interface RunningSandbox {
  readonly sandbox: Sandbox
  readonly waiting: Map<number, PromiseWithResolvers<HostReply>>
}

const TOKEN = 'remote-token'
const KEEP_ALIVE_MS = 1_000

export async function remoteService(t: TestContext, driver: SandboxDriver): Promise<RemoteService> {
  const sandboxes = new Map<string, RunningSandbox>()
  const service = { url: '', token: TOKEN, requests: [] as string[], respond: undefined } as {
    -readonly [K in keyof RemoteService]: RemoteService[K]
  }
  const server = createServer((request, response) => {
    handle(service, sandboxes, driver, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await driver.close()
  })
  return service
}

async function handle(
  service: RemoteService,
  sandboxes: Map<string, RunningSandbox>,
  driver: SandboxDriver,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  service.requests.push(`${request.method} ${request.url}`)
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return void response.writeHead(401).end()
  const json = chunks.length ? (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, any>) : {}
  const [id = '', part, , replies] = (request.url ?? '').split('/').slice(3)
  if (id === '') {
    const sandbox = await driver.start(json['size'])
    sandboxes.set(sandbox.id, { sandbox, waiting: new Map() })
    void sandbox.ended.then(() => sandboxes.delete(sandbox.id))
    return void response.writeHead(201).end(JSON.stringify({ id: sandbox.id }))
  }
  const running = sandboxes.get(id)
  if (!running) return void response.writeHead(404).end()
  if (request.method === 'DELETE') {
    running.sandbox.stop('it was deleted')
    return void response.writeHead(204).end()
  }
  if (part === 'runs' && replies === 'replies') {
    const {
      id: requestId,
      error,
      text,
      body,
    } = json as { id: number; error?: string; text: string; body: string }
    const entry = running.waiting.get(requestId)
    if (error === undefined) entry?.resolve({ text, body: Buffer.from(body, 'base64') })
    else entry?.reject(new Error(error))
    return void response.writeHead(204).end()
  }
  await run(service, running, json, response)
}

/** Writes one line for each request of the code, and one for the outcome. */
async function run(
  service: RemoteService,
  { sandbox, waiting }: RunningSandbox,
  json: Record<string, any>,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  if (service.respond) return service.respond(response)
  const write = (message: object) => response.write(`${JSON.stringify(message)}\n`)
  const keepAlive = setInterval(() => response.write('\n'), KEEP_ALIVE_MS)
  let last = 0
  const host: SandboxHost = (op, text, body) => {
    const entry = Promise.withResolvers<HostReply>()
    waiting.set(++last, entry)
    write({ type: 'request', id: last, op, text, body: Buffer.from(body).toString('base64') })
    return entry.promise
  }
  try {
    const { kind, code, timeout_ms: timeoutMs, output_characters: outputCharacters, mount } = json as any
    const outcome = await sandbox.run(
      { kind, code, timeoutMs, outputCharacters, mount, brand: 'service' },
      host,
    )
    write({ type: 'done', outcome })
  } catch (error) {
    if (!(error instanceof SandboxStopped)) throw error
    write({ type: 'stopped', reason: error.message })
  } finally {
    clearInterval(keepAlive)
    response.end()
  }
}

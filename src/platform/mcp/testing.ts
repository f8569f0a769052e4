import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { createMcpHandler, type McpServer as ModernServer } from '@modelcontextprotocol/server'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'

/** One request that reached a server under test. */
export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  message:
    | { method?: string; id?: unknown; params?: Record<string, unknown>; result?: unknown; error?: unknown }
    | undefined
}
export interface Peer {
  url: string
  seen: SeenRequest[]
  /** What was asked for, in order: `initialize`, `tools/call`, `DELETE`. */ said(): string[]
}

type Handle = (request: IncomingMessage, response: ServerResponse, body: unknown) => unknown

/** An HTTP server whose requests are recorded; `/mcp` is its address. */
export async function peer(t: TestContext, handle: Handle): Promise<Peer> {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const message = text === '' ? undefined : (JSON.parse(text) as SeenRequest['message'])
    seen.push({ method: request.method!, path: request.url!, headers: request.headers, message })
    await handle(request, response, message)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    said: () => seen.map(({ method, message }) => message?.method ?? (message ? 'answer' : method)),
  }
}

export interface SdkOptions {
  /** One JSON text in place of a stream. */
  json?: boolean
  /** With a session id; `sessions` may be cleared to forget them all. */
  sessions?: Map<string, StreamableHTTPServerTransport>
  /** Answers false when it has answered by itself. */
  before?(request: IncomingMessage, response: ServerResponse): boolean
}

/** A server by the official SDK for the revisions with a handshake. */
export function sdkServer(
  t: TestContext,
  define: (server: McpServer) => void,
  { json = false, sessions, before }: SdkOptions = {},
): Promise<Peer> {
  return peer(t, async (request, response, body) => {
    if (before && !before(request, response)) return
    const known = sessions?.get(String(request.headers['mcp-session-id']))
    if (known) return known.handleRequest(request, response, body)
    if (sessions && request.headers['mcp-session-id'])
      return void response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}')
    const server = new McpServer(
      { name: 'sample-server', title: 'Sample', version: '1.2.3' },
      { instructions: 'Answers questions about samples. Ask it first.' },
    )
    define(server)
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      enableJsonResponse: json,
      sessionIdGenerator: sessions ? () => randomUUID() : (undefined as never),
      onsessioninitialized: (id) => {
        sessions?.set(id, transport)
      },
    })
    await server.connect(transport as never)
    await transport.handleRequest(request, response, body)
  })
}

/** A server by the official SDK for the revision without one; with `both`, it speaks the earlier ones too. */
export function modernServer(
  t: TestContext,
  make: () => ModernServer,
  { both = false }: { both?: boolean } = {},
): Promise<Peer> {
  const handler = createMcpHandler(make, { legacy: both ? 'stateless' : 'reject' })
  t.after(() => handler.close())
  return peer(t, async (request, response, body) => {
    const headers = Object.entries(request.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    )
    const answer = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method!,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body) Readable.fromWeb(answer.body as never).pipe(response)
    else response.end()
  })
}

import { createParser } from 'eventsource-parser'
import { ApiFailure, consoleHeaders } from '../../api/index.ts'
import { whileSignedIn } from '../../api/client.ts'
import { fetchFrom } from '../../api/transport.ts'

const PROTOCOL_VERSION = '2025-06-18'
const TIMEOUT_MS = 70_000

export interface McpTool {
  name: string
  title?: string
  description?: string
  inputSchema: Record<string, unknown>
}

/** One message to the server and its response, as they were sent. */
export interface Exchange {
  method: string
  request: unknown
  response: unknown
  milliseconds: number
}

interface RpcResponse {
  id?: number
  result?: unknown
  error?: { code: number; message: string }
}

/** A client of the Model Context Protocol over streamable HTTP (specification 2025-06-18, transports). */
export class McpClient {
  readonly #path: string
  readonly #onExchange: (exchange: Exchange) => void
  #session: string | undefined
  #id = 0

  /** @param path path and query of the endpoint on this server */
  constructor(path: string, onExchange: (exchange: Exchange) => void) {
    this.#path = path
    this.#onExchange = onExchange
  }

  /** Starts the session. @returns name and version of the server */
  async initialize(): Promise<{ serverInfo: { name: string; version: string }; instructions?: string }> {
    const result = await this.#call('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: 'console-inspector', version: '1' },
    })
    await this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return result as Awaited<ReturnType<McpClient['initialize']>>
  }

  /** Lists all tools, page by page. */
  async listTools(): Promise<McpTool[]> {
    const tools: McpTool[] = []
    let cursor: string | undefined
    do {
      const page = (await this.#call('tools/list', cursor ? { cursor } : {})) as {
        tools: McpTool[]
        nextCursor?: string
      }
      tools.push(...page.tools)
      cursor = page.nextCursor
    } while (cursor)
    return tools
  }

  callTool(name: string, values: unknown): Promise<unknown> {
    return this.#call('tools/call', { name, arguments: values })
  }

  async #call(method: string, params: object): Promise<unknown> {
    const request = { jsonrpc: '2.0', id: ++this.#id, method, params }
    const startedAt = performance.now()
    const response = await this.#send(request)
    const milliseconds = Math.round(performance.now() - startedAt)
    this.#onExchange({ method, request, response, milliseconds })
    if (response?.error) throw new ApiFailure(response.error.message, { slug: String(response.error.code) })
    return response?.result
  }

  async #send(message: { jsonrpc: string; id?: number; method: string }): Promise<RpcResponse | undefined> {
    const send = () => fetchFrom(this.#path, this.#requestOf(message), undefined, TIMEOUT_MS)
    const response = await whileSignedIn(send)
    this.#session = response.headers.get('mcp-session-id') ?? this.#session
    const text = await response.text()
    if (text === '') return undefined
    const isStream = response.headers.get('content-type')?.includes('text/event-stream')
    return isStream ? readStream(text, message.id) : (JSON.parse(text) as RpcResponse)
  }

  #requestOf(message: object): RequestInit {
    return {
      method: 'POST',
      headers: {
        ...consoleHeaders(),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': PROTOCOL_VERSION,
        ...(this.#session && { 'mcp-session-id': this.#session }),
      },
      body: JSON.stringify(message),
    }
  }
}

/** Returns the response to the message `id`. Progress and logs come before it. */
function readStream(text: string, id: number | undefined): RpcResponse | undefined {
  let found: RpcResponse | undefined
  const parser = createParser({
    onEvent({ data }) {
      const message = JSON.parse(data) as RpcResponse
      if (message.id === id) found = message
    },
  })
  parser.feed(text)
  return found
}

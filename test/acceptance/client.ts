import assert from 'node:assert/strict'

const TIMEOUT_MS = 120_000

export interface Response {
  status: number
  headers: Headers
  body: any
}

/** Sends requests to a server with a project key. Nothing here imports the server. */
export function apiClient(url: string, key: string) {
  const origin = url.replace(/\/+$/, '')
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const response = await fetch(path.startsWith('/') ? origin + path : path, {
      method,
      headers: {
        'x-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parse(text) }
  }
  return {
    send,
    /** Sends a request that has to succeed, and returns the body of the response. */
    async call(method: string, path: string, body?: unknown): Promise<any> {
      const response = await send(method, `/api/v3.1${path}`, body)
      assert.ok(
        response.status < 300,
        `${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`,
      )
      return response.body
    },
    /** Sends a message to an MCP endpoint and returns its result. */
    async mcp(endpoint: string, method: string, params: object = {}): Promise<any> {
      const { status, body } = await send(
        'POST',
        endpoint,
        { jsonrpc: '2.0', id: 1, method, params },
        { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
      )
      assert.equal(status, 200, `${method}: ${JSON.stringify(body)}`)
      assert.equal(body.error, undefined, `${method}: ${JSON.stringify(body.error)}`)
      return body.result
    },
  }
}

export type ApiClient = ReturnType<typeof apiClient>

/** JSON, or the last message of an event stream, or the text. */
function parse(text: string): unknown {
  const event = /^data: (.+)$/m.exec(text)
  try {
    return JSON.parse(event?.[1] ?? text)
  } catch {
    return text
  }
}

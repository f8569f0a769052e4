import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import type { IncomingHttpHeaders } from 'node:http'
import { headerOf } from './mcp-request.ts'
import type { RequestMessages } from './read-messages.ts'

type Sdk = typeof import('@modelcontextprotocol/server')
export type SdkServer = InstanceType<Sdk['Server']>

/** Messages that need nothing of the HTTP request but what `isDirectRequest` compares. */
const DIRECT_METHODS: ReadonlySet<unknown> = new Set(['tools/call', 'tools/list', 'ping'])

/**
 * Whether a request of a revision before 2026-07-28 is one message with a JSON response, and all that the specification
 * demands of its headers is right. Other requests take the HTTP transport of the SDK, which has the response for each
 * fault, and the stream of a call with progress.
 */
export function isDirectRequest(
  sdk: Sdk,
  headers: IncomingHttpHeaders,
  { body, messages }: RequestMessages,
): boolean {
  const { accept = '', 'content-type': contentType } = headers
  const version = headerOf(headers, 'mcp-protocol-version')
  const [message] = messages
  return (
    !Array.isArray(body) &&
    DIRECT_METHODS.has(message?.method) &&
    // A message without an id is a notification, which has no response.
    message?.id !== undefined &&
    message.params?._meta?.['progressToken'] === undefined &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    sdk.isJsonContentType(contentType) &&
    (version === undefined || sdk.SUPPORTED_PROTOCOL_VERSIONS.includes(version))
  )
}

/**
 * Passes a message, which `isLegacyRequest` has checked, to a server of the SDK, and returns its response as JSON. The
 * HTTP transport of the SDK would make a request and a response of the Fetch API for it, which takes twice as long as
 * everything else that the SDK does.
 * @param disconnected aborts when the caller disconnects, which ends the call
 */
export async function respondDirectly(
  server: SdkServer,
  body: unknown,
  disconnected: AbortSignal,
): Promise<string | undefined> {
  const transport = new DirectTransport()
  await server.connect(transport)
  const close = () => void server.close().catch(() => {})
  disconnected.addEventListener('abort', close, { once: true })
  if (disconnected.aborted) close()
  else transport.onmessage?.(body as JSONRPCMessage, {})
  const response = await transport.response
  disconnected.removeEventListener('abort', close)
  return response && JSON.stringify(response)
}

/** Takes the response to the only message. */
class DirectTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: () => void
  readonly response: Promise<JSONRPCMessage | undefined>
  #respond!: (message: JSONRPCMessage | undefined) => void

  constructor() {
    this.response = new Promise((resolve) => {
      this.#respond = resolve
    })
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    // Notifications need a stream, which the client did not request.
    if (!('method' in message)) this.#respond(message)
  }

  async close(): Promise<void> {
    this.#respond(undefined)
    this.onclose?.()
  }
}

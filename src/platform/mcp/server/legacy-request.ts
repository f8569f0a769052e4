import { isDirectRequest, respondDirectly, type SdkServer } from './direct-request.ts'
import { headerOf, type McpRequest, type McpResponse, toWebRequest } from './mcp-request.ts'
import { errorResponse, RPC_ERRORS, type RequestMessages } from './read-messages.ts'
import { newSessionId } from './session-id.ts'

type Sdk = typeof import('@modelcontextprotocol/server')

/** Whether a request is of a revision before 2026-07-28. */
export function isLegacyRequest(sdk: Sdk, { method, headers }: McpRequest, body: unknown): boolean {
  if (method !== 'POST') return true
  const outcome = sdk.classifyInboundRequest({
    httpMethod: method,
    protocolVersionHeader: headerOf(headers, 'mcp-protocol-version'),
    mcpMethodHeader: headerOf(headers, 'mcp-method'),
    mcpNameHeader: headerOf(headers, 'mcp-name'),
    body,
  })
  return outcome.kind === 'legacy'
}

/**
 * Handles one request of a revision before 2026-07-28. The response is JSON, or a stream if the client
 * requests progress.
 */
export async function handleLegacyRequest(
  sdk: Sdk,
  createServer: () => SdkServer,
  request: McpRequest,
  messages: RequestMessages,
): Promise<McpResponse> {
  if (request.method !== 'POST')
    return errorResponse(
      405,
      RPC_ERRORS.methodNotAllowed,
      'Method not allowed: there is no stream to open and no session to end.',
    )
  if (!isDirectRequest(sdk, request.headers, messages))
    return respondByTransport(sdk, createServer(), request, messages)
  const jsonText = await respondDirectly(createServer(), messages.body, request.signal)
  return jsonText === undefined ? disconnected() : { jsonText }
}

/** The response that no caller receives. */
const disconnected = (): Response =>
  errorResponse(400, RPC_ERRORS.invalidRequest, 'The caller has disconnected.')

/** Passes a request to the HTTP transport of the SDK. */
async function respondByTransport(
  sdk: Sdk,
  server: SdkServer,
  request: McpRequest,
  { body, messages }: RequestMessages,
): Promise<Response> {
  const requestsProgress = messages.some(({ params }) => params?._meta?.['progressToken'] !== undefined)
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !requestsProgress,
  })
  await server.connect(transport)
  const response = await new Promise<Response>((resolve, reject) => {
    request.signal.addEventListener(
      'abort',
      () => {
        void server.close().catch(() => {})
        resolve(disconnected())
      },
      { once: true },
    )
    transport.handleRequest(toWebRequest(request), { parsedBody: body }).then(resolve, reject)
  })
  if (!requestsProgress) void server.close().catch(() => {})
  const initialize = messages.find(({ method }) => method === 'initialize')
  if (initialize && response.ok)
    response.headers.set('mcp-session-id', newSessionId(initialize.params?.['capabilities']))
  return response
}

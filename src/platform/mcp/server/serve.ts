import { createHash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { complexityProblem, textProblem } from '../../http/middleware/json-body.ts'
import { isObject, getOwn } from '../../json-object.ts'

/** A tool in the format of MCP. */
export interface McpTool {
  name: string
  title: string
  description: string
  inputSchema: Readonly<Record<string, unknown>>
  annotations: Readonly<Record<string, boolean | string>>
}
/** The result of a call. Failures of a tool are results, not errors of the protocol. */
export interface McpOutcome {
  structured: Readonly<Record<string, unknown>>
  isError: boolean
  /**
   * A URL that the user must visit before the call can be made. Clients that support URL elicitation show it;
   * others receive the result.
   */
  urlElicitation?: McpUrlElicitation | undefined
}
/** `id`: the subject of the visit. `message`: the reason, in words for the user. */
export interface McpUrlElicitation {
  id: string
  message: string
  url: string
}

/** What one caller may use. It is created for each request. */
export interface McpServerContext {
  name: string
  version: string
  instructions: string
  /** The namespace of cancellations: a caller can cancel its own requests only. */
  scope: string
  list(cursor: string | undefined): Promise<{ tools: McpTool[]; nextCursor?: string }>
  /** Returns undefined if the caller has no such tool. */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<McpOutcome | undefined>
}

/** A request of an authenticated caller. `signal` aborts when the caller disconnects. */
export interface McpRequest {
  url: string
  method: string
  headers: Headers
  text: string
  signal: AbortSignal
}

export interface McpServing {
  serve(request: McpRequest, offer: McpServerContext): Promise<Response>
  /** Cancels a call on behalf of another server. Unknown names are ignored. */
  cancel(call: string): void
  close(): Promise<void>
}

/** A cursor that this server did not issue. */
export class InvalidCursor extends Error {}

/** Messages in one request: a batch, which only revision 2025-03-26 has. */
const BATCH_MAX = 50
/** Interval of progress notifications, in ms. */
const PROGRESS_MS = 5_000
const RUNNING_MAX = 100_000
const INVALID_REQUEST = -32_600,
  METHOD_NOT_FOUND = -32_601,
  INVALID_PARAMS = -32_602,
  PARSE_ERROR = -32_700

interface Message {
  id?: unknown
  method?: unknown
  params?: Record<string, unknown> & { _meta?: Record<string, unknown> }
}

/**
 * Serves MCP over streamable HTTP, revisions 2025-03-26 to 2026-07-28, with the official SDK, which is loaded
 * at the first request. Only calls in progress are kept between requests: a caller that names its session can
 * cancel one. `broadcastCancel` broadcasts the cancellation of a call that runs on another server.
 */
export function createMcpServing(broadcastCancel: (call: string) => void): McpServing {
  const running = new LRUCache<string, AbortController>({ max: RUNNING_MAX })
  let loaded: ReturnType<typeof load> | undefined

  return {
    async serve(request, offer) {
      const { modern, legacy, isLegacyRequest } = await (loaded ??= load(running))
      const read = readMessages(request)
      if ('error' in read) return read.error
      for (const call of cancelledBy(request, offer, read.messages)) {
        const here = running.get(call)
        if (here) here.abort()
        else broadcastCancel(call)
      }
      const web = new Request(request.url, {
        method: request.method,
        headers: request.headers,
        signal: request.signal,
      })
      return (await isLegacyRequest(web, read.body))
        ? legacy(web, read, offer)
        : modern.fetch(web, {
            authInfo: authInfoFor(offer),
            ...(read.body === undefined ? {} : { parsedBody: read.body }),
          })
    },
    cancel(call) {
      running.get(call)?.abort()
    },
    async close() {
      for (const call of running.values()) call.abort()
      if (loaded) await (await loaded).modern.close()
    },
  }
}

interface Read {
  body: unknown
  messages: readonly Message[]
}

function readMessages({ method, text }: McpRequest): Read | { error: Response } {
  if (method !== 'POST') return { body: undefined, messages: [] }
  const shape = complexityProblem(text)
  if (shape) return { error: errorResponse(400, PARSE_ERROR, `Parse error: the body ${shape}.`) }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return { error: errorResponse(400, PARSE_ERROR, 'Parse error: the body is not JSON.') }
  }
  const fault = textProblem(text, body)
  if (fault) return { error: errorResponse(400, INVALID_REQUEST, `Invalid request: ${fault}.`) }
  const messages = Array.isArray(body) ? body : [body]
  if (!messages.length || messages.length > BATCH_MAX)
    return {
      error: errorResponse(
        400,
        INVALID_REQUEST,
        `Invalid request: a batch holds 1 to ${BATCH_MAX} messages.`,
      ),
    }
  if (messages.some((one) => typeof one !== 'object' || one === null || Array.isArray(one)))
    return { error: errorResponse(400, INVALID_REQUEST, 'Invalid request: a message is an object.') }
  // Lists do not change during a request, so there are no changes to subscribe to.
  const listening = (messages as Message[]).find((one) => one.method === 'subscriptions/listen')
  if (listening)
    return {
      error: errorResponse(
        200,
        METHOD_NOT_FOUND,
        'Method not found: this server sends no change notifications.',
        listening.id,
      ),
    }
  return { body, messages }
}

const errorResponse = (status: number, code: number, message: string, id: unknown = null): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })

/**
 * Suffix of the ids of sessions whose client supports URL elicitation (MCP 2025-11-25, "URL mode
 * elicitation"). Nothing else carries this to the next request.
 */
const URL_ELICITATION_SUFFIX = '.u'
const supportsUrlElicitation = (capabilities: unknown): boolean =>
  isObject(getOwn(getOwn(capabilities, 'elicitation'), 'url'))

/**
 * Identifies a request by its caller, session and id. The key is a hash, because it is sent to other servers.
 */
const cancellationKey = (offer: McpServerContext, session: string | null, id: unknown): string | undefined =>
  session === null
    ? undefined
    : createHash('sha256')
        .update(JSON.stringify([offer.scope, session.slice(0, 128), id]))
        .digest('base64url')

/** Returns the keys of the calls that a request cancels. */
const cancelledBy = (
  { headers }: McpRequest,
  offer: McpServerContext,
  messages: readonly Message[],
): string[] =>
  messages.flatMap(({ method, params }) =>
    method === 'notifications/cancelled'
      ? (cancellationKey(offer, headers.get('mcp-session-id'), getOwn(params, 'requestId')) ?? [])
      : [],
  )

/** Wraps the context in the form in which the SDK passes it to its servers. */
const authInfoFor = (offer: McpServerContext) => ({ token: '', clientId: '', scopes: [], extra: { offer } })

async function load(running: LRUCache<string, AbortController>) {
  const sdk = await import('@modelcontextprotocol/server')
  const {
    CLIENT_CAPABILITIES_META_KEY,
    createMcpHandler,
    inputRequired,
    isLegacyRequest,
    ProtocolError,
    Server,
    UrlElicitationRequiredError,
    WebStandardStreamableHTTPServerTransport,
  } = sdk
  sdk.preloadSchemas()

  /**
   * Asks the client to show a URL: with a result, to which it responds by repeating the call, or before
   * 2026-07-28 with an error.
   * @throws UrlElicitationRequiredError
   */
  function visitFirst({ id, message, url }: McpUrlElicitation, isModern: boolean) {
    if (!isModern)
      throw new UrlElicitationRequiredError([{ mode: 'url', elicitationId: id, message, url }], message)
    return inputRequired({ inputRequests: { [id]: inputRequired.elicitUrl({ message, url }) } })
  }

  function serverFor(offer: McpServerContext, session: string | null, isModern: boolean) {
    const server = new Server(
      { name: offer.name, version: offer.version },
      { capabilities: { tools: {} }, instructions: offer.instructions },
    )
    server.setRequestHandler('tools/list', async ({ params }) => {
      try {
        return (await offer.list(params?.cursor)) as never
      } catch (error) {
        if (error instanceof InvalidCursor)
          throw new ProtocolError(INVALID_PARAMS, 'Invalid params: cursor is not one of this list.')
        throw error
      }
    })
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const token = mcpReq._meta?.progressToken
      const tell = (progress: number) =>
        token === undefined
          ? undefined
          : mcpReq
              .notify({
                method: 'notifications/progress',
                params: { progressToken: token, progress, message: 'The tool is running.' },
              })
              .catch(() => {})
      const cancelled = new AbortController()
      const key = cancellationKey(offer, session, mcpReq.id)
      if (key) running.set(key, cancelled)
      let ticks = 0
      await tell(ticks)
      const ticking = token === undefined ? undefined : setInterval(() => void tell(++ticks), PROGRESS_MS)
      try {
        const outcome = await offer.call(
          params.name,
          params.arguments ?? {},
          AbortSignal.any([mcpReq.signal, cancelled.signal]),
        )
        if (!outcome) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${params.name.slice(0, 100)}`)
        if (
          outcome.urlElicitation &&
          (isModern
            ? supportsUrlElicitation(getOwn(mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY)) &&
              !mcpReq.inputResponses
            : session?.endsWith(URL_ELICITATION_SUFFIX))
        )
          return visitFirst(outcome.urlElicitation, isModern) as never
        return {
          content: [{ type: 'text', text: JSON.stringify(outcome.structured) }],
          structuredContent: outcome.structured,
          isError: outcome.isError,
        } as never
      } finally {
        clearInterval(ticking)
        if (key && running.get(key) === cancelled) running.delete(key)
      }
    })
    return server
  }

  /**
   * Handles one request of a revision before 2026-07-28. The response is JSON, or a stream if the client
   * requests progress.
   */
  async function legacy(
    request: Request,
    { body, messages }: Read,
    offer: McpServerContext,
  ): Promise<Response> {
    if (request.method !== 'POST')
      return errorResponse(
        405,
        -32_000,
        'Method not allowed: there is no stream to open and no session to end.',
      )
    const server = serverFor(offer, request.headers.get('mcp-session-id'), false)
    const wantsProgress = messages.some(({ params }) => params?._meta?.['progressToken'] !== undefined)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !wantsProgress })
    await server.connect(transport)
    const gone = Promise.withResolvers<Response>()
    request.signal.addEventListener(
      'abort',
      () => {
        void server.close().catch(() => {})
        gone.resolve(errorResponse(400, INVALID_REQUEST, 'The caller has disconnected.'))
      },
      { once: true },
    )
    const response = await Promise.race([
      transport.handleRequest(request, { parsedBody: body }),
      gone.promise,
    ])
    if (!wantsProgress) void server.close().catch(() => {})
    // A session id only lets a client cancel its requests. The server stores nothing about it.
    const hello = messages.find(({ method }) => method === 'initialize')
    if (hello && response.ok)
      response.headers.set(
        'mcp-session-id',
        `${randomUUID()}${supportsUrlElicitation(hello.params?.['capabilities']) ? URL_ELICITATION_SUFFIX : ''}`,
      )
    return response
  }

  const modern = createMcpHandler(
    ({ authInfo }) => serverFor(authInfo?.extra?.['offer'] as McpServerContext, null, true),
    { legacy: 'reject' },
  )
  return {
    modern,
    legacy,
    isLegacyRequest: (request: Request, body: unknown) =>
      request.method === 'POST' ? isLegacyRequest(request, body) : Promise.resolve(true),
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { currentTurn } from '../../http/turns/request-turns.ts'
import { nextPortion } from '../../http/turns/run-in-slices.ts'
import { importInSteps } from '../../import-in-steps.ts'
import { getOwn } from '../../json-object.ts'
import { type TraceHeaders, type Tracing, traced } from '../../telemetry/index.ts'
import { cancellationKey } from './cancellation.ts'
import { handleLegacyRequest, isLegacyRequest } from './legacy-request.ts'
import type { McpRequest } from './mcp-request.ts'
import { startProgress } from './progress.ts'
import { RPC_ERRORS, type RequestMessages } from './read-messages.ts'
import { sessionOf, supportsUrlElicitation, URL_ELICITATION_SUFFIX } from './session-id.ts'
import { InvalidCursor, type McpOutcome, type McpServerContext, type McpUrlElicitation } from './context.ts'

type Sdk = typeof import('@modelcontextprotocol/server') & { tracing: Tracing | undefined }
/** Calls in progress by cancellation key. */
export interface RunningCalls {
  get(key: string): AbortController | undefined
  set(key: string, call: AbortController): unknown
  delete(key: string): boolean
}

/**
 * The client of one request. `session`: the session that it names. `isModern`: revision 2026-07-28 or later.
 * `largeArguments`: those of its call, which the message does not have.
 */
interface McpClientRequest {
  offer: McpServerContext
  session: string | null
  isModern: boolean
  largeArguments: Record<string, unknown> | undefined
}

/** The request of a handler of the SDK. */
interface SdkRequest {
  id: unknown
  _meta?: { progressToken?: string | number | undefined; traceparent?: unknown } | undefined
  envelope?: unknown
  inputResponses?: unknown
  signal: AbortSignal
  notify(notification: never): Promise<void>
}

/** Other requests run between the steps in which the first MCP request of a process loads the SDK. */
const restWhileLoading = (): Promise<void> => nextPortion(currentTurn()) ?? nextTurn()

async function loadSdk() {
  await importInSteps(import.meta.resolve('@modelcontextprotocol/server'), restWhileLoading)
  const sdk = await import('@modelcontextprotocol/server')
  await restWhileLoading()
  sdk.preloadSchemas()
  await restWhileLoading()
  return sdk
}

/** Loads the official SDK and returns handlers for requests of both kinds of revisions. */
export async function loadSdkHandlers(running: RunningCalls, tracing?: Tracing) {
  const sdk = { ...(await loadSdk()), tracing }
  const modern = sdk.createMcpHandler(
    ({ authInfo }) =>
      createSdkServer(sdk, running, {
        offer: authInfo?.extra?.['offer'] as McpServerContext,
        session: null,
        isModern: true,
        largeArguments: authInfo?.extra?.['largeArguments'] as Record<string, unknown> | undefined,
      }),
    { legacy: 'reject' },
  )
  return {
    modern,
    isLegacyRequest: (request: McpRequest, body: unknown) => isLegacyRequest(sdk, request, body),
    legacy: (request: McpRequest, messages: RequestMessages, offer: McpServerContext) => {
      const session = sessionOf(request.headers)
      const { largeArguments } = messages
      const server = () => createSdkServer(sdk, running, { offer, session, isModern: false, largeArguments })
      return handleLegacyRequest(sdk, server, request, messages)
    },
  }
}

function createSdkServer(sdk: Sdk, running: RunningCalls, client: McpClientRequest) {
  const { offer } = client
  const server = new sdk.Server(
    { name: offer.name, version: offer.version },
    { capabilities: { tools: {} }, instructions: offer.instructions },
  )
  server.setRequestHandler('tools/list', async ({ params }) => {
    try {
      return (await offer.list(params?.cursor)) as never
    } catch (error) {
      if (error instanceof InvalidCursor)
        throw new sdk.ProtocolError(
          RPC_ERRORS.invalidParams,
          'Invalid params: cursor is not one of this list.',
        )
      throw error
    }
  })
  server.setRequestHandler(
    'tools/call',
    async ({ params }, { mcpReq }) =>
      (await callTool(sdk, running, client, params, mcpReq as unknown as SdkRequest)) as never,
  )
  return server
}

/** Runs a tool, with progress notifications if the client requests them. Another request can cancel it. */
async function callTool(
  sdk: Sdk,
  running: RunningCalls,
  client: McpClientRequest,
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
  request: SdkRequest,
) {
  const cancelled = new AbortController()
  const cancel = () => cancelled.abort()
  if (request.signal.aborted) cancel()
  else request.signal.addEventListener('abort', cancel, { once: true })
  const key = cancellationKey(client.offer, client.session, request.id)
  if (key) running.set(key, cancelled)
  const stopProgress = await startProgress(request)
  try {
    const outcome = await traced(
      sdk.tracing,
      `tools/call ${name.slice(0, 100)}`,
      callSpan(name, request),
      () => client.offer.call(name, client.largeArguments ?? args, cancelled.signal),
    )
    if (!outcome) throw new sdk.ProtocolError(RPC_ERRORS.invalidParams, `Unknown tool: ${name.slice(0, 100)}`)
    return requiresVisit(sdk, client, outcome, request)
      ? requestVisit(sdk, client, outcome.urlElicitation)
      : {
          content: [{ type: 'text', text: JSON.stringify(outcome.structured) }],
          structuredContent: outcome.structured,
          isError: outcome.isError,
        }
  } finally {
    request.signal.removeEventListener('abort', cancel)
    stopProgress()
    if (key && running.get(key) === cancelled) running.delete(key)
  }
}

/** The span of a call. Its trace continues that of the client, which can be in `_meta` (SEP-414) or in a header. */
const callSpan = (name: string, { _meta: meta }: SdkRequest) => ({
  attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': name.slice(0, 100) },
  ...(typeof meta?.traceparent === 'string' && { caller: meta as TraceHeaders }),
})

type VisitOutcome = McpOutcome & { urlElicitation: McpUrlElicitation }
/** Whether a call needs a visit of the user first, and the client can show its URL. */
function requiresVisit(
  { CLIENT_CAPABILITIES_META_KEY }: Sdk,
  { isModern, session }: McpClientRequest,
  outcome: McpOutcome,
  { envelope, inputResponses }: SdkRequest,
): outcome is VisitOutcome {
  if (!outcome.urlElicitation) return false
  return isModern
    ? supportsUrlElicitation(getOwn(envelope, CLIENT_CAPABILITIES_META_KEY)) && !inputResponses
    : session?.endsWith(URL_ELICITATION_SUFFIX) === true
}

/**
 * Asks the client to show a URL: with a result, to which it responds by repeating the call, or before
 * 2026-07-28 with an error.
 * @throws UrlElicitationRequiredError
 */
function requestVisit(
  { inputRequired, UrlElicitationRequiredError }: Sdk,
  { isModern }: McpClientRequest,
  { id, message, url }: McpUrlElicitation,
) {
  if (!isModern)
    throw new UrlElicitationRequiredError([{ mode: 'url', elicitationId: id, message, url }], message)
  return inputRequired({ inputRequests: { [id]: inputRequired.elicitUrl({ message, url }) } })
}

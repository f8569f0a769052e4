import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { runInProject } from '../../db/project-scope.ts'
import { ApiError } from '../../http/api-error.ts'
import { emptyPayload } from '../../http/middleware/large-body.ts'
import { type ReceivedBody, receiveLargeBody } from '../../http/middleware/receive-large-body.ts'
import { bodyCostMs, type RequestTurn, type RequestTurns, runInTurn } from '../../http/turns/request-turns.ts'
import { closeIfUnread, disconnectSignal } from '../../http/server/client-disconnect.ts'
import type { McpServerContext } from './context.ts'
import { errorResponse, RPC_ERRORS } from './read-messages.ts'
import type { McpServing } from './serve.ts'

/** How long the caller may read nothing of a response. */
const UNREAD_MS = 60_000
/**
 * Arguments of a call may have 10 MB, as a response of an application may: agents pass documents that they have read.
 * The rest is for the message around them.
 */
const BODY_BYTES_MAX = 10 * 1024 * 1024 + 64 * 1024

export interface McpRouteDeps {
  serving: McpServing
  publicUrl: string
  turns: RequestTurns
}

/**
 * Authenticates the caller and returns what it may use. `url` is the URL of the request, below PUBLIC_URL.
 * @throws ApiError
 */
export type OpenMcpContext<Params> = (
  request: FastifyRequest<{ Params: Params }>,
  reply: FastifyReply,
  url: URL,
) => Promise<McpServerContext>

/** A request with what the hook before its body has added. */
interface McpFastifyRequest<Params> extends FastifyRequest<{ Params: Params }> {
  mcp: {
    readonly url: URL
    readonly context: McpServerContext
    readonly turn: RequestTurn
    readonly signal: AbortSignal
    readonly largeBody: ReceivedBody | undefined
  } | null
}

/** Adds the routes that MCP clients call: the protocol over HTTP. */
export function registerMcpRoutes<Params>(
  app: FastifyInstance,
  { serving, publicUrl, turns }: McpRouteDeps,
  paths: readonly string[],
  openContext: OpenMcpContext<Params>,
): void {
  const { origin, hostname } = new URL(publicUrl)
  app.register(async (mcp) => {
    // The protocol has its own response to a body that is not JSON.
    mcp.removeAllContentTypeParsers()
    mcp.addContentTypeParser(/^application\/json\b/, { parseAs: 'string' }, (_request, text, done) =>
      done(null, text),
    )
    mcp.setErrorHandler((error, _request, reply) => {
      // Fastify passes what an error handler throws to the handler of the whole server.
      if ((error as { code?: unknown }).code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error
      return sendResponse(reply, tooLarge())
    })
    mcp.decorateRequest('mcp', null)
    const onRequest = async ({ headers }: FastifyRequest) => checkOriginAndHost(headers, { origin, hostname })
    const preParsing = async (request: FastifyRequest, reply: FastifyReply, payload: RequestPayload) =>
      openRequest(turns, request as McpFastifyRequest<Params>, reply, payload, {
        url: new URL(request.url, publicUrl),
        openContext,
      })
    for (const url of paths)
      mcp.route<{ Params: Params }>({
        method: ['GET', 'POST', 'DELETE'],
        url,
        bodyLimit: BODY_BYTES_MAX,
        onRequest,
        preParsing,
        handler: (request, reply) => handleRequest(serving, request as McpFastifyRequest<Params>, reply),
      })
  })
}

/** Authenticates the caller, starts the turn of its project, and reads a large body. */
async function openRequest<Params>(
  turns: RequestTurns,
  request: McpFastifyRequest<Params>,
  reply: FastifyReply,
  payload: RequestPayload,
  { url, openContext }: { url: URL; openContext: OpenMcpContext<Params> },
): Promise<RequestPayload> {
  const context = await openContext(request, reply, url)
  const { headers } = request
  const signal = disconnectSignal(reply.raw)
  const costMs = bodyCostMs(Number(headers['content-length'] ?? 0))
  const turn = await turns.start(context.projectId, 'mcp', () => signal, costMs)
  if (reply.raw.destroyed) turn.end()
  else reply.raw.once('close', () => turn.end())
  const unread = { payload, headers, bytesMax: BODY_BYTES_MAX, turn }
  const largeBody =
    request.method === 'POST'
      ? await runInTurn(turn, () => receiveLargeBody(unread, 'message', (body) => Promise.resolve(body)))
      : undefined
  request.mcp = { url, context, turn, signal, largeBody }
  return largeBody ? emptyPayload(headers) : payload
}

async function handleRequest<Params>(
  serving: McpServing,
  request: McpFastifyRequest<Params>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { method, headers, body } = request
  const { url, context, turn, signal, largeBody } = request.mcp!
  const incoming = {
    url: url.href,
    method,
    headers,
    text: typeof body === 'string' ? body : '',
    largeBody,
    signal,
  }
  const response = await runInTurn(turn, () =>
    runInProject(context.projectId, () => serving.serve(incoming, context)),
  )
  closeIfUnread(reply.raw, UNREAD_MS)
  if (!(response instanceof Response))
    return reply.header('content-type', 'application/json').send(response.jsonText)
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return reply.send(response)
  return sendResponse(reply, response)
}

/** Sends a response whole, with its length. Without a body it has no type. */
const sendResponse = async (reply: FastifyReply, response: Response): Promise<FastifyReply> =>
  reply
    .code(response.status)
    .headers(Object.fromEntries(response.headers))
    .send((await response.text()) || undefined)

/** The message was not read, so its id is not known. */
const tooLarge = (): Response =>
  errorResponse(
    413,
    RPC_ERRORS.invalidRequest,
    'Invalid request: the body is larger than 10 MB, the limit for the arguments of a tool. For a larger file, ' +
      'upload ' +
      'it with POST /files/upload/request and pass its `s3key` in the argument.',
  )

/**
 * A page of another site must not reach a server on its visitor's machine or network. Its Origin is foreign,
 * and after DNS rebinding its Host is. IP addresses cannot be rebound, and a name without a dot is in the
 * local network.
 * @throws ApiError 403
 */
function checkOriginAndHost(
  { origin, host = '' }: { origin?: string | undefined; host?: string | undefined },
  own: { origin: string; hostname: string },
): void {
  // A page that this server itself served is allowed, under any name that passes the check below.
  const isOwnPage =
    origin === undefined || origin === own.origin || (URL.parse(origin)?.host ?? '') === host.toLowerCase()
  if (!isOwnPage)
    throw new ApiError(
      'Mcp_AddressRefused',
      `MCP servers accept no calls from pages of other sites: the Origin is ${origin?.slice(0, 100)}.`,
    )
  const name = host.replace(/:\d*$/, '').toLowerCase()
  if (name === own.hostname || !name.includes('.') || isIP(name) || name.startsWith('[')) return
  throw new ApiError('Mcp_AddressRefused', `MCP servers accept no calls for the host ${name.slice(0, 100)}.`)
}

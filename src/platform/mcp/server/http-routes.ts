import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../http/api-error.ts'
import type { Authenticate, Limit, Principals } from '../../http/call.ts'
import { endUnread, signalOf } from '../../http/server/client-disconnect.ts'
import type { McpOffer, McpServing } from './serve.ts'

/** Without a byte that the caller reads. */
const READ_MS = 60_000

export interface DoorDeps {
  serving: McpServing
  publicUrl: string
}

/** `offerOf` lets the caller in and says what it is offered. `url`: of the request, below PUBLIC_URL. @throws ApiError */
export type OfferOf<Params> = (
  request: FastifyRequest<{ Params: Params }>,
  reply: FastifyReply,
  url: URL,
) => Promise<McpOffer>

/** Where MCP clients call: the protocol over HTTP at addresses of this server. */
export function mcpDoor<Params>(
  app: FastifyInstance,
  { serving, publicUrl }: DoorDeps,
  addresses: readonly string[],
  offerOf: OfferOf<Params>,
): void {
  const home = new URL(publicUrl)
  app.register(async (mcp) => {
    // The protocol has its own answer to what is no JSON.
    mcp.removeAllContentTypeParsers()
    mcp.addContentTypeParser(/^application\/json\b/, { parseAs: 'string' }, (_request, text, done) =>
      done(null, text),
    )
    const options = { onRequest: async ({ headers }: FastifyRequest) => checkAddress(headers, home) }
    for (const url of addresses)
      mcp.route<{ Params: Params }>({
        method: ['GET', 'POST', 'DELETE'],
        url,
        ...options,
        handler: async (request, reply) =>
          answer(serving, request as never, reply, new URL(request.url, publicUrl), offerOf),
      })
  })
}

async function answer<Params>(
  serving: McpServing,
  request: FastifyRequest<{ Params: Params }>,
  reply: FastifyReply,
  url: URL,
  offerOf: OfferOf<Params>,
): Promise<FastifyReply> {
  const { method, headers, body } = request
  const offer = await offerOf(request, reply, url)
  const response = await serving.serve(
    {
      url: url.href,
      method,
      headers: webHeaders(headers),
      text: typeof body === 'string' ? body : '',
      signal: signalOf(reply.raw),
    },
    offer,
  )
  endUnread(reply.raw, READ_MS)
  // What is no stream is sent whole, with its length.
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return reply.send(response)
  return reply
    .code(response.status)
    .headers(Object.fromEntries(response.headers))
    .send(await response.text())
}

/**
 * A page of another site must not reach a server on its visitor's machine or network: its Origin is foreign, and after rebinding its name the Host is.
 * Addresses as numbers cannot be rebound, and names without a dot are nobody else's. @throws ApiError 403
 */
function checkAddress(
  { origin, host = '' }: { origin?: string | undefined; host?: string | undefined },
  home: URL,
): void {
  // A page of this very address is no other site, by whatever name it was reached that passes below.
  if (
    origin !== undefined &&
    origin !== home.origin &&
    (URL.parse(origin)?.host ?? '') !== host.toLowerCase()
  )
    throw new ApiError('Mcp_AddressRefused', 'MCP servers take no calls of pages of other sites (Origin).')
  const name = host.replace(/:\d*$/, '').toLowerCase()
  if (name === home.hostname || !name.includes('.') || isIP(name) || name.startsWith('[')) return
  throw new ApiError('Mcp_AddressRefused', 'MCP servers take no calls under this name (Host).')
}

function webHeaders(headers: FastifyRequest['headers']): Headers {
  const web = new Headers()
  // The body is handed over parsed; its length would be that of none.
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && name !== 'content-length' && name !== 'connection')
      web.set(name, Array.isArray(value) ? value.join(', ') : value)
  return web
}

/** How callers of one kind of resource prove who they are. */
export interface Gate {
  authenticate: Authenticate
  limit: Limit
  /** Who calls with a token that a user signed in for, if the header has one. @throws ApiError 401 */
  signedIn(
    authorization: string | undefined,
    id: string,
  ): Promise<{ principal: Principals['project']; userId: string }> | undefined
  /** How a client learns where its user can sign in: the header of a 401. */
  challenge(url: string, wasRefused: boolean): string
  /** The project as a caller, if it lets callers in that bring no key. */
  openProject(projectId: string): Promise<Principals['project'] | undefined>
  /** The project of a resource: for callers that bring no key, whose address is all there is. */
  projectOf(id: string): Promise<string | undefined>
}

export interface LetIn {
  principal: Principals['project']
  /** Whom a token is for. */ userId?: string
}

/** Who calls a resource; the call is counted. A key that was sent is judged in any case, and so is a token of a user; without either, the project of the resource decides. @throws ApiError 401, 403, 429 */
export async function letIn(
  gate: Gate,
  request: Pick<FastifyRequest, 'method' | 'headers' | 'ip' | 'url'>,
  reply: FastifyReply,
  id: string,
): Promise<LetIn> {
  const caller = await callerOf(gate, request, id).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401)
      reply.header('www-authenticate', gate.challenge(request.url, error.slug === 'Mcp_TokenInvalid'))
    throw error
  })
  reply.headers(gate.limit(caller.principal.organizationId))
  return caller
}

async function callerOf(
  { authenticate, openProject, signedIn, projectOf }: Gate,
  { method, headers, ip }: Pick<FastifyRequest, 'method' | 'headers' | 'ip'>,
  id: string,
): Promise<LetIn> {
  if (headers['x-api-key'] === undefined) {
    const user = signedIn(headers.authorization, id)
    if (user) return user
    const projectId = await projectOf(id)
    const open = projectId === undefined ? undefined : await openProject(projectId)
    if (open) return { principal: open }
  }
  return {
    principal: (await authenticate(
      'project',
      { area: 'sessions', level: method === 'GET' ? 'read' : 'write' },
      { headers, ip },
    )) as Principals['project'],
  }
}

import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CatalogOf } from '../../catalog/index.ts'
import { coalesce } from '../../platform/db/coalesce.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Authenticate, Limit, Principals } from '../../platform/http/call.ts'
import { endUnread, signalOf } from '../../platform/http/gone.ts'
import type { McpOffer, McpServing } from '../../platform/mcp/serve.ts'
import { helperTool, manageConnections } from './helper.ts'
import { type Asked, askedFor } from './identity.ts'
import { type Caller, type RunDeps, runTool } from './run.ts'
import { type CalledServer, findMany, projectOf } from './store.ts'
import { toolsOf } from './tools.ts'

export interface McpEndpointDeps extends RunDeps {
  db: Pool
  catalogOf: CatalogOf
  serving: McpServing
  authenticate: Authenticate
  limit: Limit
  /** Who calls with a token that a user signed in for, if the header has one. @throws ApiError 401 */
  signedIn(authorization: string | undefined, serverId: string): Promise<{ principal: Principals['project'], userId: string }> | undefined
  /** How a client learns where its user can sign in: the header of a 401. */
  challenge(url: string, wasRefused: boolean): string
  /** The project as a caller, if it lets callers in that bring no key. */
  openProject(projectId: string): Promise<Principals['project'] | undefined>
  publicUrl: string
  version: string
  /** Every spelling that a query may use. */
  helperKeys: readonly string[]
  /** As the wire spells it. */
  helperName: string
}

/** Without a byte that the caller reads. */
const READ_MS = 60_000

interface Address { Params: { id: string, transport?: string } }

/** Below PUBLIC_URL; the group is the id. */
export const SERVER_PATH = /^\/(?:api\/v3(?:\.1)?|v3)\/mcp\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/mcp)?$/i
const ADDRESSES = ['/v3/mcp/:id', '/v3/mcp/:id/:transport', '/api/v3/mcp/:id/:transport', '/api/v3.1/mcp/:id/:transport']

/** Where MCP clients call: the same endpoint under every address that the API ever gave out. */
export function mcpEndpoint(app: FastifyInstance, deps: McpEndpointDeps): void {
  const home = new URL(deps.publicUrl)
  const serverOf = coalesce((keys: readonly { projectId: string, id: string }[]) => findMany(deps.db, keys))
  app.register(async (mcp) => {
    // The protocol has its own answer to what is no JSON.
    mcp.removeAllContentTypeParsers()
    mcp.addContentTypeParser(/^application\/json\b/, { parseAs: 'string' }, (_request, text, done) => done(null, text))
    const options = { onRequest: async ({ headers }: FastifyRequest) => checkAddress(headers, home) }
    for (const url of ADDRESSES) mcp.route<Address>({ method: ['GET', 'POST', 'DELETE'], url, ...options, handler: async (request, reply) => answer(deps, serverOf, request, reply) })
  })
}

/**
 * A page of another site must not reach a server on its visitor's machine or network: its Origin is foreign, and after rebinding its name the Host is.
 * Addresses as numbers cannot be rebound, and names without a dot are nobody else's. @throws ApiError 403
 */
function checkAddress({ origin, host = '' }: { origin?: string | undefined, host?: string | undefined }, home: URL): void {
  // A page of this very address is no other site, by whatever name it was reached that passes below.
  if (origin !== undefined && origin !== home.origin && (URL.parse(origin)?.host ?? '') !== host.toLowerCase()) throw new ApiError('Mcp_AddressRefused', 'MCP servers take no calls of pages of other sites (Origin).')
  const name = host.replace(/:\d*$/, '').toLowerCase()
  if (name === home.hostname || !name.includes('.') || isIP(name) || name.startsWith('[')) return
  throw new ApiError('Mcp_AddressRefused', 'MCP servers take no calls under this name (Host).')
}

type ServerOf = (key: { projectId: string, id: string }) => Promise<CalledServer | undefined>

async function answer(deps: McpEndpointDeps, serverOf: ServerOf, request: FastifyRequest<Address>, reply: FastifyReply): Promise<FastifyReply> {
  const { params: { id, transport = 'mcp' }, method, headers, log, id: requestId } = request
  const { principal, userId } = await callerOf(deps, request).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) reply.header('www-authenticate', deps.challenge(request.url, error.slug === 'Mcp_TokenInvalid'))
    throw error
  })
  reply.headers(deps.limit(principal.organizationId))
  if (transport === 'sse') throw new ApiError('Mcp_TransportGone', 'The transport HTTP with SSE is not spoken here.')
  const server = transport === 'mcp' ? await serverOf({ projectId: principal.projectId, id }) : undefined
  if (!server) throw new ApiError('Mcp_ServerNotFound', `MCP server ${id} not found`)
  const url = new URL(request.url, deps.publicUrl)
  const asked = askedFor(url.searchParams, deps.helperKeys, userId)
  if (userId !== undefined) await refuseOthers(deps, principal.projectId, asked.identity, userId)
  const caller: Caller = { ...principal, server, identity: asked.identity, requestId, log: log as never }
  const response = await deps.serving.serve({
    url: url.href, method, headers: webHeaders(headers), text: typeof request.body === 'string' ? request.body : '', signal: signalOf(reply.raw),
  }, await offerOf(deps, caller, asked))
  endUnread(reply.raw, READ_MS)
  // What is no stream is sent whole, with its length.
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return reply.send(response)
  return reply.code(response.status).headers(Object.fromEntries(response.headers)).send(await response.text())
}

/** A key that was sent is judged in any case, and so is a token of a user; without either, the project of the server decides. @throws ApiError 401, 403 */
async function callerOf({ db, authenticate, openProject, signedIn }: McpEndpointDeps, { params, method, headers, ip }: FastifyRequest<Address>): Promise<{ principal: Principals['project'], userId?: string }> {
  if (headers['x-api-key'] === undefined) {
    const user = signedIn(headers.authorization, params.id)
    if (user) return user
    const projectId = await projectOf(db, params.id)
    const open = projectId === undefined ? undefined : await openProject(projectId)
    if (open) return { principal: open }
  }
  return { principal: await authenticate('project', { area: 'sessions', level: method === 'GET' ? 'read' : 'write' }, { headers, ip }) as Principals['project'] }
}

/** A token acts for its user alone, whatever the address names. @throws ApiError 403 */
async function refuseOthers({ accountsById }: McpEndpointDeps, projectId: string, { users, accounts }: Asked['identity'], userId: string): Promise<void> {
  const named = accounts.length ? await accountsById(projectId, accounts) : []
  if (users.some((user) => user !== userId) || accounts.some((id) => named.find((one) => one.id === id)?.user_id !== userId)) throw new ApiError('Mcp_OtherUser', 'The address names another user, or an account of another user, than the one who signed in.')
}

async function offerOf(deps: McpEndpointDeps, caller: Caller, { helper, dialect, identity }: Asked): Promise<McpOffer> {
  const { server, projectId } = caller
  const catalog = await deps.catalogOf(projectId)
  const tools = toolsOf(catalog, server)
  const hasHelper = helper && identity.users.length === 1
  return {
    name: server.name, version: deps.version, scope: JSON.stringify([projectId, server.id, identity]),
    instructions: `Tools of ${server.all_toolkits.map((slug) => catalog.toolkit(slug)?.name ?? slug).join(', ') || 'no application yet'}.`,
    async list(cursor) {
      const page = tools.list(cursor, dialect)
      return hasHelper && cursor === undefined ? { ...page, tools: [helperTool(deps.helperName), ...page.tools] } : page
    },
    async call(name, args, signal) {
      if (hasHelper && name.toUpperCase() === deps.helperName) return manageConnections(deps, caller, catalog, args)
      const found = tools.find(name)
      return found && runTool(deps, caller, found, args, signal)
    },
  }
}

function webHeaders(headers: FastifyRequest['headers']): Headers {
  const web = new Headers()
  // The body is handed over parsed; its length would be that of none.
  for (const [name, value] of Object.entries(headers)) if (value !== undefined && name !== 'content-length' && name !== 'connection') web.set(name, Array.isArray(value) ? value.join(', ') : value)
  return web
}

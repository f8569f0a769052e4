import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CatalogOf } from '../../catalog/index.ts'
import { coalesce } from '../../platform/db/coalesce.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Authenticate, Limit, Principals } from '../../platform/http/call.ts'
import { signalOf } from '../../platform/http/gone.ts'
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
  /** The project as a caller, if it lets callers in that bring no key. */
  openProject(projectId: string): Promise<Principals['project'] | undefined>
  publicUrl: string
  version: string
  /** Every spelling that a query may use. */
  helperKeys: readonly string[]
  /** As the wire spells it. */
  helperName: string
}

interface Address { Params: { id: string, transport?: string } }

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
  const principal = await principalOf(deps, request)
  reply.headers(deps.limit(principal.organizationId))
  if (transport === 'sse') throw new ApiError('Mcp_TransportGone', 'The transport HTTP with SSE is not spoken here.')
  const server = transport === 'mcp' ? await serverOf({ projectId: principal.projectId, id }) : undefined
  if (!server) throw new ApiError('Mcp_ServerNotFound', `MCP server ${id} not found`)
  const url = new URL(request.url, deps.publicUrl)
  const asked = askedFor(url.searchParams, deps.helperKeys)
  const caller: Caller = { ...principal, server, identity: asked.identity, requestId, log: log as never }
  const response = await deps.serving.serve({
    url: url.href, method, headers: webHeaders(headers), text: typeof request.body === 'string' ? request.body : '', signal: signalOf(reply.raw),
  }, await offerOf(deps, caller, asked))
  // What is no stream is sent whole, with its length.
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return reply.send(response)
  return reply.code(response.status).headers(Object.fromEntries(response.headers)).send(await response.text())
}

/** A key that was sent is judged in any case; without one, the project of the server decides. @throws ApiError 401, 403 */
async function principalOf({ db, authenticate, openProject }: McpEndpointDeps, { params, method, headers, ip }: FastifyRequest<Address>): Promise<Principals['project']> {
  if (headers['x-api-key'] === undefined) {
    const projectId = await projectOf(db, params.id)
    const open = projectId === undefined ? undefined : await openProject(projectId)
    if (open) return open
  }
  return await authenticate('project', { area: 'sessions', level: method === 'GET' ? 'read' : 'write' }, { headers, ip }) as Principals['project']
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Catalog, CatalogOf } from '../../../catalog/index.ts'
import { batchCalls } from '../../../platform/db/batch.ts'
import type { ConfirmedCache } from '../../../platform/db/confirmed-cache.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { parseInSlices } from '../../../platform/http/turns/parse-in-slices.ts'
import { type McpAccess, authenticateMcpCaller } from '../../../platform/mcp/server/authenticate-caller.ts'
import { type McpRouteDeps, registerMcpRoutes } from '../../../platform/mcp/server/http-routes.ts'
import type { McpServerContext } from '../../../platform/mcp/server/context.ts'
import { manageConnectionsTool, manageServerConnections } from './manage-connections-tool.ts'
import { type EndpointParameters, readEndpointParameters } from './url-parameters.ts'
import { type McpCaller, type RunToolDeps, runTool } from './run-tool.ts'
import { type CallableServer, findMany, findProjectId } from '../store.ts'
import { offeredToolkits, serverTools } from './tool-list.ts'

export interface McpEndpointDeps extends RunToolDeps, McpRouteDeps, Omit<McpAccess, 'projectOf'> {
  db: Pool
  /** The servers of each project, by id. */
  servers: ConfirmedCache<CallableServer>
  catalogOf: CatalogOf
  version: string
  /** Names of the query parameter that adds the tool for connections. */
  connectionToolParameters: readonly string[]
  /** The slug of the tool for connections on the wire. */
  connectionToolName: string
}

interface EndpointParams {
  id: string
  transport?: string
}

/** Matches the path of an MCP server below PUBLIC_URL. The group is the id. */
export const MCP_SERVER_PATH =
  /^\/(?:api\/v3(?:\.1)?|v3)\/mcp\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/mcp)?$/i
const ENDPOINT_PATHS = [
  '/v3/mcp/:id',
  '/v3/mcp/:id/:transport',
  '/api/v3/mcp/:id/:transport',
  '/api/v3.1/mcp/:id/:transport',
]

/** Registers the MCP endpoint of servers, under every URL that any version of the API returned. */
export function mcpEndpoint(app: FastifyInstance, deps: McpEndpointDeps): void {
  const loadServer = createServerLoader(deps)
  registerMcpRoutes<EndpointParams>(app, deps, ENDPOINT_PATHS, (request, reply, url) =>
    openServerContext(deps, loadServer, request, reply, url),
  )
}

/** Reads a server, unless it is cached and has not changed. Concurrent calls share statements. */
function createServerLoader({ db, servers }: McpEndpointDeps): LoadServer {
  const load = batchCalls((keys: readonly { projectId: string; id: string }[]) => findMany(db, keys))
  return async ({ projectId, id }) => {
    const cached = await servers.find(projectId, id)
    if (cached) return cached
    const add = servers.prepareAdd()
    const server = await load({ projectId, id })
    if (server) add(projectId, id, server)
    return server
  }
}

type LoadServer = (key: { projectId: string; id: string }) => Promise<CallableServer | undefined>

async function openServerContext(
  deps: McpEndpointDeps,
  loadServer: LoadServer,
  request: FastifyRequest<{ Params: EndpointParams }>,
  reply: FastifyReply,
  url: URL,
): Promise<McpServerContext> {
  const {
    params: { id, transport = 'mcp' },
    log,
    id: requestId,
  } = request
  const { principal, userId, authorizeCalls } = await authenticateMcpCaller(
    { ...deps, projectOf: (server) => findProjectId(deps.db, server) },
    request,
    reply,
    { id, area: 'sessions' },
  )
  if (transport === 'sse')
    throw new ApiError(
      'Mcp_TransportGone',
      'The HTTP with SSE transport is not supported. Use the Streamable HTTP transport.',
    )
  const server = transport === 'mcp' ? await loadServer({ projectId: principal.projectId, id }) : undefined
  if (!server) throw new ApiError('Mcp_ServerNotFound', `MCP server ${id} not found`)
  const parameters = readEndpointParameters(url.searchParams, deps.connectionToolParameters, userId)
  if (userId !== undefined) await rejectOtherUsers(deps, principal.projectId, parameters.identity, userId)
  return serverContext(
    deps,
    { ...principal, server, identity: parameters.identity, requestId, log: log as never },
    parameters,
    authorizeCalls,
  )
}

/** Rejects a URL for another user than the user of the access token. @throws ApiError 403 */
async function rejectOtherUsers(
  { findAccounts }: McpEndpointDeps,
  projectId: string,
  { users, accounts }: EndpointParameters['identity'],
  userId: string,
): Promise<void> {
  const accountRows = accounts.length ? await findAccounts(projectId, accounts) : []
  if (
    users.some((user) => user !== userId) ||
    accounts.some((id) => accountRows.find((account) => account.id === id)?.user_id !== userId)
  )
    throw new ApiError(
      'Mcp_OtherUser',
      'The URL is for another user, or for an account of another user, than the one who signed in.',
    )
}

async function serverContext(
  deps: McpEndpointDeps,
  request: McpCaller,
  { hasConnectionTool: isRequested, schemaFormat, identity }: EndpointParameters,
  authorizeCalls: McpServerContext['authorizeCalls'],
): Promise<McpServerContext> {
  const catalog = await deps.catalogOf(request.projectId)
  const { server, tools, instructions } = offerOf(catalog, request.server)
  const caller: McpCaller = { ...request, server }
  const { projectId } = caller
  const hasConnectionTool = isRequested && identity.users.length === 1
  return {
    projectId,
    name: server.name,
    version: deps.version,
    scope: JSON.stringify([projectId, server.id, identity]),
    instructions,
    authorizeCalls,
    async list(cursor) {
      const page = tools.list(cursor, schemaFormat)
      return hasConnectionTool && cursor === undefined
        ? { ...page, tools: [manageConnectionsTool(deps.connectionToolName), ...page.tools] }
        : page
    },
    async call(name, args, signal) {
      if (hasConnectionTool && name.toUpperCase() === deps.connectionToolName)
        return manageServerConnections(deps, caller, catalog, await parseInSlices(args))
      const resolvedTool = tools.find(name)
      return resolvedTool && runTool(deps, caller, resolvedTool, args, signal)
    },
  }
}

/** What a server offers in one catalogue. */
interface ServerOffer {
  readonly catalog: Catalog
  readonly server: CallableServer
  readonly tools: ReturnType<typeof serverTools>
  readonly instructions: string
}

/** Cached servers serve many requests. */
const offers = new WeakMap<CallableServer, ServerOffer>()

function offerOf(catalog: Catalog, stored: CallableServer): ServerOffer {
  const known = offers.get(stored)
  if (known?.catalog === catalog) return known
  const server = { ...stored, all_toolkits: offeredToolkits(catalog, stored) }
  const names = server.all_toolkits.map((slug) => catalog.toolkit(slug)?.name ?? slug).join(', ')
  const instructions = `Tools of ${names || 'no application yet'}.`
  const offer = { catalog, server, tools: serverTools(catalog, server), instructions }
  offers.set(stored, offer)
  return offer
}

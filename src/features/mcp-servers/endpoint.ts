import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CatalogOf } from '../../catalog/index.ts'
import { coalesce } from '../../platform/db/coalesce.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { type DoorDeps, type Gate, letIn, mcpDoor } from '../../platform/mcp/door.ts'
import type { McpOffer } from '../../platform/mcp/serve.ts'
import { helperTool, manageConnections } from './helper.ts'
import { type Asked, askedFor } from './identity.ts'
import { type Caller, type RunDeps, runTool } from './run.ts'
import { type CalledServer, findMany, projectOf } from './store.ts'
import { toolsOf } from './tools.ts'

export interface McpEndpointDeps extends RunDeps, DoorDeps, Omit<Gate, 'projectOf'> {
  db: Pool
  catalogOf: CatalogOf
  version: string
  /** Every spelling that a query may use. */
  helperKeys: readonly string[]
  /** As the wire spells it. */
  helperName: string
}

interface Address {
  id: string
  transport?: string
}

/** Below PUBLIC_URL; the group is the id. */
export const SERVER_PATH =
  /^\/(?:api\/v3(?:\.1)?|v3)\/mcp\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/mcp)?$/i
const ADDRESSES = [
  '/v3/mcp/:id',
  '/v3/mcp/:id/:transport',
  '/api/v3/mcp/:id/:transport',
  '/api/v3.1/mcp/:id/:transport',
]

/** Where MCP clients call: the same endpoint under every address that the API ever gave out. */
export function mcpEndpoint(app: FastifyInstance, deps: McpEndpointDeps): void {
  const serverOf = coalesce((keys: readonly { projectId: string; id: string }[]) => findMany(deps.db, keys))
  mcpDoor<Address>(app, deps, ADDRESSES, (request, reply, url) =>
    offered(deps, serverOf, request, reply, url),
  )
}

type ServerOf = (key: { projectId: string; id: string }) => Promise<CalledServer | undefined>

async function offered(
  deps: McpEndpointDeps,
  serverOf: ServerOf,
  request: FastifyRequest<{ Params: Address }>,
  reply: FastifyReply,
  url: URL,
): Promise<McpOffer> {
  const {
    params: { id, transport = 'mcp' },
    log,
    id: requestId,
  } = request
  const { principal, userId } = await letIn(
    { ...deps, projectOf: (server) => projectOf(deps.db, server) },
    request,
    reply,
    id,
  )
  if (transport === 'sse')
    throw new ApiError('Mcp_TransportGone', 'The transport HTTP with SSE is not spoken here.')
  const server = transport === 'mcp' ? await serverOf({ projectId: principal.projectId, id }) : undefined
  if (!server) throw new ApiError('Mcp_ServerNotFound', `MCP server ${id} not found`)
  const asked = askedFor(url.searchParams, deps.helperKeys, userId)
  if (userId !== undefined) await refuseOthers(deps, principal.projectId, asked.identity, userId)
  return offerOf(
    deps,
    { ...principal, server, identity: asked.identity, requestId, log: log as never },
    asked,
  )
}

/** A token acts for its user alone, whatever the address names. @throws ApiError 403 */
async function refuseOthers(
  { accountsById }: McpEndpointDeps,
  projectId: string,
  { users, accounts }: Asked['identity'],
  userId: string,
): Promise<void> {
  const named = accounts.length ? await accountsById(projectId, accounts) : []
  if (
    users.some((user) => user !== userId) ||
    accounts.some((id) => named.find((one) => one.id === id)?.user_id !== userId)
  )
    throw new ApiError(
      'Mcp_OtherUser',
      'The address names another user, or an account of another user, than the one who signed in.',
    )
}

async function offerOf(
  deps: McpEndpointDeps,
  caller: Caller,
  { helper, dialect, identity }: Asked,
): Promise<McpOffer> {
  const { server, projectId } = caller
  const catalog = await deps.catalogOf(projectId)
  const tools = toolsOf(catalog, server)
  const hasHelper = helper && identity.users.length === 1
  return {
    name: server.name,
    version: deps.version,
    scope: JSON.stringify([projectId, server.id, identity]),
    instructions: `Tools of ${server.all_toolkits.map((slug) => catalog.toolkit(slug)?.name ?? slug).join(', ') || 'no application yet'}.`,
    async list(cursor) {
      const page = tools.list(cursor, dialect)
      return hasHelper && cursor === undefined
        ? { ...page, tools: [helperTool(deps.helperName), ...page.tools] }
        : page
    },
    async call(name, args, signal) {
      if (hasHelper && name.toUpperCase() === deps.helperName)
        return manageConnections(deps, caller, catalog, args)
      const found = tools.find(name)
      return found && runTool(deps, caller, found, args, signal)
    },
  }
}

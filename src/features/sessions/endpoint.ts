import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { compileFor, type DialectName, type FoundTool } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { toApiError } from '../../platform/http/failures.ts'
import type { Db } from '../../platform/db/sql.ts'
import { type DoorDeps, type Gate, letIn, mcpDoor } from '../../platform/mcp/door.ts'
import {
  BadCursor,
  type McpOffer,
  type McpOutcome,
  type McpTool,
  type McpVisit,
} from '../../platform/mcp/serve.ts'
import { annotationsOf, approvalAt, asListed, dialectIn } from '../mcp-servers/index.ts'
import { listedMetaTools, type MetaTool } from './meta.ts'
import { isPreloaded, preloadedTools } from './preloaded.ts'
import { assistivePrompt } from './prompt.ts'
import { type MetaDeps, metaSlug, runMeta } from './run-meta.ts'
import { openScope, type ScopeDeps, type SessionScope } from './scope.ts'
import type { SessionService } from './service.ts'
import { projectOf } from './store.ts'

export interface SessionEndpointDeps extends ScopeDeps, MetaDeps, DoorDeps, Omit<Gate, 'projectOf'> {
  db: Db
  service: SessionService
  version: string
}

/** Below PUBLIC_URL; the group is the id. */
export const SESSION_PATH = /^\/tool_router\/(?:v3\/)?(trs_[A-Za-z0-9_-]{1,64})\/mcp$/
const ADDRESSES = ['/tool_router/:id/mcp', '/tool_router/v3/:id/mcp']
const TOOLS_A_PAGE = 100

/** Where MCP clients reach sessions: by the door that MCP servers have too. Nothing is remembered between requests. */
export function sessionEndpoint(app: FastifyInstance, deps: SessionEndpointDeps): void {
  mcpDoor<{ id: string }>(app, deps, ADDRESSES, (request, reply, url) => offered(deps, request, reply, url))
}

async function offered(
  deps: SessionEndpointDeps,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  url: URL,
): Promise<McpOffer> {
  const {
    params: { id },
    log,
    id: requestId,
  } = request
  const { principal, userId } = await letIn(
    { ...deps, projectOf: (session) => projectOf(deps.db, session) },
    request,
    reply,
    id,
  )
  const row = await deps.service.use(principal.projectId, id)
  // The session says who its user is; a token is that user's, or of no use here.
  if (userId !== undefined && userId !== row.user_id)
    throw new ApiError('Mcp_OtherUser', 'The session is of another user than the one who signed in.')
  const scope = await openScope(
    deps,
    { ...principal, requestId, log: log as never, source: { source: 'mcp' } },
    row,
  )
  return offerOf(deps, scope, dialectIn(url.searchParams))
}

function offerOf(deps: SessionEndpointDeps, scope: SessionScope, dialect: DialectName | undefined): McpOffer {
  const meta = listedMetaTools(deps.metaTools, scope.config)
  return {
    name: deps.spell('service'),
    version: deps.version,
    scope: JSON.stringify([scope.projectId, scope.sessionId]),
    instructions: assistivePrompt(scope.config, meta, deps.spell, new Date(deps.clock.now())),
    list: async (cursor) => list(deps, scope, meta, cursor, dialect),
    async call(name, args, signal) {
      const slug = metaSlug(deps, name)
      if (slug) return callMeta(deps, scope, slug, args, signal)
      const found = scope.find(name)
      return found && callTool(deps, scope, found, args, signal)
    },
  }
}

/** Meta tools, then the preloaded ones in the order of their names; the cursor is the last name of the page before, so pages do not shift when tools come and go. @throws BadCursor */
function list(
  deps: SessionEndpointDeps,
  scope: SessionScope,
  meta: readonly MetaTool[],
  cursor: string | undefined,
  dialect: DialectName | undefined,
): { tools: McpTool[]; nextCursor?: string } {
  const after = cursor === undefined ? '' : readCursor(cursor)
  const tools = preloadedTools(scope).filter(({ tool }) => tool.slug > after)
  const first = cursor === undefined ? meta.map((tool) => metaListed(deps, scope, tool, dialect)) : []
  const page = tools.slice(0, TOOLS_A_PAGE - first.length)
  return {
    tools: [...first, ...page.flatMap((found) => asListed(found, dialect) ?? [])],
    ...(tools.length > page.length
      ? { nextCursor: Buffer.from(page.at(-1)!.tool.slug).toString('base64url') }
      : {}),
  }
}

function readCursor(cursor: string): string {
  const slug = Buffer.from(cursor.slice(0, 200), 'base64url').toString('latin1')
  if (!/^[A-Z0-9_-]{1,64}$/.test(slug)) throw new BadCursor()
  return slug
}

function metaListed(
  { spell }: SessionEndpointDeps,
  { config }: SessionScope,
  tool: MetaTool,
  dialect: DialectName | undefined,
): McpTool {
  const input = tool.input(config)
  const compiled = dialect && compileFor(tool.slug, input, dialect)
  return {
    name: spell(tool.slug),
    title: tool.name,
    description: tool.description(config),
    inputSchema: compiled && 'schema' in compiled ? compiled.schema : input,
    annotations: annotationsOf(tool),
  }
}

/** Undefined where the session does not offer the tool: then there is none of the name. */
async function callMeta(
  deps: SessionEndpointDeps,
  scope: SessionScope,
  slug: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<McpOutcome | undefined> {
  try {
    const { data, error, visit, logId } = await runMeta(deps, scope, slug, args, { signal })
    return outcome({ successful: error === null, data, error, log_id: logId }, visit)
  } catch (thrown) {
    const failure = toApiError(thrown)
    if (failure.slug === 'ToolRouterV2_MetaToolDisabled') return undefined
    return failed(scope, failure)
  }
}

/** Only what is listed is called by its own name; what else the session shows is told where it can be called. */
async function callTool(
  deps: SessionEndpointDeps,
  scope: SessionScope,
  { tool, toolkit }: FoundTool,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<McpOutcome> {
  if (!isPreloaded(scope, tool)) {
    const batch = listedMetaTools(deps.metaTools, scope.config).find(
      ({ slug }) => slug === 'SERVICE_MULTI_EXECUTE_TOOL',
    )
    return outcome({
      successful: false,
      data: {},
      error: batch
        ? `${tool.slug} is not listed here; run it with ${deps.spell(batch.slug)}.`
        : `${tool.slug} is not preloaded in this session.`,
      log_id: null,
    })
  }
  try {
    const { data, error, successful, logId, held } = await scope.execute(tool.slug, args, { signal })
    return outcome({ successful, data, error, log_id: logId }, held && approvalAt(tool.name, data))
  } catch (thrown) {
    const failure = toApiError(thrown)
    return failure.slug === 'ToolRouterV2_NoActiveConnection' && scope.config.manage_connections.enable
      ? connectionNeeded(scope, toolkit.slug, failure)
      : failed(scope, failure)
  }
}

/** The text has the address on which the user connects. */
async function connectionNeeded(scope: SessionScope, toolkit: string, needed: ApiError): Promise<McpOutcome> {
  try {
    const { redirectUrl, connectedAccountId } = await scope.link(toolkit)
    const visit = {
      id: connectedAccountId,
      message: `${needed.message} Connect it here, then let the tool be called again.`,
      url: redirectUrl,
    }
    return outcome(
      {
        successful: false,
        data: { redirect_url: redirectUrl, connected_account_id: connectedAccountId },
        error: `${needed.message} Show the user this link, and call the tool again when it has been followed: ${redirectUrl}`,
        log_id: null,
      },
      visit,
    )
  } catch {
    return failed(scope, needed)
  }
}

function failed({ caller: { requestId, log } }: SessionScope, failure: ApiError): McpOutcome {
  if (failure.status >= 500 && !failure.slug.startsWith('ActionExecute_'))
    log.error({ err: failure.cause ?? failure, request_id: requestId }, failure.slug)
  const { error } = failure.toEnvelope(requestId)
  return outcome({
    successful: false,
    data: {},
    error: [error.message, ...error.errors.filter((one) => one !== error.message), error.suggested_fix].join(
      ' ',
    ),
    log_id: null,
  })
}

const outcome = (
  structured: {
    successful: boolean
    data: Record<string, unknown>
    error: string | null
    log_id: string | null
  },
  visit?: McpVisit,
): McpOutcome => ({ structured, isError: !structured.successful, visit })

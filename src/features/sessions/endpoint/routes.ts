import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { compileForFormat, type SchemaFormatName, type ResolvedTool } from '../../../catalog/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { toApiError } from '../../../platform/http/server/api-errors.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { type McpAccess, authenticateMcpCaller } from '../../../platform/mcp/server/authenticate-caller.ts'
import { type McpRouteDeps, registerMcpRoutes } from '../../../platform/mcp/server/http-routes.ts'
import type { McpOutcome, McpServerContext, McpTool } from '../../../platform/mcp/server/context.ts'
import {
  approvalVisit,
  connectOutcome,
  decodeToolCursor,
  encodeToolCursor,
  failedOutcome,
  presentMcpTool,
  readSchemaFormat,
  rejectedOutcome,
  toMcpOutcome,
  toolAnnotations,
} from '../../mcp-servers/index.ts'
import { listedMetaTools, type MetaTool } from '../meta-tools/meta-tool.ts'
import { isPreloaded, preloadedTools } from '../scope/preloaded-tools.ts'
import { assistivePrompt } from './assistive-prompt.ts'
import { type MetaToolRunDeps, metaToolSlug, runMetaTool } from '../meta-tools/run-meta-tool.ts'
import { openScope, type SessionScopeDeps, type SessionScope } from '../scope/scope.ts'
import type { SessionService } from '../service.ts'
import { findProjectId } from '../store.ts'

export interface SessionEndpointDeps
  extends SessionScopeDeps, MetaToolRunDeps, McpRouteDeps, Omit<McpAccess, 'projectOf'> {
  db: Db
  service: SessionService
  version: string
}

/** Matches the path of a session below PUBLIC_URL. The group is the id. */
export const SESSION_MCP_PATH = /^\/tool_router\/(?:v3\/)?(trs_[A-Za-z0-9_-]{1,64})\/mcp$/
const ENDPOINT_PATHS = ['/tool_router/:id/mcp', '/tool_router/v3/:id/mcp']
const TOOLS_PER_PAGE = 100

/** Registers the MCP endpoint of sessions. It keeps no state between requests. */
export function sessionEndpoint(app: FastifyInstance, deps: SessionEndpointDeps): void {
  registerMcpRoutes<{ id: string }>(app, deps, ENDPOINT_PATHS, (request, reply, url) =>
    openSessionContext(deps, request, reply, url),
  )
}

async function openSessionContext(
  deps: SessionEndpointDeps,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  url: URL,
): Promise<McpServerContext> {
  const {
    params: { id },
    log,
    id: requestId,
  } = request
  const { principal, userId, authorizeCalls } = await authenticateMcpCaller(
    { ...deps, projectOf: (session) => findProjectId(deps.db, session) },
    request,
    reply,
    { id, area: 'sessions' },
  )
  const row = await deps.service.readAndTouch(principal.projectId, id)
  // A session has exactly one user, so the token of another user is rejected.
  if (userId !== undefined && userId !== row.user_id)
    throw new ApiError('Mcp_OtherUser', 'The session belongs to another user than the one who signed in.')
  const scope = await openScope(
    deps,
    { ...principal, requestId, log: log as never, source: { source: 'mcp' } },
    row,
  )
  return sessionContext(deps, scope, readSchemaFormat(url.searchParams), authorizeCalls)
}

function sessionContext(
  deps: SessionEndpointDeps,
  scope: SessionScope,
  schemaFormat: SchemaFormatName | undefined,
  authorizeCalls: McpServerContext['authorizeCalls'],
): McpServerContext {
  const metaToolList = listedMetaTools(deps.metaTools, scope.config)
  return {
    projectId: scope.projectId,
    name: deps.toWireName('service'),
    version: deps.version,
    scope: JSON.stringify([scope.projectId, scope.sessionId]),
    instructions: assistivePrompt(scope.config, metaToolList, deps.toWireName, new Date(deps.clock.now())),
    authorizeCalls,
    list: async (cursor) => listTools(deps, scope, metaToolList, cursor, schemaFormat),
    async call(name, args, signal) {
      const slug = metaToolSlug(deps, name)
      if (slug) return callMetaTool(deps, scope, slug, args, signal)
      const resolvedTool = scope.find(name)
      return resolvedTool && callTool(deps, scope, resolvedTool, args, signal)
    },
  }
}

/**
 * Lists the meta tools, then the preloaded tools by name. The cursor is the last name of the previous page, so that
 * pages stay stable when tools are added or removed.
 * @throws InvalidCursor
 */
function listTools(
  deps: SessionEndpointDeps,
  scope: SessionScope,
  metaToolList: readonly MetaTool[],
  cursor: string | undefined,
  schemaFormat: SchemaFormatName | undefined,
): { tools: McpTool[]; nextCursor?: string } {
  const after = cursor === undefined ? '' : decodeToolCursor(cursor)
  const tools = preloadedTools(scope).filter(({ tool }) => tool.slug > after)
  const first =
    cursor === undefined
      ? metaToolList.map((tool) => presentMcpMetaTool(deps, scope, tool, schemaFormat))
      : []
  const page = tools.slice(0, TOOLS_PER_PAGE - first.length)
  return {
    tools: [...first, ...page.flatMap((resolvedTool) => presentMcpTool(resolvedTool, schemaFormat) ?? [])],
    ...(tools.length > page.length ? { nextCursor: encodeToolCursor(page.at(-1)!.tool.slug) } : {}),
  }
}

function presentMcpMetaTool(
  { toWireName }: SessionEndpointDeps,
  { config }: SessionScope,
  tool: MetaTool,
  schemaFormat: SchemaFormatName | undefined,
): McpTool {
  const input = tool.input(config)
  const compiled = schemaFormat && compileForFormat(tool.slug, input, schemaFormat)
  return {
    name: toWireName(tool.slug),
    title: tool.name,
    description: tool.description(config),
    inputSchema: compiled && 'schema' in compiled ? compiled.schema : input,
    annotations: toolAnnotations(tool),
  }
}

/** Runs a meta tool. Returns undefined if the session does not have it. */
async function callMetaTool(
  deps: SessionEndpointDeps,
  scope: SessionScope,
  slug: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<McpOutcome | undefined> {
  try {
    const { data, error, visit, logId } = await runMetaTool(deps, scope, slug, args, { signal })
    return toMcpOutcome({ successful: error === null, data, error, log_id: logId }, visit)
  } catch (thrown) {
    const failure = toApiError(thrown)
    if (failure.slug === 'ToolRouterV2_MetaToolDisabled') return undefined
    return failedOutcome(scope.caller, failure)
  }
}

/** Runs a preloaded tool. For another tool of the session, the error names the meta tool that can call it. */
async function callTool(
  deps: SessionEndpointDeps,
  scope: SessionScope,
  { tool, toolkit }: ResolvedTool,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<McpOutcome> {
  if (!isPreloaded(scope, tool)) {
    const batch = listedMetaTools(deps.metaTools, scope.config).find(
      ({ slug }) => slug === 'SERVICE_MULTI_EXECUTE_TOOL',
    )
    return rejectedOutcome(
      batch
        ? `${tool.slug} is not in the tool list. Run it with ${deps.toWireName(batch.slug)}.`
        : `${tool.slug} is not preloaded in this session.`,
    )
  }
  try {
    const { data, error, successful, logId, isWithheld } = await scope.execute(tool.slug, args, { signal })
    return toMcpOutcome(
      { successful, data, error, log_id: logId },
      isWithheld ? approvalVisit(tool.name, data) : undefined,
    )
  } catch (thrown) {
    const failure = toApiError(thrown)
    return failure.slug === 'ToolRouterV2_NoActiveConnection' && scope.config.manage_connections.enable
      ? connectionNeeded(scope, toolkit.slug, failure)
      : failedOutcome(scope.caller, failure)
  }
}

async function connectionNeeded(
  scope: SessionScope,
  toolkit: string,
  failure: ApiError,
): Promise<McpOutcome> {
  try {
    return connectOutcome(failure.message, await scope.link(toolkit))
  } catch {
    return failedOutcome(scope.caller, failure)
  }
}

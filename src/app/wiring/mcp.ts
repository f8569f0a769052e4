import { enabledAuthConfigs, listToolAccess } from '../../features/auth-configs/index.ts'
import {
  authConfigsWithActiveAccount,
  createConnectLink,
  deleteUserAccounts,
  findAccountsByIds,
  listUserAccounts,
} from '../../features/connected-accounts/index.ts'
import {
  authenticateToken,
  challengeHeaders,
  createProjectProviders,
  createProofNonces,
  type McpAuthorizationDeps,
  mcpAuthorizationRoutes,
  mcpAuthorizationSchedules,
  mcpOAuthRoutes,
  removeUserGrants,
  type ResourceKind,
} from '../../features/mcp-authorization/index.ts'
import {
  type CallableServer,
  MCP_SERVER_PATH,
  mcpEndpoint,
  mcpServerRoutes,
  serverResource,
} from '../../features/mcp-servers/index.ts'
import { findMcpProject } from '../../features/projects/index.ts'
import { SESSION_MCP_PATH, sessionResource } from '../../features/sessions/index.ts'
import { publishChange } from '../../platform/change-bus.ts'
import { ConfirmedCache } from '../../platform/db/confirmed-cache.ts'
import type { McpHttpRequest } from '../../platform/mcp/server/authenticate-caller.ts'
import { createMcpServing } from '../../platform/mcp/server/serve.ts'
import type { ApiError } from '../../platform/http/api-error.ts'
import type { AccountsPart } from './accounts.ts'
import type { ExecutionPart } from './execution.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'
import type { ToolkitsPart } from './toolkits.ts'

const MCP_PROJECTS_MAX = 1_000
const MCP_SERVERS_TTL_MS = 60_000

export type McpPart = ReturnType<typeof wireMcp>

/** MCP servers, and the sign-in of users at MCP clients. */
export function wireMcp(
  platform: PlatformPart,
  httpPart: HttpPart,
  toolkits: ToolkitsPart,
  accounts: AccountsPart,
  execution: ExecutionPart,
) {
  const serving = wireServing(platform)
  const accessFor = wireAuthorization(platform, httpPart, toolkits)
  wireServers(platform, httpPart, toolkits, accounts)
  wireEndpoint({ platform, httpPart, toolkits, accounts, execution, serving, accessFor })
  return { serving, accessFor, schedules: mcpAuthorizationSchedules({ db: platform.db }) }
}

/** Serves MCP messages. A call that runs in another process is cancelled there. */
function wireServing({ db, log, changes, tracing }: PlatformPart) {
  const serving = createMcpServing(
    (callId) =>
      void publishChange(db, { kind: 'mcp_call_cancelled', callId }).catch((error: unknown) =>
        log.debug({ err: error }, 'a cancellation could not be reported to the other processes'),
      ),
    tracing,
  )
  changes.on('mcp_call_cancelled', ({ callId }) => serving.cancel(callId))
  return serving
}

function wireAuthorization(
  { db, egress, egressOf, encryptor, clock, log, publicUrl }: PlatformPart,
  { api, http, authenticator, authenticate, rateLimit }: HttpPart,
  { catalogOf }: ToolkitsPart,
) {
  const deps: McpAuthorizationDeps = {
    db,
    egress,
    encryptor,
    clock,
    nonces: createProofNonces({ encryptor, clock }),
    providers: createProjectProviders({ db, egressOf, encryptor, clock }),
    log,
    publicUrl,
    authenticate: authenticator.authenticate,
    findProject: (projectId) => findMcpProject(db, projectId),
    resourceKinds: [
      { kind: 'mcp_server', path: MCP_SERVER_PATH, find: (id) => serverResource({ db, catalogOf }, id) },
      { kind: 'session', path: SESSION_MCP_PATH, find: (id) => sessionResource({ db, catalogOf }, id) },
    ],
  }
  mcpOAuthRoutes(http, deps)
  mcpAuthorizationRoutes(api, deps)
  return (kind: ResourceKind['kind']) => ({
    authenticate,
    limit: rateLimit.limit,
    challenge: (request: McpHttpRequest, error: ApiError) => challengeHeaders(deps, request, error),
    openProject: async (projectId: string) => {
      const project = await findMcpProject(db, projectId)
      return project?.needsKey === false ? project.principal : undefined
    },
    signedInUser: (request: McpHttpRequest, id: string) => authenticateToken(deps, request, { kind, id }),
  })
}

function wireServers(
  { db, brand, publicUrl }: PlatformPart,
  { api }: HttpPart,
  { catalogOf, logo }: ToolkitsPart,
  { accountDepsOf }: AccountsPart,
): void {
  mcpServerRoutes(api, {
    db,
    catalogOf,
    publicUrl,
    logo,
    connectionToolParameter: brand.toWire('include_service_helper_actions'),
    findConnectedAuthConfigs: authConfigsWithActiveAccount,
    findAuthConfigs: (projectId, ids) => listToolAccess(db, projectId, ids),
    removeGrants: (tx, projectId, id, userId) =>
      removeUserGrants(tx, projectId, { kind: 'mcp_server', id }, userId),
    removeAccounts: async (tx, projectId, userId, ids) =>
      deleteUserAccounts(await accountDepsOf(projectId), tx, projectId, userId, ids),
  })
}

function wireEndpoint(parts: {
  platform: PlatformPart
  httpPart: HttpPart
  toolkits: ToolkitsPart
  accounts: AccountsPart
  execution: ExecutionPart
  serving: ReturnType<typeof wireServing>
  accessFor: ReturnType<typeof wireAuthorization>
}): void {
  const { db, brand, publicUrl, version } = parts.platform
  mcpEndpoint(parts.httpPart.http, {
    db,
    servers: followMcpServers(parts.platform),
    catalogOf: parts.toolkits.catalogOf,
    serving: parts.serving,
    turns: parts.httpPart.turns,
    execute: parts.execution.engine.executeTool,
    ...parts.accessFor('mcp_server'),
    publicUrl,
    version,
    connectionToolName: brand.toWire('SERVICE_MANAGE_CONNECTIONS'),
    connectionToolParameters: [
      'include_service_helper_actions',
      brand.toWire('include_service_helper_actions'),
    ],
    listUserAccounts: (projectId, userId, ids) => listUserAccounts(db, projectId, userId, ids),
    findAccounts: (projectId, ids) => findAccountsByIds(db, projectId, ids),
    listAuthConfigs: (projectId, toolkit) => enabledAuthConfigs(db, projectId, toolkit),
    createConnectLink: async (projectId, [configId, ...alternatives], userId, reconnectedId) =>
      createConnectLink(await parts.accounts.accountDepsOf(projectId), projectId, configId, {
        user_id: userId,
        // An account that is reconnected keeps its auth config.
        ...(reconnectedId
          ? { connected_account_id: reconnectedId }
          : { alternative_auth_config_ids: alternatives }),
      }),
  })
}

/** The MCP servers in memory. Reports of changes remove them. */
function followMcpServers({ changes }: PlatformPart): ConfirmedCache<CallableServer> {
  const servers = new ConfirmedCache<CallableServer>({
    confirm: () => changes.confirm(),
    groupsMax: MCP_PROJECTS_MAX,
    ttlMs: MCP_SERVERS_TTL_MS,
  })
  changes.on(
    'mcp_servers_changed',
    ({ projectId }) => servers.forget(projectId),
    () => servers.forgetAll(),
  )
  // A server has the toolkits and tools of its auth configs.
  changes.on('accounts_changed', ({ projectId, userId }) => {
    if (userId === null) servers.forget(projectId)
  })
  return servers
}

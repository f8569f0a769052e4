import { createHash } from 'node:crypto'
import { LATEST_VERSION, type ResolvedTool, type Toolkit } from '../../../catalog/index.ts'
import type { ProjectSettings } from '../../../contract/projects/call-settings.ts'
import type { ExecuteTool } from '../../../engine/index.ts'
import { toApiError } from '../../../platform/http/server/api-errors.ts'
import type { Logger } from '../../../platform/log.ts'
import type { McpOutcome } from '../../../platform/mcp/server/context.ts'
import { chooseSignIns, type SignInChoice } from '../../auth-configs/index.ts'
import type { CallableServer } from '../store.ts'
import {
  type AccountChoice,
  type ChooseAccountDeps,
  chooseServerAccount,
  type MissingConnection,
} from './choose-account.ts'
import { approvalVisit, connectOutcome, failedOutcome, rejectedOutcome, toMcpOutcome } from './outcomes.ts'
import type { McpIdentity } from './url-parameters.ts'

export interface RunToolDeps extends ChooseAccountDeps {
  execute: ExecuteTool
  /** Lists the enabled auth configs of a toolkit, newest first. */
  listAuthConfigs(projectId: string, toolkit: string): Promise<readonly SignInChoice[]>
  /**
   * Creates a page on which the user connects, by one of the auth configs.
   * @param reconnectAccountId an existing account to reconnect
   */
  createConnectLink(
    projectId: string,
    configIds: readonly [string, ...string[]],
    userId: string,
    reconnectAccountId: string | undefined,
  ): Promise<{ redirect_url: string; connected_account_id: string }>
}

/** An authenticated request to an MCP server. */
export interface McpCaller {
  projectId: string
  settings: ProjectSettings
  server: CallableServer
  identity: McpIdentity
  requestId: string
  log: Logger
}

const NOT_CONNECTED = new Set<string>([
  'ActionExecute_ConnectedAccountNotFound',
  'ActionExecute_ConnectedAccountExpired',
])

/** Runs a tool of the server. Every error becomes an outcome that the model can read. */
export async function runTool(
  deps: RunToolDeps,
  caller: McpCaller,
  { tool, toolkit }: ResolvedTool,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<McpOutcome> {
  const { projectId, settings, requestId, log } = caller
  const needsNoAccount = toolkit.noAuth || tool.noAuth
  let userId: string | undefined
  try {
    const choice: AccountChoice = needsNoAccount
      ? { userId: caller.identity.users[0], accountId: undefined }
      : await chooseServerAccount(deps, caller, toolkit.slug)
    userId = choice.userId
    if (choice.missing) return await connectionNeeded(deps, caller, toolkit, userId as string, choice.missing)
    const { data, error, successful, logId, isWithheld } = await deps.execute({
      projectId,
      settings,
      requestId,
      log,
      signal,
      toolSlug: tool.slug,
      version: LATEST_VERSION,
      userId,
      connectedAccountId: choice.accountId,
      arguments: args,
      ownsArguments: true,
      source: { source: 'mcp' },
      parent: { mcpCallerId: mcpCallerId(caller) },
    })
    return toMcpOutcome(
      { successful, data, error, log_id: logId },
      isWithheld ? approvalVisit(tool.name, data) : undefined,
    )
  } catch (error) {
    const failure = toApiError(error)
    if (NOT_CONNECTED.has(failure.slug) && userId !== undefined && !caller.identity.accounts.length) {
      const configs = await deps.listAuthConfigs(projectId, toolkit.slug)
      return connectionNeeded(deps, caller, toolkit, userId, { configs, reconnectAccountId: undefined })
    }
    return failedOutcome(caller, failure)
  }
}

/**
 * Identifies the agent: one URL can name several users and accounts, and an agent may read as one and send as another.
 */
const mcpCallerId = ({ server, identity: { users, accounts } }: McpCaller): string =>
  `${server.id}:${createHash('sha256')
    .update(JSON.stringify([users, accounts]))
    .digest('base64url')}`

/** Returns a connect link for the user, if the server manages connections. */
async function connectionNeeded(
  deps: RunToolDeps,
  caller: McpCaller,
  toolkit: Toolkit,
  userId: string,
  { configs, reconnectAccountId }: MissingConnection,
): Promise<McpOutcome> {
  const reason = `${toolkit.name} is not connected for this user.`
  if (!caller.server.managed_auth)
    return rejectedOutcome(`${reason} Connect an account of the user, then call the tool again.`)
  const [first, ...others] = chooseSignIns(toolkit, configs)
  if (first === undefined)
    return rejectedOutcome(`${reason} The project has no enabled auth config for it. Create one first.`)
  try {
    const link = await deps.createConnectLink(
      caller.projectId,
      [first, ...others],
      userId,
      reconnectAccountId,
    )
    return connectOutcome(reason, {
      redirectUrl: link.redirect_url,
      connectedAccountId: link.connected_account_id,
    })
  } catch (error) {
    return failedOutcome(caller, toApiError(error))
  }
}

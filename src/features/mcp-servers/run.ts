import type { FoundTool } from '../../catalog/index.ts'
import { LATEST } from '../../catalog/index.ts'
import type { Execute } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { ProjectSettings } from '../../platform/http/call.ts'
import { toApiError } from '../../platform/http/failures.ts'
import type { Logger } from '../../platform/log.ts'
import type { McpOutcome, McpVisit } from '../../platform/mcp/serve.ts'
import type { Identity } from './identity.ts'
import type { CalledServer } from './store.ts'

/** A user's account, as far as choosing one needs it. */
export interface UserAccount {
  id: string
  user_id: string
  status: string
  toolkit_slug: string
  auth_config_id: string
  auth_config_enabled: boolean
  created_at: Date
}

export interface RunDeps {
  execute: Execute
  /** The user's accounts under auth configs, most recently connected first. */
  accountsOfUser(
    projectId: string,
    userId: string,
    configIds: readonly string[],
  ): Promise<readonly UserAccount[]>
  accountsById(projectId: string, ids: readonly string[]): Promise<readonly UserAccount[]>
  /** Enabled auth configs of a toolkit, newest first. */
  configsOf(projectId: string, toolkit: string): Promise<readonly string[]>
  /** A page on which the user connects; `again`: an account that stood. */
  link(
    projectId: string,
    configId: string,
    userId: string,
    again: string | undefined,
  ): Promise<{ redirect_url: string; connected_account_id: string }>
}

/** One request of a caller that was let in. */
export interface Caller {
  projectId: string
  settings: ProjectSettings
  server: CalledServer
  identity: Identity
  requestId: string
  log: Logger
}

/** Whom a tool runs for: the user and, where the address or the server decides it, the account. */
export interface Chosen {
  userId: string | undefined
  accountId: string | undefined
  /** Undefined: an account that works was found, or is left to the engine. */ missing?: Missing
}
/** What can be done about an account that is not there. */
export interface Missing {
  configId: string | undefined
  again: string | undefined
}

/** The account for tools of a toolkit: one that the address names, else the user's latest under the server's auth configs, else the user's latest at all. */
export async function chooseAccount(
  deps: RunDeps,
  { projectId, server, identity: { users, accounts } }: Caller,
  toolkit: string,
): Promise<Chosen> {
  const named = accounts.length
    ? (await deps.accountsById(projectId, accounts)).filter((one) => one.toolkit_slug === toolkit)
    : []
  const mine = named.find(({ user_id }) => users.includes(user_id)) ?? named[0]
  if (mine) return { userId: users.includes(mine.user_id) ? mine.user_id : users[0], accountId: mine.id }
  if (accounts.length && users.length !== 1)
    throw new ApiError(
      'ActionExecute_ConnectedAccountNotFound',
      `The address names no connected account of ${toolkit}, and not one user whose account it could be.`,
    )
  if (users.length !== 1)
    throw new ApiError(
      'ActionExecute_ConnectedAccountEntityIdRequired',
      'The address names several users; a call acts for one.',
    )
  const userId = users[0] as string
  const configs = server.configs.filter((one) => one.toolkit === toolkit)
  if (!configs.length) return { userId, accountId: undefined }
  const own = await deps.accountsOfUser(
    projectId,
    userId,
    configs.map(({ id }) => id),
  )
  const working = own.find(({ status, auth_config_enabled }) => status === 'ACTIVE' && auth_config_enabled)
  if (working) return { userId, accountId: working.id }
  const expired = own.find(({ status, auth_config_enabled }) => status === 'EXPIRED' && auth_config_enabled)
  return {
    userId,
    accountId: undefined,
    missing: {
      configId: expired?.auth_config_id ?? configs.find(({ enabled }) => enabled)?.id,
      again: expired?.id,
    },
  }
}

const NOT_CONNECTED = new Set<string>([
  'ActionExecute_ConnectedAccountNotFound',
  'ActionExecute_ConnectedAccountExpired',
])

/** Runs a tool that the server offers. Whatever fails is an outcome that the model can read. */
export async function runTool(
  deps: RunDeps,
  caller: Caller,
  { tool, toolkit }: FoundTool,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<McpOutcome> {
  const { projectId, settings, requestId, log } = caller
  const isOpen = toolkit.noAuth || tool.noAuth
  let userId: string | undefined
  try {
    const chosen: Chosen = isOpen
      ? { userId: caller.identity.users[0], accountId: undefined }
      : await chooseAccount(deps, caller, toolkit.slug)
    userId = chosen.userId
    if (chosen.missing)
      return await connectionNeeded(deps, caller, toolkit.name, userId as string, chosen.missing)
    const { data, error, successful, logId, held } = await deps.execute({
      projectId,
      settings,
      requestId,
      log,
      signal,
      toolSlug: tool.slug,
      version: LATEST,
      userId,
      connectedAccountId: chosen.accountId,
      arguments: args,
      source: { source: 'mcp' },
    })
    return outcome({ successful, data, error, log_id: logId }, held && approvalAt(tool.name, data))
  } catch (error) {
    const failure = toApiError(error)
    if (NOT_CONNECTED.has(failure.slug) && userId !== undefined && !caller.identity.accounts.length) {
      const [configId] = await deps.configsOf(projectId, toolkit.slug)
      return connectionNeeded(deps, caller, toolkit.name, userId, { configId, again: undefined })
    }
    return failed(caller, failure)
  }
}

/** Where a person decides about a call that waits for one, if the policies hand the address out. */
export function approvalAt(tool: string, data: Record<string, unknown>): McpVisit | undefined {
  // A call that a hook blocked waits for nobody.
  const { id, reason, url } = (data['approval'] ?? { id: '', reason: '' }) as {
    id: string
    reason: string
    url?: string
  }
  return url === undefined
    ? undefined
    : {
        id,
        url,
        message: `${tool} waits for your approval: ${reason}. Decide here, then let the tool be called again.`,
      }
}

/** The text has the address on which the user connects, where the server hands addresses out. */
async function connectionNeeded(
  deps: RunDeps,
  caller: Caller,
  toolkit: string,
  userId: string,
  { configId, again }: Missing,
): Promise<McpOutcome> {
  const needed = `${toolkit} is not connected for this user.`
  if (!caller.server.managed_auth)
    return outcome({
      successful: false,
      data: {},
      error: `${needed} Connect an account of the user, then call the tool again.`,
      log_id: null,
    })
  if (configId === undefined)
    return outcome({
      successful: false,
      data: {},
      error: `${needed} The project has no enabled auth config for it; create one first.`,
      log_id: null,
    })
  try {
    const { redirect_url, connected_account_id } = await deps.link(caller.projectId, configId, userId, again)
    const visit = {
      id: connected_account_id,
      message: `${needed} Connect it here, then let the tool be called again.`,
      url: redirect_url,
    }
    return outcome(
      {
        successful: false,
        data: { redirect_url, connected_account_id },
        error: `${needed} Show the user this link, and call the tool again when it has been followed: ${redirect_url}`,
        log_id: null,
      },
      visit,
    )
  } catch (error) {
    return failed(caller, toApiError(error))
  }
}

function failed({ requestId, log }: Caller, failure: ApiError): McpOutcome {
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

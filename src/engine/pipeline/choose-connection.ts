import type { ConnectionContext } from '../../auth-schemes/index.ts'
import { compiledSchemeOf, type FoundTool, namesTool } from '../../catalog/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Account, Connection, CustomConnection, EngineDeps, Execution } from '../types.ts'

/**
 * Whose credentials the tool runs with. Connection data of the call goes before its auth parameters, both before any account. An account that is not ACTIVE, not the user's, or not allowed this tool is refused.
 */
export async function chooseConnection(
  deps: EngineDeps,
  execution: Execution,
  found: FoundTool,
): Promise<Connection> {
  const { customConnection, customAuth, connectedAccountId } = execution
  if (customConnection) return { kind: 'custom', setup: customSetup(found, customConnection) }
  if (customAuth) return { kind: 'params', params: customAuth }
  if (!connectedAccountId && (found.toolkit.noAuth || found.tool.noAuth)) return { kind: 'none' }
  const account = connectedAccountId
    ? await named(deps, execution, found, connectedAccountId)
    : await picked(deps, execution, found)
  return { kind: 'account', account, setup: usable(deps, account, found) }
}

async function named(
  deps: EngineDeps,
  { projectId, userId, settings }: Execution,
  { toolkit }: FoundTool,
  id: string,
): Promise<Account> {
  const account = await deps.accounts.byId(projectId, id)
  if (!account) throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${id}" not found`)
  if (!userId && settings.checkOwner) {
    throw new ApiError(
      'ActionExecute_ConnectedAccountEntityIdRequired',
      `The call names the connected account ${id} without the user_id that owns it.`,
    )
  }
  if (userId && userId !== account.userId) {
    if (!account.shared)
      throw new ApiError(
        'ActionExecute_ConnectedAccountEntityIdMismatch',
        `The user_id does not own the connected account ${id}.`,
      )
    if (!sharedWith(account.shared, userId))
      throw new ApiError(
        'ActionExecute_SharedAccessDenied',
        `The shared account ${id} is not open to this user.`,
      )
  }
  if (account.toolkit !== toolkit.slug)
    throw badRequest(
      `Error in payload.connected_account_id: belongs to ${account.toolkit}, the tool to ${toolkit.slug}`,
    )
  return account
}

async function picked(
  deps: EngineDeps,
  { projectId, userId = 'default' }: Execution,
  { toolkit }: FoundTool,
): Promise<Account> {
  const account = await deps.accounts.pick(projectId, userId, toolkit.slug)
  if (!account)
    throw new ApiError(
      'ActionExecute_ConnectedAccountNotFound',
      `No active connected account of ${toolkit.slug} for the user ${userId}.`,
    )
  return account
}

/** Deny list, then everybody, then allow list; the owner was let in before. */
function sharedWith(
  { allow_all_users, allowed_user_ids = [], not_allowed_user_ids = [] }: NonNullable<Account['shared']>,
  userId: string,
): boolean {
  return (
    !not_allowed_user_ids.includes(userId) && (allow_all_users === true || allowed_user_ids.includes(userId))
  )
}

function usable({ catalog }: EngineDeps, account: Account, { tool, version }: FoundTool): ConnectionContext {
  const { allowedTools } = account
  const setup = setupOf(account)
  if (allowedTools.length && !namesTool(catalog, allowedTools, tool, version)) {
    throw new ApiError(
      'ActionExecute_ToolNotAllowed',
      `The auth config ${account.authConfigId} does not allow ${tool.slug}.`,
    )
  }
  return setup
}

/** What requests of an account are made with. @throws ApiError when it is not ACTIVE, or its auth config is disabled */
export function setupOf({
  id,
  status,
  statusReason,
  authConfigId,
  authConfigEnabled,
  setup,
}: Account): ConnectionContext {
  if (status === 'EXPIRED')
    throw new ApiError(
      'ActionExecute_ConnectedAccountExpired',
      `The connected account ${id} is in EXPIRED state${statusReason ? `: ${statusReason}` : ''}`,
    )
  if (status !== 'ACTIVE')
    throw new ApiError(
      'ActionExecute_ConnectedAccountNotActive',
      `The connected account ${id} is in ${status} state, not ACTIVE.`,
    )
  if (!authConfigEnabled)
    throw new ApiError(
      'ActionExecute_ConnectedAccountNotActive',
      `The auth config ${authConfigId} of the account ${id} is disabled.`,
    )
  if (!setup)
    throw new ApiError(
      'ActionExecute_ConnectedAccountNotActive',
      `The toolkit no longer offers the authentication scheme of the account ${id}.`,
    )
  return setup
}

function customSetup(
  { toolkit }: FoundTool,
  { authScheme, toolkitSlug, val }: CustomConnection,
): ConnectionContext {
  if (toolkitSlug.toLowerCase() !== toolkit.slug)
    throw badRequest(
      `Error in payload.custom_connection_data.toolkitSlug: the tool belongs to ${toolkit.slug}`,
    )
  const scheme = compiledSchemeOf(toolkit, authScheme)
  if (!scheme)
    throw new ApiError(
      'Auth_Config_SchemeNotSupported',
      `${toolkit.name} does not offer ${authScheme.toUpperCase()}.`,
    )
  return { scheme, val, shared: {}, credentials: {}, redirectUri: '' }
}

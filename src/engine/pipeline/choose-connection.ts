import type { ConnectionContext } from '../../auth-schemes/index.ts'
import { findCompiledScheme, listIncludesTool } from '../../catalog/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { EngineAccount, SharedAccess } from '../dependencies.ts'
import { timed } from '../execution-log/call-trace.ts'
import type { CustomConnection, ResolvedTool, ToolCall } from '../types.ts'
import type { CallStart, HasConnection, HasTool, StepDeps } from './context.ts'

const NO_CONNECTION: HasConnection = { connection: { kind: 'none' } }

/** Chooses the credentials of the call. The replay of a recording needs none. */
export function chooseConnection(
  context: CallStart & HasTool,
  deps: StepDeps,
): HasConnection | Promise<HasConnection> {
  return deps.recordings?.replayResult ? NO_CONNECTION : chooseCredentials(context, deps)
}

/**
 * Chooses the credentials of the call: its connection data, else its auth parameters, else an account. An account
 * is rejected if it is not ACTIVE, belongs to another user, or is not allowed to use the tool.
 */
export function chooseCredentials(
  { call, resolvedTool, trace }: CallStart & HasTool,
  deps: StepDeps,
): HasConnection | Promise<HasConnection> {
  const { customConnection, customAuth, connectedAccountId } = call
  const { tool, toolkit } = resolvedTool
  const needsAccount = !customConnection && !customAuth
  if (connectedAccountId && !needsAccount) {
    const field = customConnection ? 'custom_connection_data' : 'custom_auth_params'
    throw badRequest(
      `Error in payload.connected_account_id: cannot be combined with ${field}, ` +
        'which replaces the account; send one of them',
    )
  }
  if (needsAccount && (connectedAccountId || !(toolkit.noAuth || tool.noAuth))) {
    return timed(trace, 'account', chooseAccount(call, resolvedTool, deps))
  }
  trace.timings.account = 0
  if (customConnection) {
    return { connection: { kind: 'custom', context: customContext(resolvedTool, customConnection) } }
  }
  return customAuth ? { connection: { kind: 'params', params: customAuth } } : NO_CONNECTION
}

async function chooseAccount(
  call: ToolCall,
  resolvedTool: ResolvedTool,
  deps: StepDeps,
): Promise<HasConnection> {
  const { projectId, userId = 'default', connectedAccountId, changesConfirmed } = call
  const toolkit = resolvedTool.toolkit.slug
  const account = connectedAccountId
    ? checkAccount(
        call,
        resolvedTool,
        await deps.accounts.findById(projectId, connectedAccountId, changesConfirmed),
      )
    : await deps.accounts.findForUser(projectId, userId, toolkit, changesConfirmed)
  if (!account) {
    throw new ApiError(
      'ActionExecute_ConnectedAccountNotFound',
      call.userId
        ? `No active connected account of ${toolkit} for the user ${userId}.`
        : `user_id is missing, so "default" was used, which has no active connected account of ${toolkit}.`,
      call.userId
        ? {}
        : {
            fix:
              `Send user_id, or connect an account for "default" with POST /connected_accounts/link ` +
              `(patchbay connect ${toolkit} --user default).`,
          },
    )
  }
  const context = usableContext(account)
  checkToolAllowed(account, resolvedTool, deps)
  return { connection: { kind: 'account', account, context } }
}

function checkAccount(
  { connectedAccountId: id, userId, settings }: ToolCall,
  { toolkit }: ResolvedTool,
  account: EngineAccount | undefined,
): EngineAccount {
  if (!account) throw new ApiError('ConnectedAccount_ResourceNotFound', `Connected account "${id}" not found`)
  if (!userId && settings.checkOwner) {
    throw new ApiError(
      'ActionExecute_ConnectedAccountEntityIdRequired',
      `The call names the connected account ${id} without the user_id that owns it.`,
    )
  }
  if (userId && userId !== account.userId) checkShared(account, userId)
  if (account.toolkit !== toolkit.slug) {
    throw badRequest(
      `Error in payload.connected_account_id: belongs to ${account.toolkit}, the tool to ${toolkit.slug}`,
    )
  }
  return account
}

/** Checks that a user may use an account of another user. @throws ApiError 1812, or 1815 for a shared account */
export function checkShared({ id, shared }: EngineAccount, userId: string): void {
  if (!shared) {
    throw new ApiError(
      'ActionExecute_ConnectedAccountEntityIdMismatch',
      `The user_id does not own the connected account ${id}.`,
    )
  }
  if (!isSharedWith(shared, userId)) {
    throw new ApiError(
      'ActionExecute_SharedAccessDenied',
      `The shared account ${id} is not open to this user.`,
    )
  }
}

/** The deny list comes first, then `allow_all_users`, then the allow list. */
function isSharedWith(
  { allow_all_users, allowed_user_ids = [], not_allowed_user_ids = [] }: SharedAccess,
  userId: string,
): boolean {
  if (not_allowed_user_ids.includes(userId)) return false
  return allow_all_users === true || allowed_user_ids.includes(userId)
}

function checkToolAllowed(
  { allowedTools, authConfigId }: EngineAccount,
  { tool, version }: ResolvedTool,
  { catalog }: StepDeps,
): void {
  if (!allowedTools.length || listIncludesTool(catalog, allowedTools, tool, version)) return
  throw new ApiError(
    'ActionExecute_ToolNotAllowed',
    `The auth config ${authConfigId} does not allow ${tool.slug}.`,
  )
}

/**
 * Returns the context of an account that can be used.
 * @throws ApiError when it is not ACTIVE, or its auth config is disabled
 */
export function usableContext(account: EngineAccount): ConnectionContext {
  const { id, status, statusReason, context } = account
  if (status === 'EXPIRED') {
    const reason = statusReason ? `: ${statusReason}` : ''
    throw new ApiError(
      'ActionExecute_ConnectedAccountExpired',
      `The connected account ${id} is in EXPIRED state${reason}`,
    )
  }
  const problem =
    status !== 'ACTIVE'
      ? `The connected account ${id} is in ${status} state, not ACTIVE${statusReason ? `: ${statusReason}` : '.'}`
      : !account.authConfigEnabled
        ? `The auth config ${account.authConfigId} of the account ${id} is disabled.`
        : `The toolkit no longer offers the authentication scheme of the account ${id}.`
  if (status !== 'ACTIVE' || !account.authConfigEnabled || !context) {
    throw new ApiError('ActionExecute_ConnectedAccountNotActive', problem)
  }
  return context
}

function customContext(
  { toolkit }: ResolvedTool,
  { authScheme, toolkitSlug, val }: CustomConnection,
): ConnectionContext {
  if (toolkitSlug.toLowerCase() !== toolkit.slug) {
    throw badRequest(
      `Error in payload.custom_connection_data.toolkitSlug: the tool belongs to ${toolkit.slug}`,
    )
  }
  const scheme = findCompiledScheme(toolkit, authScheme)
  if (!scheme) {
    throw new ApiError(
      'Auth_Config_SchemeNotSupported',
      `${toolkit.name} does not offer ${authScheme.toUpperCase()}.`,
    )
  }
  return { scheme, credentials: val, sharedCredentials: {}, authConfigCredentials: {}, redirectUri: '' }
}

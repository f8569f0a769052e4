import { ApiError } from '../../../platform/http/api-error.ts'
import type { SignInChoice } from '../../auth-configs/index.ts'
import type { CallableServer } from '../store.ts'
import type { McpIdentity } from './url-parameters.ts'

/** The properties of an account that decide whether a call uses it. */
export interface UserAccount {
  id: string
  user_id: string
  status: string
  toolkit_slug: string
  auth_config_id: string
  auth_config_enabled: boolean
  created_at: Date
}

export interface ChooseAccountDeps {
  /** Lists the user's accounts of auth configs, most recently connected first. */
  listUserAccounts(
    projectId: string,
    userId: string,
    configIds: readonly string[],
  ): Promise<readonly UserAccount[]>
  findAccounts(projectId: string, ids: readonly string[]): Promise<readonly UserAccount[]>
}

/** The user of a call, and the account if the URL or the server decides it. Else the engine chooses the account. */
export interface AccountChoice {
  userId: string | undefined
  accountId: string | undefined
  /** Set if the user has no active account of the server's auth configs. */
  missing?: MissingConnection
}
/** The data for a connect link: auth configs in the order of preference, and the expired account to reconnect. */
export interface MissingConnection {
  configs: readonly SignInChoice[]
  reconnectAccountId: string | undefined
}

interface AccountRequest {
  projectId: string
  server: CallableServer
  identity: McpIdentity
}

/**
 * Chooses the account for tools of a toolkit: an account in the URL, else the user's latest account under the server's
 * auth configs, else the user's latest account.
 */
export async function chooseServerAccount(
  deps: ChooseAccountDeps,
  { projectId, server, identity: { users, accounts } }: AccountRequest,
  toolkit: string,
): Promise<AccountChoice> {
  const namedAccounts = accounts.length
    ? (await deps.findAccounts(projectId, accounts)).filter((account) => account.toolkit_slug === toolkit)
    : []
  const requestedAccount = namedAccounts.find(({ user_id }) => users.includes(user_id)) ?? namedAccounts[0]
  if (requestedAccount)
    return {
      userId: users.includes(requestedAccount.user_id) ? requestedAccount.user_id : users[0],
      accountId: requestedAccount.id,
    }
  if (accounts.length && users.length !== 1)
    throw new ApiError(
      'ActionExecute_ConnectedAccountNotFound',
      `The URL has no connected account of ${toolkit}, and not exactly one user_id.`,
    )
  if (users.length !== 1)
    throw new ApiError(
      'ActionExecute_ConnectedAccountEntityIdRequired',
      'The URL has several user_id values, but a call needs exactly one user.',
    )
  return chooseUserAccount(deps, projectId, server, users[0] as string, toolkit)
}

async function chooseUserAccount(
  deps: ChooseAccountDeps,
  projectId: string,
  server: CallableServer,
  userId: string,
  toolkit: string,
): Promise<AccountChoice> {
  const configs = server.configs.filter((config) => config.toolkit === toolkit)
  if (!configs.length) return { userId, accountId: undefined }
  const accounts = await deps.listUserAccounts(
    projectId,
    userId,
    configs.map(({ id }) => id),
  )
  const withStatus = (required: string) =>
    accounts.find(({ status, auth_config_enabled }) => status === required && auth_config_enabled)
  const active = withStatus('ACTIVE')
  if (active) return { userId, accountId: active.id }
  const expired = withStatus('EXPIRED')
  return {
    userId,
    accountId: undefined,
    missing: {
      // An account that is reconnected keeps its auth config.
      configs: expired
        ? configs.filter(({ id }) => id === expired.auth_config_id)
        : configs.filter(({ enabled }) => enabled),
      reconnectAccountId: expired?.id,
    },
  }
}

import type { Encryptor } from '../../../../platform/crypto/index.ts'
import type { SessionAccount } from '../../../connected-accounts/index.ts'
import type { MetaToolOutcome } from '../meta-tool.ts'
import type { SessionScope } from '../../scope/scope.ts'
import { readConversation } from '../conversation-id.ts'
import { presentAccount as toldAccount, accountIdentity } from './connection-status.ts'
import { describeError } from '../create-meta-tool.ts'

export interface ConnectionToolDeps {
  encryptor: Encryptor
  /** @throws ApiError */
  renameAccount(projectId: string, id: string, alias: string): Promise<void>
  /** @throws ApiError */
  removeAccount(projectId: string, id: string): Promise<void>
}

interface ConnectionRequest {
  name: string
  action?: 'add' | 'list' | 'rename' | 'remove'
  account?: string
  alias?: string
}
type ConnectionResult = {
  toolkit: string
  status: 'active' | 'initiated' | 'failed'
  has_active_connection: boolean
} & Record<string, unknown>
type ConnectionAction = (
  deps: ConnectionToolDeps,
  scope: SessionScope,
  toolkit: string,
  request: ConnectionRequest,
  reconnect: boolean,
) => Promise<ConnectionResult>

const LINK_INSTRUCTION = 'Show this link to the user, and continue after the user has connected.'
const SLUG_CHARACTERS_MAX = 100
/** Statuses of accounts that are reconnected instead of adding another account. */
export const RECONNECTABLE_STATUSES: ReadonlySet<string> = new Set(['INITIALIZING', 'INITIATED', 'EXPIRED'])

/**
 * Reports how toolkits are connected, and returns a link for each that is not. A toolkit that cannot be connected does
 * not affect the others.
 */
export async function manageConnections(
  deps: ConnectionToolDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
): Promise<MetaToolOutcome> {
  const { enable: hasMultipleAccounts } = scope.config.multi_account
  const requests = (args['toolkits'] as (string | ConnectionRequest)[]).map((one): ConnectionRequest =>
    typeof one === 'string' ? { name: one } : one,
  )
  const results: Record<string, ConnectionResult> = Object.create(null) as Record<string, ConnectionResult>
  for (const request of requests) {
    const toolkit = request.name.toLowerCase().slice(0, SLUG_CHARACTERS_MAX)
    const { action = 'add' } = request
    // A second request for the same toolkit gets its own key.
    const key =
      results[toolkit] && (request.account ?? request.alias)
        ? `${toolkit}:${(request.account ?? request.alias)!.slice(0, SLUG_CHARACTERS_MAX)}`
        : toolkit
    results[key] = await (
      hasMultipleAccounts || action === 'add'
        ? ACTIONS[action](deps, scope, toolkit, request, args['reinitiate_all'] === true)
        : failedResult(
            toolkit,
            `${action} needs a session with several accounts per toolkit (multi_account).`,
          )
    ).catch((error: unknown) => failedResult(toolkit, describeError(error)))
  }
  const all = Object.values(results)
  const count = (status: ConnectionResult['status']) => all.filter((one) => one.status === status).length
  const summary = {
    total_toolkits: all.length,
    active_connections: count('active'),
    initiated_connections: count('initiated'),
    failed_connections: count('failed'),
  }
  return {
    data: {
      message:
        `${summary.active_connections} connected, ${summary.initiated_connections} waiting for the user, ` +
        `${summary.failed_connections} failed`,
      results: { ...results },
      summary,
      session: readConversation(args['session_id']),
    },
    error: null,
  }
}

const failedResult = async (toolkit: string, error_message: string): Promise<ConnectionResult> => ({
  toolkit,
  status: 'failed',
  has_active_connection: false,
  error_message,
})

const ACTIONS: Readonly<Record<NonNullable<ConnectionRequest['action']>, ConnectionAction>> = {
  async add({ encryptor }, scope, toolkit, { alias, action }, reconnect) {
    const found = scope.toolkit(toolkit)
    if (!found)
      return failedResult(
        toolkit,
        `Unknown toolkit ${toolkit}. Search for tools, and use a toolkit from the search result.`,
      )
    if (found.noAuth)
      return {
        toolkit,
        status: 'active',
        has_active_connection: true,
        instruction: 'No connection is needed.',
      }
    const { active, others, isPinned } = (await scope.connections([toolkit])).get(toolkit)!
    const [first] = active
    // In a session with several accounts, "add" connects one more.
    const addsAccount = reconnect || (action === 'add' && scope.config.multi_account.enable)
    if (first && (!addsAccount || (isPinned && !reconnect)))
      return connectedResult(encryptor, toolkit, first, active)
    const existing = isPinned
      ? (first ?? others[0])
      : reconnect && !scope.config.multi_account.enable
        ? first
        : others.find(({ status }) => alias === undefined && RECONNECTABLE_STATUSES.has(status))
    const { redirectUrl, connectedAccountId, expiresAt } = await scope.link(toolkit, {
      alias: existing ? undefined : alias,
      reconnectAccountId: existing?.id,
    })
    return {
      toolkit,
      status: 'initiated',
      has_active_connection: Boolean(first),
      connected_account_id: connectedAccountId,
      redirect_url: redirectUrl,
      expires_at: expiresAt,
      instruction: LINK_INSTRUCTION,
      was_reinitiated: reconnect,
    }
  },

  async list({ encryptor }, scope, toolkit) {
    const connections = scope.toolkit(toolkit) && (await scope.connections([toolkit])).get(toolkit)
    if (!connections) return failedResult(toolkit, `Unknown toolkit ${toolkit}.`)
    const { active, others } = connections
    return {
      toolkit,
      status: active.length ? 'active' : 'failed',
      has_active_connection: active.length > 0,
      accounts: [...active, ...others].map((account, at) =>
        toldAccount(encryptor, account, active.length > 0 && at === 0),
      ),
      ...(active.length ? {} : { error_message: 'No account is connected.' }),
    }
  },

  async rename(deps, scope, toolkit, { account: requested, alias }) {
    const account = await findOwnAccount(scope, toolkit, requested)
    if (!alias) return failedResult(toolkit, 'Pass alias with the new name of the account.')
    if (typeof account === 'string') return failedResult(toolkit, account)
    await deps.renameAccount(scope.projectId, account.id, alias)
    return {
      toolkit,
      status: 'active',
      has_active_connection: account.status === 'ACTIVE',
      connected_account_id: account.id,
      alias,
      instruction: 'Renamed.',
    }
  },

  async remove(deps, scope, toolkit, { account: requested }) {
    if (!scope.config.manage_connections.enable_connection_removal)
      return failedResult(toolkit, 'This session may not remove connections.')
    const account = await findOwnAccount(scope, toolkit, requested)
    if (typeof account === 'string') return failedResult(toolkit, account)
    await deps.removeAccount(scope.projectId, account.id)
    const { active } = (await scope.connections([toolkit])).get(toolkit)!
    return {
      toolkit,
      status: 'active',
      has_active_connection: active.length > 0,
      connected_account_id: account.id,
      instruction: 'Removed.',
    }
  },
}

function connectedResult(
  encryptor: Encryptor,
  toolkit: string,
  account: SessionAccount,
  active: readonly SessionAccount[],
): ConnectionResult {
  const identity = accountIdentity(encryptor, account)
  return {
    toolkit,
    status: 'active',
    has_active_connection: true,
    auth_config_id: account.auth_config_id,
    connected_account_id: account.id,
    created_at: account.created_at.toISOString(),
    ...(identity ? { current_user_info: identity } : {}),
    account_type: account.account_type,
    was_reinitiated: false,
    ...(active.length > 1
      ? { accounts: active.map((one, at) => toldAccount(encryptor, one, at === 0)) }
      : {}),
  }
}

/** Finds the user's own account, or returns an error. A shared account of another user cannot be changed here. */
async function findOwnAccount(
  scope: SessionScope,
  toolkit: string,
  requested: string | undefined,
): Promise<SessionAccount | string> {
  const connections = scope.toolkit(toolkit) && (await scope.connections([toolkit])).get(toolkit)
  if (!connections) return `Unknown toolkit ${toolkit}.`
  const ownAccounts = [...connections.active, ...connections.others].filter(
    ({ user_id: user }) => user === scope.userId,
  )
  const found =
    requested === undefined
      ? undefined
      : ownAccounts.find(({ id, word_id: words, alias }) => [id, words, alias].includes(requested))
  if (found) return found
  const names = ownAccounts.map(
    ({ id, word_id: words, alias }) => `${words || id}${alias ? ` (${alias})` : ''}`,
  )
  return `Pass account with one of: ${names.join(', ') || 'none is connected'}.`
}

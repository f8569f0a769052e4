import type { Encryptor } from '../../../../platform/crypto/index.ts'
import type { SessionAccount } from '../../../connected-accounts/index.ts'
import type { MetaOutcome, SessionScope } from '../../index.ts'
import { conversation } from '../conversation-id.ts'
import { told as toldAccount, userInfo } from './connection-status.ts'
import { told } from '../create-meta-tool.ts'

export interface ConnectionDeps {
  encryptor: Encryptor
  /** @throws ApiError */
  renameAccount(projectId: string, id: string, alias: string): Promise<void>
  /** @throws ApiError */
  removeAccount(projectId: string, id: string): Promise<void>
}

interface Wish {
  name: string
  action?: 'add' | 'list' | 'rename' | 'remove'
  account?: string
  alias?: string
}
type Told = {
  toolkit: string
  status: 'active' | 'initiated' | 'failed'
  has_active_connection: boolean
} & Record<string, unknown>
type Action = (
  deps: ConnectionDeps,
  scope: SessionScope,
  toolkit: string,
  wish: Wish,
  again: boolean,
) => Promise<Told>

const FOLLOW = 'Show this link to the user, and go on when it has been followed.'
const SHOWN_MAX = 100
/** An account that was begun or has ended is connected, in place of one more. */
export const TO_GO_ON: ReadonlySet<string> = new Set(['INITIALIZING', 'INITIATED', 'EXPIRED'])

/** Tells how toolkits are connected, and answers a link for each that is not. Each by itself: one that cannot be connected does not keep the others. */
export async function manageConnections(
  deps: ConnectionDeps,
  scope: SessionScope,
  args: Record<string, unknown>,
): Promise<MetaOutcome> {
  const { enable: many } = scope.config.multi_account
  const wishes = (args['toolkits'] as (string | Wish)[]).map((one): Wish =>
    typeof one === 'string' ? { name: one } : one,
  )
  const results: Record<string, Told> = Object.create(null) as Record<string, Told>
  for (const wish of wishes) {
    const toolkit = wish.name.toLowerCase().slice(0, SHOWN_MAX)
    const { action = 'add' } = wish
    // A second wish about the same toolkit is told under its own name.
    const key =
      results[toolkit] && (wish.account ?? wish.alias)
        ? `${toolkit}:${(wish.account ?? wish.alias)!.slice(0, SHOWN_MAX)}`
        : toolkit
    results[key] = await (
      many || action === 'add'
        ? ACTIONS[action](deps, scope, toolkit, wish, args['reinitiate_all'] === true)
        : failed(toolkit, `${action} needs a session with several accounts a toolkit (multi_account).`)
    ).catch((error: unknown) => failed(toolkit, told(error)))
  }
  const all = Object.values(results)
  const count = (status: Told['status']) => all.filter((one) => one.status === status).length
  const summary = {
    total_toolkits: all.length,
    active_connections: count('active'),
    initiated_connections: count('initiated'),
    failed_connections: count('failed'),
  }
  return {
    data: {
      message: `${summary.active_connections} connected, ${summary.initiated_connections} waiting for the user, ${summary.failed_connections} failed`,
      results: { ...results },
      summary,
      session: conversation(args['session_id']),
    },
    error: null,
  }
}

const failed = async (toolkit: string, error_message: string): Promise<Told> => ({
  toolkit,
  status: 'failed',
  has_active_connection: false,
  error_message,
})

const ACTIONS: Readonly<Record<NonNullable<Wish['action']>, Action>> = {
  async add({ encryptor }, scope, toolkit, { alias, action }, again) {
    const found = scope.toolkit(toolkit)
    if (!found)
      return failed(
        toolkit,
        `Unknown toolkit ${toolkit}. Search for tools, and name a toolkit that the search answered.`,
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
    // Where there may be several, who says "add" wants one more.
    const oneMore = again || (action === 'add' && scope.config.multi_account.enable)
    if (first && (!oneMore || (isPinned && !again))) return connected(encryptor, toolkit, first, active)
    const stood = isPinned
      ? (first ?? others[0])
      : again && !scope.config.multi_account.enable
        ? first
        : others.find(({ status }) => alias === undefined && TO_GO_ON.has(status))
    const { redirectUrl, connectedAccountId, expiresAt } = await scope.link(toolkit, {
      alias: stood ? undefined : alias,
      again: stood?.id,
    })
    return {
      toolkit,
      status: 'initiated',
      has_active_connection: Boolean(first),
      connected_account_id: connectedAccountId,
      redirect_url: redirectUrl,
      expires_at: expiresAt,
      instruction: FOLLOW,
      was_reinitiated: again,
    }
  },

  async list({ encryptor }, scope, toolkit) {
    const connections = scope.toolkit(toolkit) && (await scope.connections([toolkit])).get(toolkit)
    if (!connections) return failed(toolkit, `Unknown toolkit ${toolkit}.`)
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

  async rename(deps, scope, toolkit, { account: wanted, alias }) {
    const account = await named(scope, toolkit, wanted)
    if (!alias) return failed(toolkit, 'Pass alias with what the account is to be called.')
    if (typeof account === 'string') return failed(toolkit, account)
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

  async remove(deps, scope, toolkit, { account: wanted }) {
    if (!scope.config.manage_connections.enable_connection_removal)
      return failed(toolkit, 'This session may not remove connections.')
    const account = await named(scope, toolkit, wanted)
    if (typeof account === 'string') return failed(toolkit, account)
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

function connected(
  encryptor: Encryptor,
  toolkit: string,
  account: SessionAccount,
  active: readonly SessionAccount[],
): Told {
  const info = userInfo(encryptor, account)
  return {
    toolkit,
    status: 'active',
    has_active_connection: true,
    auth_config_id: account.auth_config_id,
    connected_account_id: account.id,
    created_at: account.created_at.toISOString(),
    ...(info ? { current_user_info: info } : {}),
    account_type: account.account_type,
    was_reinitiated: false,
    ...(active.length > 1
      ? { accounts: active.map((one, at) => toldAccount(encryptor, one, at === 0)) }
      : {}),
  }
}

/** The user's own account that is meant, or why there is none: what others share is theirs to change. */
async function named(
  scope: SessionScope,
  toolkit: string,
  wanted: string | undefined,
): Promise<SessionAccount | string> {
  const connections = scope.toolkit(toolkit) && (await scope.connections([toolkit])).get(toolkit)
  if (!connections) return `Unknown toolkit ${toolkit}.`
  const own = [...connections.active, ...connections.others].filter(
    ({ user_id: user }) => user === scope.userId,
  )
  const found =
    wanted === undefined
      ? undefined
      : own.find(({ id, word_id: words, alias }) => [id, words, alias].includes(wanted))
  return (
    found ??
    `Pass account with one of: ${own.map(({ id, word_id: words, alias }) => `${words || id}${alias ? ` (${alias})` : ''}`).join(', ') || 'none is connected'}.`
  )
}

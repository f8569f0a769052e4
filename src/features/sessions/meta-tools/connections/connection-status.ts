import type { Encryptor } from '../../../../platform/crypto/index.ts'
import { decryptIdentity, type SessionAccount, presentIdentity } from '../../../connected-accounts/index.ts'
import type { SessionScope } from '../../scope/scope.ts'

/** Returns the identity of the account at the application, if it is known. */
export function accountIdentity(
  encryptor: Encryptor,
  account: SessionAccount,
): Record<string, unknown> | undefined {
  const known = presentIdentity(decryptIdentity(encryptor, account))
  if (!known) return undefined
  return Object.fromEntries(
    (['id', 'email', 'name', 'tenant'] as const).flatMap((name) =>
      known[name] === null ? [] : [[name, known[name]]],
    ),
  )
}

/** The connection status of a toolkit in a search result. Fields that do not apply are absent. */
export interface ConnectionStatus {
  toolkit: string
  description: string
  has_active_connection: boolean
  status_message: string
  connection_details?: { auth_config_id: string; connected_account_id: string }
  current_user_info?: Record<string, unknown>
  account_type?: string
  account_selection?: 'required'
  accounts?: Record<string, unknown>[]
}

const DESCRIPTION_MAX = 120

/** Returns the statuses of toolkits in their order, without toolkits that do not exist. */
export async function connectionStatuses(
  scope: SessionScope,
  encryptor: Encryptor,
  slugs: readonly string[],
  connectToolName: string,
): Promise<ConnectionStatus[]> {
  const toolkits = slugs.flatMap((slug) => scope.catalog.toolkit(slug) ?? [])
  const connections = await scope.connections(
    toolkits.filter(({ noAuth }) => !noAuth).map(({ slug }) => slug),
  )
  const { enable: hasMultipleAccounts, require_explicit_selection: requiresSelection } =
    scope.config.multi_account
  return toolkits.map(({ slug: toolkit, description, noAuth }) => {
    const base = { toolkit, description: description.slice(0, DESCRIPTION_MAX) }
    if (noAuth) return { ...base, has_active_connection: true, status_message: 'Needs no connection.' }
    const { active, isPinned } = connections.get(toolkit)!
    const [first] = active
    if (!first) {
      const help =
        scope.config.manage_connections.enable && !isPinned
          ? `Call ${connectToolName} with this toolkit, and show the user the link.`
          : 'Ask the owner of the session to connect it.'
      return { ...base, has_active_connection: false, status_message: `Not connected. ${help}` }
    }
    const identity = accountIdentity(encryptor, first)
    const mustSelect = hasMultipleAccounts && requiresSelection && active.length > 1
    return {
      ...base,
      has_active_connection: true,
      status_message: mustSelect
        ? `Connected with ${active.length} accounts: pass \`account\` with each call.`
        : 'Connected and ready to use.',
      connection_details: { auth_config_id: first.auth_config_id, connected_account_id: first.id },
      ...(identity ? { current_user_info: identity } : {}),
      account_type: first.account_type,
      ...(mustSelect ? { account_selection: 'required' as const } : {}),
      ...(hasMultipleAccounts
        ? { accounts: active.map((account, at) => presentAccount(encryptor, account, at === 0)) }
        : {}),
    }
  })
}

/** Presents one of several accounts. */
export function presentAccount(
  encryptor: Encryptor,
  account: SessionAccount,
  isDefault: boolean,
): Record<string, unknown> {
  const identity = accountIdentity(encryptor, account)
  return {
    id: account.id,
    ...(account.word_id ? { word_id: account.word_id } : {}),
    ...(account.alias ? { alias: account.alias } : {}),
    status: account.status,
    is_default: isDefault,
    created_at: account.created_at.toISOString(),
    ...(identity ? { user_info: identity } : {}),
    account_type: account.account_type,
  }
}

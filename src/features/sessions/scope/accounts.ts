import type { Toolkit } from '../../../catalog/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { SessionAccount } from '../../connected-accounts/index.ts'
import type { ResolvedSessionConfig } from '../config/session-config.ts'

/** The accounts of a session for one toolkit. */
export interface SessionConnections {
  /** Those that work, in the order in which they are chosen. */
  readonly active: readonly SessionAccount[]
  /** Those that do not: never finished, expired, switched off. */
  readonly others: readonly SessionAccount[]
  /** The session names its accounts of this toolkit: no other is ever used. */
  readonly isPinned: boolean
}

const isUsable = ({ status, for_sessions: allowed }: SessionAccount) => status === 'ACTIVE' && allowed

/**
 * Which of the user's accounts are candidates for a toolkit: those that the session names; else those under
 * the auth config that it names; else all of the user's.
 * @param accounts most recently connected first
 */
export function selectConnections(
  { connected_accounts: pins = {}, auth_configs: configs = {} }: ResolvedSessionConfig,
  accounts: readonly SessionAccount[],
  toolkit: string,
): SessionConnections {
  const pinned = Object.hasOwn(pins, toolkit) ? pins[toolkit] : undefined
  const config = Object.hasOwn(configs, toolkit) ? configs[toolkit] : undefined
  const candidates = pinned
    ? pinned.flatMap((id) => accounts.find((one) => one.id === id && one.toolkit_slug === toolkit) ?? [])
    : accounts.filter(
        (one) =>
          one.toolkit_slug === toolkit &&
          one.account_type === 'PRIVATE' &&
          (config === undefined || one.auth_config_id === config),
      )
  return {
    active: candidates.filter(isUsable),
    others: candidates.filter((one) => !isUsable(one)),
    isPinned: pinned !== undefined,
  }
}

/**
 * The account that a call uses. @param requested id, word id or alias
 * @throws ApiError 4302 when there is none, 4303 when there are several and one has to be named, or what was
 * named is none of them
 */
export function chooseSessionAccount(
  { multi_account: multiAccount }: ResolvedSessionConfig,
  { slug, name }: Toolkit,
  { active, others, isPinned }: SessionConnections,
  requested?: string,
): SessionAccount {
  if (requested !== undefined) {
    const namedAccount =
      [...active, ...others].find((one) => one.id === requested) ??
      active.find(({ word_id: words, alias }) => words === requested || alias === requested)
    if (!namedAccount)
      throw new ApiError(
        'ToolRouterV2_AccountRequired',
        `"${requested}" is no active connected account of ${slug} in this ` +
          `session.${active.length ? ` There are: ${active.map(accountLabel).join(', ')}.` : ''}`,
      )
    if (!isUsable(namedAccount)) throw notActiveError(slug, namedAccount)
    return namedAccount
  }
  // What the session names and does not work is no reason to take another.
  const broken = isPinned ? others[0] : undefined
  if (broken && !active.length) throw notActiveError(slug, broken)
  const [first, ...more] = active
  if (!first)
    throw new ApiError('ToolRouterV2_NoActiveConnection', `${name} (${slug}) is not connected for this user.`)
  if (more.length && multiAccount.enable && multiAccount.require_explicit_selection) {
    throw new ApiError(
      'ToolRouterV2_AccountRequired',
      `Several accounts are connected for ${slug}; pass "account" with one of: ${active.map(accountLabel).join(', ')}`,
    )
  }
  return first
}

const accountLabel = ({ id, word_id: words, alias }: SessionAccount): string =>
  alias ? `${words} (${alias})` : words || id

const notActiveError = (slug: string, { id, status, for_sessions: allowed }: SessionAccount) =>
  new ApiError(
    'ToolRouterV2_NoActiveConnection',
    status === 'ACTIVE' && !allowed
      ? `The connected account ${id} of ${slug} is under an auth config that is disabled, or not enabled for sessions.`
      : `The connected account ${id} of ${slug} is ${status}, not ACTIVE.`,
  )

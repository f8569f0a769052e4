import { type Catalog, LATEST_VERSION, visibilityFilter } from '../../../catalog/index.ts'
import type { CreateSession } from '../../../contract/sessions/index.ts'
import type { SharedAccess } from '../../../engine/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { listToolAccess } from '../../auth-configs/index.ts'
import { listSessionAccounts, type SessionAccount } from '../../connected-accounts/index.ts'
import { type SessionConfig, resolveConfig } from './session-config.ts'

/** Tools that are listed at once, at most. */
export const PRELOADED_MAX = 1_000
const PROBLEMS_MAX = 50
const CONFIG_BYTES_MAX = 200_000

type ConfigRequest = Omit<CreateSession, 'user_id' | 'experimental' | 'premium_usage'>

/** @throws ApiError 4301 that lists everything that is wrong */
export function assertNoProblems(problems: readonly string[]): void {
  if (problems.length)
    throw new ApiError(
      'ToolRouterV2_InvalidConfig',
      problems.length === 1
        ? (problems[0] as string)
        : `${problems.length} fields of the session cannot be used.`,
      { details: problems.slice(0, PROBLEMS_MAX) },
    )
}

/** Contradictions within a request, which no store knows better. */
export function findContradictions({
  toolkits,
  tools,
  multi_account: multiAccount,
  connected_accounts: accounts,
}: ConfigRequest): string[] {
  return [
    ...(toolkits && (toolkits.enable === undefined) === (toolkits.disable === undefined)
      ? ['toolkits: give either enable or disable']
      : []),
    ...Object.entries(tools ?? {})
      .filter(([, lists]) => Object.values(lists).filter((one) => one !== undefined).length !== 1)
      .map(([toolkit]) => `tools.${toolkit}: give one of enable, disable and tags`),
    ...(multiAccount?.enable === false &&
    (typeof multiAccount.max_accounts_per_toolkit === 'number' ||
      typeof multiAccount.require_explicit_selection === 'boolean')
      ? ['multi_account: enable is false, so nothing else of it can be given']
      : []),
    ...[tools, accounts]
      .flatMap((map) => duplicateSlugs(Object.keys(map ?? {})))
      .map((toolkit) => `${toolkit}: is given twice, in different case`),
  ]
}

const duplicateSlugs = (slugs: readonly string[]): string[] =>
  slugs.filter((slug, i) => slugs.findIndex((one) => one.toLowerCase() === slug.toLowerCase()) < i)

/** Blocks of which something has to be there. */
export type ValidatedBlock =
  | 'toolkits'
  | 'tools'
  | 'tags'
  | 'auth_configs'
  | 'connected_accounts'
  | 'multi_account'
  | 'preload'
  | 'experimental'

/**
 * What a configuration names is there, and is the project's and the user's. Only the blocks that a request
 * gives are judged: what was good once may since have gone, and must not stand
 * in the way of another change. @throws ApiError 4301
 */
export async function validateConfig(
  db: Db,
  catalog: Catalog,
  owner: { projectId: string; userId: string },
  config: SessionConfig,
  requestedBlocks: ReadonlySet<string>,
): Promise<void> {
  if (JSON.stringify(config).length > CONFIG_BYTES_MAX)
    assertNoProblems([`the configuration is longer than ${CONFIG_BYTES_MAX} characters`])
  const isRequested = (...blocks: ValidatedBlock[]) => blocks.some((block) => requestedBlocks.has(block))
  assertNoProblems([
    ...(isRequested('toolkits') ? toolkitProblems(catalog, config) : []),
    ...(isRequested('tools') ? toolProblems(catalog, config) : []),
    ...(isRequested('auth_configs') ? await authConfigProblems(db, catalog, owner.projectId, config) : []),
    ...(isRequested('connected_accounts', 'multi_account') ? await accountProblems(db, owner, config) : []),
    ...(isRequested('preload', 'toolkits', 'tools', 'tags', 'multi_account')
      ? preloadProblems(catalog, config)
      : []),
    ...(isRequested('experimental') ? experimentalProblems(config) : []),
  ])
}

const toolkitProblems = (catalog: Catalog, { toolkits }: SessionConfig): string[] =>
  !toolkits
    ? []
    : Object.entries(toolkits).flatMap(([list, slugs]) =>
        (slugs as readonly string[]).flatMap((slug, i) =>
          catalog.toolkit(slug) ? [] : [`toolkits.${list}[${i}]: there is no toolkit ${slug}`],
        ),
      )

function toolProblems(catalog: Catalog, { tools = {} }: SessionConfig): string[] {
  return Object.entries(tools).flatMap(([toolkit, { enable, disable }]) => {
    if (!catalog.toolkit(toolkit)) return [`tools.${toolkit}: there is no toolkit ${toolkit}`]
    return [...(enable ?? []), ...(disable ?? [])]
      .filter((slug) => catalog.entry(slug, LATEST_VERSION)?.toolkit !== toolkit)
      .map((slug) => `tools.${toolkit}: there is no tool ${slug} in ${toolkit}`)
  })
}

async function authConfigProblems(
  db: Db,
  catalog: Catalog,
  projectId: string,
  { auth_configs: configs = {} }: SessionConfig,
): Promise<string[]> {
  const known = Object.keys(configs).length ? await listToolAccess(db, projectId, Object.values(configs)) : []
  return Object.entries(configs).flatMap(([toolkit, id]) => {
    const found = known.find((one) => one.id === id)
    if (!catalog.toolkit(toolkit)) return [`auth_configs.${toolkit}: there is no toolkit ${toolkit}`]
    if (!found) return [`auth_configs.${toolkit}: there is no auth config ${id}`]
    return found.toolkit_slug === toolkit
      ? []
      : [`auth_configs.${toolkit}: ${id} belongs to ${found.toolkit_slug}`]
  })
}

async function accountProblems(
  db: Db,
  { projectId, userId }: { projectId: string; userId: string },
  config: SessionConfig,
): Promise<string[]> {
  const pins = Object.entries(config.connected_accounts ?? {})
  const {
    multi_account: { enable: allowsSeveral, max_accounts_per_toolkit: accountsMax },
  } = resolveConfig(config)
  const known = pins.length
    ? await listSessionAccounts(db, projectId, userId, {
        toolkits: pins.map(([toolkit]) => toolkit),
        ids: pins.flatMap(([, ids]) => ids),
      })
    : []
  return pins.flatMap(([toolkit, ids]) => {
    const at = `connected_accounts.${toolkit}`
    const found = ids.map((id) => ({
      id,
      account: known.find((one) => one.id === id && canUseAccount(one, userId)),
    }))
    const shared = found.filter(({ account }) => account?.account_type === 'SHARED')
    return [
      ...(ids.length > (allowsSeveral ? accountsMax : 1)
        ? [
            `${at}: ` +
              `${allowsSeveral ? `at most ${accountsMax} accounts` : 'one account, unless multi_account is enabled'}`,
          ]
        : []),
      ...(shared.length > 1 ? [`${at}: at most one SHARED account`] : []),
      // The accounts of other users and projects get the same message as missing ones.
      ...found.flatMap(({ id, account }) =>
        !account
          ? [`${at}: the user ${userId} has no connected account ${id}`]
          : account.toolkit_slug !== toolkit
            ? [`${at}: ${id} belongs to ${account.toolkit_slug}`]
            : account.status === 'INACTIVE'
              ? [`${at}: ${id} is switched off`]
              : [],
      ),
    ]
  })
}

const canUseAccount = (
  { user_id: owner, account_type: type, acl }: SessionAccount,
  userId: string,
): boolean => owner === userId || (type === 'SHARED' && acl !== null && isAllowedByAcl(acl, userId))

/** Deny list, then everybody, then allow list. */
const isAllowedByAcl = (
  { allow_all_users: all, allowed_user_ids: allowed = [], not_allowed_user_ids: denied = [] }: SharedAccess,
  userId: string,
): boolean => !denied.includes(userId) && (all === true || allowed.includes(userId))

function preloadProblems(catalog: Catalog, config: SessionConfig): string[] {
  const {
    preload: { tools },
  } = resolveConfig(config)
  if (tools === 'all') return preloadAllProblems(catalog, config)
  if (tools.length > PRELOADED_MAX) return [`preload.tools: at most ${PRELOADED_MAX} tools`]
  const isVisible = configVisibility(catalog, config)
  return tools.flatMap((slug, i) => {
    const entry = catalog.entry(slug, LATEST_VERSION)
    if (!entry) return [`preload.tools[${i}]: there is no tool ${slug}`]
    return isVisible(entry) ? [] : [`preload.tools[${i}]: ${slug} is hidden by the filters of the session`]
  })
}

function preloadAllProblems(catalog: Catalog, config: SessionConfig): string[] {
  const { toolkits, tools = {}, tags, multi_account: multiAccount } = config
  const isNarrowed =
    (toolkits && 'enable' in toolkits) ||
    tags?.enable?.length ||
    Object.values(tools).some((lists) => lists.enable ?? lists.tags?.enable?.length)
  if (!isNarrowed)
    return ['preload.tools: all needs a filter that enables: toolkits.enable, tools with enable, or tags']
  if (multiAccount?.enable) return ['preload.tools: all cannot be had together with multi_account']
  const isVisible = configVisibility(catalog, config)
  const visibleTools =
    toolkits && 'enable' in toolkits
      ? toolkits.enable.flatMap((slug) => catalog.toolkit(slug)?.tools ?? [])
      : [...catalog.tools]
  const count = visibleTools.filter(isVisible).length
  return count > PRELOADED_MAX
    ? [`preload.tools: the filters show ${count} tools, and at most ${PRELOADED_MAX} can be preloaded`]
    : []
}

const configVisibility = (catalog: Catalog, { toolkits, tools, tags }: SessionConfig) =>
  visibilityFilter({ toolkits, tools, tags }, (slug) => catalog.entry(slug, LATEST_VERSION)?.slug ?? slug)

function experimentalProblems({ experimental }: SessionConfig): string[] {
  const zone = experimental?.assistive_prompt_config?.user_timezone
  return zone === undefined || isTimeZone(zone)
    ? []
    : [`experimental.assistive_prompt_config.user_timezone: ${zone} is not a time zone`]
}

function isTimeZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

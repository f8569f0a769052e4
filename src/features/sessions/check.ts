import { type Catalog, LATEST, visibility } from '../../catalog/index.ts'
import type { CreateSession } from '../../contract/sessions.ts'
import type { Acl } from '../../engine/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { toolsOf } from '../auth-configs/index.ts'
import { accountsForSession, type SessionAccount } from '../connected-accounts/index.ts'
import { type SessionConfig, settled } from './config.ts'

/** Tools that are listed at once, at most. */
export const PRELOADED_MAX = 1_000
const MISTAKES_TOLD = 50
const CONFIG_BYTES_MAX = 200_000

type Given = Omit<CreateSession, 'user_id' | 'experimental' | 'premium_usage'>

/** @throws ApiError 4301 that lists everything that is wrong */
export function refuse(mistakes: readonly string[]): void {
  if (mistakes.length)
    throw new ApiError(
      'ToolRouterV2_InvalidConfig',
      mistakes.length === 1
        ? (mistakes[0] as string)
        : `${mistakes.length} fields of the session cannot be used.`,
      { details: mistakes.slice(0, MISTAKES_TOLD) },
    )
}

/** Contradictions within a request, which no store knows better. */
export function contradictions({
  toolkits,
  tools,
  multi_account: multi,
  connected_accounts: accounts,
}: Given): string[] {
  return [
    ...(toolkits && (toolkits.enable === undefined) === (toolkits.disable === undefined)
      ? ['toolkits: give either enable or disable']
      : []),
    ...Object.entries(tools ?? {})
      .filter(([, lists]) => Object.values(lists).filter((one) => one !== undefined).length !== 1)
      .map(([toolkit]) => `tools.${toolkit}: give one of enable, disable and tags`),
    ...(multi?.enable === false &&
    (typeof multi.max_accounts_per_toolkit === 'number' ||
      typeof multi.require_explicit_selection === 'boolean')
      ? ['multi_account: enable is false, so nothing else of it can be given']
      : []),
    ...[tools, accounts]
      .flatMap((map) => twice(Object.keys(map ?? {})))
      .map((toolkit) => `${toolkit}: is given twice, in different case`),
  ]
}

const twice = (slugs: readonly string[]): string[] =>
  slugs.filter((slug, i) => slugs.findIndex((one) => one.toLowerCase() === slug.toLowerCase()) < i)

/** Blocks of which something has to be there. */
export type Checked =
  | 'toolkits'
  | 'tools'
  | 'tags'
  | 'auth_configs'
  | 'connected_accounts'
  | 'multi_account'
  | 'preload'
  | 'experimental'

/**
 * What a configuration names is there, and is the project's and the user's. Only the blocks that a request gives are judged: what was good once may since have gone, and must not stand
 * in the way of another change. @throws ApiError 4301
 */
export async function checkConfig(
  db: Db,
  catalog: Catalog,
  owner: { projectId: string; userId: string },
  config: SessionConfig,
  given: ReadonlySet<string>,
): Promise<void> {
  if (JSON.stringify(config).length > CONFIG_BYTES_MAX)
    refuse([`the configuration is longer than ${CONFIG_BYTES_MAX} characters`])
  const has = (...blocks: Checked[]) => blocks.some((block) => given.has(block))
  refuse([
    ...(has('toolkits') ? toolkitMistakes(catalog, config) : []),
    ...(has('tools') ? toolMistakes(catalog, config) : []),
    ...(has('auth_configs') ? await authConfigMistakes(db, catalog, owner.projectId, config) : []),
    ...(has('connected_accounts', 'multi_account') ? await accountMistakes(db, owner, config) : []),
    ...(has('preload', 'toolkits', 'tools', 'tags', 'multi_account') ? preloadMistakes(catalog, config) : []),
    ...(has('experimental') ? experimentMistakes(config) : []),
  ])
}

const toolkitMistakes = (catalog: Catalog, { toolkits }: SessionConfig): string[] =>
  !toolkits
    ? []
    : Object.entries(toolkits).flatMap(([list, slugs]) =>
        (slugs as readonly string[]).flatMap((slug, i) =>
          catalog.toolkit(slug) ? [] : [`toolkits.${list}[${i}]: there is no toolkit ${slug}`],
        ),
      )

function toolMistakes(catalog: Catalog, { tools = {} }: SessionConfig): string[] {
  return Object.entries(tools).flatMap(([toolkit, { enable, disable }]) => {
    if (!catalog.toolkit(toolkit)) return [`tools.${toolkit}: there is no toolkit ${toolkit}`]
    return [...(enable ?? []), ...(disable ?? [])]
      .filter((slug) => catalog.entry(slug, LATEST)?.toolkit !== toolkit)
      .map((slug) => `tools.${toolkit}: there is no tool ${slug} in ${toolkit}`)
  })
}

async function authConfigMistakes(
  db: Db,
  catalog: Catalog,
  projectId: string,
  { auth_configs: configs = {} }: SessionConfig,
): Promise<string[]> {
  const known = Object.keys(configs).length ? await toolsOf(db, projectId, Object.values(configs)) : []
  return Object.entries(configs).flatMap(([toolkit, id]) => {
    const found = known.find((one) => one.id === id)
    if (!catalog.toolkit(toolkit)) return [`auth_configs.${toolkit}: there is no toolkit ${toolkit}`]
    if (!found) return [`auth_configs.${toolkit}: there is no auth config ${id}`]
    return found.toolkit_slug === toolkit
      ? []
      : [`auth_configs.${toolkit}: ${id} belongs to ${found.toolkit_slug}`]
  })
}

async function accountMistakes(
  db: Db,
  { projectId, userId }: { projectId: string; userId: string },
  config: SessionConfig,
): Promise<string[]> {
  const pins = Object.entries(config.connected_accounts ?? {})
  const {
    multi_account: { enable: many, max_accounts_per_toolkit: most },
  } = settled(config)
  const known = pins.length
    ? await accountsForSession(db, projectId, userId, {
        toolkits: pins.map(([toolkit]) => toolkit),
        named: pins.flatMap(([, ids]) => ids),
      })
    : []
  return pins.flatMap(([toolkit, ids]) => {
    const at = `connected_accounts.${toolkit}`
    const found = ids.map((id) => ({
      id,
      account: known.find((one) => one.id === id && mayUse(one, userId)),
    }))
    const shared = found.filter(({ account }) => account?.account_type === 'SHARED')
    return [
      ...(ids.length > (many ? most : 1)
        ? [`${at}: ${many ? `at most ${most} accounts` : 'one account, unless multi_account is enabled'}`]
        : []),
      ...(shared.length > 1 ? [`${at}: at most one SHARED account`] : []),
      // Another user's, another project's and none at all are told alike.
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

const mayUse = ({ user_id: owner, account_type: type, acl }: SessionAccount, userId: string): boolean =>
  owner === userId || (type === 'SHARED' && acl !== null && isGranted(acl, userId))

/** Deny list, then everybody, then allow list. */
const isGranted = (
  { allow_all_users: all, allowed_user_ids: allowed = [], not_allowed_user_ids: denied = [] }: Acl,
  userId: string,
): boolean => !denied.includes(userId) && (all === true || allowed.includes(userId))

function preloadMistakes(catalog: Catalog, config: SessionConfig): string[] {
  const {
    preload: { tools },
  } = settled(config)
  if (tools === 'all') return preloadAllMistakes(catalog, config)
  if (tools.length > PRELOADED_MAX) return [`preload.tools: at most ${PRELOADED_MAX} tools`]
  const sees = seesOf(catalog, config)
  return tools.flatMap((slug, i) => {
    const entry = catalog.entry(slug, LATEST)
    if (!entry) return [`preload.tools[${i}]: there is no tool ${slug}`]
    return sees(entry) ? [] : [`preload.tools[${i}]: ${slug} is hidden by the filters of the session`]
  })
}

function preloadAllMistakes(catalog: Catalog, config: SessionConfig): string[] {
  const { toolkits, tools = {}, tags, multi_account: multi } = config
  const isNarrowed =
    (toolkits && 'enable' in toolkits) ||
    tags?.enable?.length ||
    Object.values(tools).some((lists) => lists.enable ?? lists.tags?.enable?.length)
  if (!isNarrowed)
    return ['preload.tools: all needs a filter that enables: toolkits.enable, tools with enable, or tags']
  if (multi?.enable) return ['preload.tools: all cannot be had together with multi_account']
  const sees = seesOf(catalog, config)
  const shown =
    toolkits && 'enable' in toolkits
      ? toolkits.enable.flatMap((slug) => catalog.toolkit(slug)?.tools ?? [])
      : [...catalog.tools]
  const count = shown.filter(sees).length
  return count > PRELOADED_MAX
    ? [`preload.tools: the filters show ${count} tools, and at most ${PRELOADED_MAX} can be preloaded`]
    : []
}

const seesOf = (catalog: Catalog, { toolkits, tools, tags }: SessionConfig) =>
  visibility({ toolkits, tools, tags }, (slug) => catalog.entry(slug, LATEST)?.slug ?? slug)

function experimentMistakes({ experimental }: SessionConfig): string[] {
  const zone = experimental?.assistive_prompt_config?.user_timezone
  return [
    ...(zone === undefined || isZone(zone)
      ? []
      : [`experimental.assistive_prompt_config.user_timezone: ${zone} is no time zone`]),
  ]
}

function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

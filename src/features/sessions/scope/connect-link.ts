import type { Toolkit } from '../../../catalog/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { SharedAccess } from '../../../engine/index.ts'
import { chooseSignIns, type SignInChoice } from '../../auth-configs/index.ts'
import type { SessionConnections } from './accounts.ts'
import type { ResolvedSessionConfig } from '../config/session-config.ts'
import type { SessionCaller } from './scope.ts'
import type { SessionRow } from '../store.ts'

/**
 * How an account is to be connected. `again`: the id of an account that stands, which is connected again and
 * keeps its id.
 */
export interface LinkOptions {
  readonly alias?: string | undefined
  readonly callbackUrl?: string | undefined
  readonly reconnectAccountId?: string | undefined
  readonly experimental?:
    | { account_type?: 'PRIVATE' | 'SHARED'; acl_config_for_shared?: SharedAccess }
    | undefined
}

/** `redirectUrl` is for the user's browser. */
export interface SessionLink {
  readonly linkToken: string
  readonly redirectUrl: string
  readonly connectedAccountId: string
  readonly authConfigId: string
  readonly expiresAt: string
}

export interface SessionLinkDeps {
  /** Auth configs of a toolkit that sessions may use, newest first, with their schemes. */
  listSessionAuthConfigs(projectId: string, toolkit: string): Promise<readonly SignInChoice[]>
  /** An auth config with the administrator's credentials. Returns undefined if there are none for the toolkit. */
  createManagedConfig(projectId: string, keyId: string, toolkit: string): Promise<string | undefined>
  createLink(
    projectId: string,
    authConfigId: string,
    draft: {
      user_id: string
      alias?: string
      callback_url?: string
      connected_account_id?: string
      alternative_auth_config_ids?: readonly string[]
      experimental?: NonNullable<LinkOptions['experimental']>
    },
  ): Promise<{ link_token: string; redirect_url: string; expires_at: string; connected_account_id: string }>
}

interface LinkTarget {
  caller: SessionCaller
  row: SessionRow
  config: ResolvedSessionConfig
  toolkit: Toolkit | undefined
  slug: string
}

/** A page on which the user of the session connects a toolkit that the session shows. @throws ApiError 400, 404 */
export async function createSessionLink(
  deps: SessionLinkDeps,
  { caller, row, config, toolkit, slug }: LinkTarget,
  options: LinkOptions,
  connections: (toolkits: readonly string[]) => Promise<ReadonlyMap<string, SessionConnections>>,
): Promise<SessionLink> {
  if (!toolkit)
    throw new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${slug.slice(0, 100)} not found in this session`)
  if (toolkit.noAuth) throw new ApiError('Auth_Config_NoAuthApp', `${toolkit.name} needs no connection.`)
  const { active, others, isPinned } = (await connections([toolkit.slug])).get(
    toolkit.slug,
  ) as SessionConnections
  const existing =
    options.reconnectAccountId === undefined
      ? undefined
      : [...active, ...others].find(({ id }) => id === options.reconnectAccountId)
  if (options.reconnectAccountId !== undefined && !existing)
    throw new ApiError(
      'ToolRouterV2_AccountRequired',
      `"${options.reconnectAccountId}" is no connected account of ${toolkit.slug} in this session.`,
    )
  if (isPinned && !existing)
    throw new ApiError(
      'ToolRouterV2_AccountPinned',
      `The session names its connected account of ${toolkit.slug}.`,
    )
  const { enable, max_accounts_per_toolkit: accountsMax } = config.multi_account
  if (enable && !existing && active.length >= accountsMax)
    throw new ApiError(
      'ToolRouterV2_InvalidConfig',
      `The user has ${active.length} connected accounts of ${toolkit.slug}; the session allows ${accountsMax}.`,
    )
  const [authConfigId, ...alternatives] = existing
    ? [existing.auth_config_id]
    : await chooseAuthConfigs(deps, caller, config, toolkit)
  const callback = options.callbackUrl ?? config.manage_connections.callback_url
  const link = await deps.createLink(row.project_id, authConfigId, {
    user_id: existing?.user_id ?? row.user_id,
    ...(options.alias ? { alias: options.alias } : {}),
    ...(callback ? { callback_url: callback } : {}),
    ...(existing ? { connected_account_id: existing.id } : {}),
    ...(alternatives.length > 0 ? { alternative_auth_config_ids: alternatives } : {}),
    ...(options.experimental ? { experimental: options.experimental } : {}),
  })
  const base = config.experimental?.link_url_overwrite
  return {
    linkToken: link.link_token,
    redirectUrl:
      base === undefined ? link.redirect_url : `${base.replace(/\/+$/, '')}/link/${link.link_token}`,
    connectedAccountId: link.connected_account_id,
    authConfigId,
    expiresAt: link.expires_at,
  }
}

/**
 * Returns the auth config that the session names, else those of the project: the newest, and for users who sign in
 * differently the newest of each other scheme. Without any, a new one with the administrator's credentials.
 */
async function chooseAuthConfigs(
  deps: SessionLinkDeps,
  { projectId, keyId }: SessionCaller,
  { auth_configs: configuredIds = {} }: ResolvedSessionConfig,
  toolkit: Toolkit,
): Promise<[string, ...string[]]> {
  if (Object.hasOwn(configuredIds, toolkit.slug)) return [configuredIds[toolkit.slug] as string]
  const [newest, ...others] = chooseSignIns(
    toolkit,
    await deps.listSessionAuthConfigs(projectId, toolkit.slug),
  )
  if (newest !== undefined) return [newest, ...others]
  const created = await deps.createManagedConfig(projectId, keyId, toolkit.slug)
  if (created === undefined)
    throw new ApiError(
      'ToolRouterV2_NoAuthConfig',
      `The project has no auth config for ${toolkit.name} (${toolkit.slug}) that sessions may use, and ` +
        'the administrator configured no credentials for it.',
    )
  return [created]
}

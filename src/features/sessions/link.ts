import type { Toolkit } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Acl } from '../../engine/index.ts'
import type { Connections } from './accounts.ts'
import type { SettledConfig } from './config.ts'
import type { Caller } from './scope.ts'
import type { SessionRow } from './store.ts'

/** How an account is to be connected. `again`: the id of an account that stands, which is connected again and keeps its id. */
export interface LinkWish {
  readonly alias?: string | undefined
  readonly callbackUrl?: string | undefined
  readonly again?: string | undefined
  readonly experimental?: { account_type?: 'PRIVATE' | 'SHARED'; acl_config_for_shared?: Acl } | undefined
}

/** `redirectUrl` is for the user's browser. */
export interface Link {
  readonly linkToken: string
  readonly redirectUrl: string
  readonly connectedAccountId: string
  readonly authConfigId: string
  readonly expiresAt: string
}

export interface LinkDeps {
  /** Auth configs of a toolkit that sessions may use, newest first. */
  configsForSessions(projectId: string, toolkit: string): Promise<readonly string[]>
  /** An auth config with the operator's credentials; undefined where there are none for the toolkit. */
  createManagedConfig(projectId: string, keyId: string, toolkit: string): Promise<string | undefined>
  createLink(
    projectId: string,
    authConfigId: string,
    draft: {
      user_id: string
      alias?: string
      callback_url?: string
      connected_account_id?: string
      experimental?: NonNullable<LinkWish['experimental']>
    },
  ): Promise<{ link_token: string; redirect_url: string; expires_at: string; connected_account_id: string }>
}

interface About {
  caller: Caller
  row: SessionRow
  config: SettledConfig
  toolkit: Toolkit | undefined
  slug: string
}

/** A page on which the user of the session connects a toolkit that the session shows. @throws ApiError 400, 404 */
export async function linkFor(
  deps: LinkDeps,
  { caller, row, config, toolkit, slug }: About,
  wish: LinkWish,
  connections: (toolkits: readonly string[]) => Promise<ReadonlyMap<string, Connections>>,
): Promise<Link> {
  if (!toolkit)
    throw new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${slug.slice(0, 100)} not found in this session`)
  if (toolkit.noAuth) throw new ApiError('Auth_Config_NoAuthApp', `${toolkit.name} needs no connection.`)
  const { active, others, isPinned } = (await connections([toolkit.slug])).get(toolkit.slug) as Connections
  const again =
    wish.again === undefined ? undefined : [...active, ...others].find(({ id }) => id === wish.again)
  if (wish.again !== undefined && !again)
    throw new ApiError(
      'ToolRouterV2_AccountRequired',
      `"${wish.again}" is no connected account of ${toolkit.slug} in this session.`,
    )
  if (isPinned && !again)
    throw new ApiError(
      'ToolRouterV2_AccountPinned',
      `The session names its connected account of ${toolkit.slug}.`,
    )
  const { enable, max_accounts_per_toolkit: most } = config.multi_account
  if (enable && !again && active.length >= most)
    throw new ApiError(
      'ToolRouterV2_InvalidConfig',
      `The user has ${active.length} connected accounts of ${toolkit.slug}; the session allows ${most}.`,
    )
  const authConfigId = again?.auth_config_id ?? (await configFor(deps, caller, config, toolkit))
  const callback = wish.callbackUrl ?? config.manage_connections.callback_url
  const made = await deps.createLink(row.project_id, authConfigId, {
    user_id: again?.user_id ?? row.user_id,
    ...(wish.alias ? { alias: wish.alias } : {}),
    ...(callback ? { callback_url: callback } : {}),
    ...(again ? { connected_account_id: again.id } : {}),
    ...(wish.experimental ? { experimental: wish.experimental } : {}),
  })
  const base = config.experimental?.link_url_overwrite
  return {
    linkToken: made.link_token,
    redirectUrl:
      base === undefined ? made.redirect_url : `${base.replace(/\/+$/, '')}/link/${made.link_token}`,
    connectedAccountId: made.connected_account_id,
    authConfigId,
    expiresAt: made.expires_at,
  }
}

/** The auth config that the session names, else the newest of the project, else one with the operator's credentials, made now. */
async function configFor(
  deps: LinkDeps,
  { projectId, keyId }: Caller,
  { auth_configs: named = {} }: SettledConfig,
  toolkit: Toolkit,
): Promise<string> {
  if (Object.hasOwn(named, toolkit.slug)) return named[toolkit.slug] as string
  const [newest] = await deps.configsForSessions(projectId, toolkit.slug)
  const config = newest ?? (await deps.createManagedConfig(projectId, keyId, toolkit.slug))
  if (config === undefined)
    throw new ApiError(
      'ToolRouterV2_NoAuthConfig',
      `The project has no auth config for ${toolkit.name} (${toolkit.slug}) that sessions may use, and there are no credentials of the operator.`,
    )
  return config
}

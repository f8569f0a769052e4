import {
  type Catalog,
  type CatalogOf,
  type ResolvedTool,
  LATEST_VERSION,
  type ToolRef,
  type Toolkit,
  type ToolEntry,
} from '../../../catalog/index.ts'
import type { ExecuteTool, ToolExecution, ToolCall } from '../../../engine/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { ProjectSettings } from '../../../contract/projects/call-settings.ts'
import { clientInfoFrom } from '../../../platform/http/client-info.ts'
import type { Logger } from '../../../platform/log.ts'
import type { SessionAccount } from '../../connected-accounts/index.ts'
import { chooseSessionAccount, type SessionConnections, selectConnections } from './accounts.ts'
import { type ResolvedSessionConfig, resolveConfig } from '../config/session-config.ts'
import {
  type SessionLink,
  type SessionLinkDeps,
  createSessionLink,
  type LinkOptions,
} from './connect-link.ts'
import type { SessionRow } from '../store.ts'
import { visibilityMethods } from './visibility.ts'

/** Who calls: the project, and the request that this is part of. */
export interface SessionCaller {
  readonly projectId: string
  readonly keyId: string
  readonly settings: ProjectSettings
  readonly requestId: string
  readonly log: Logger
  readonly source: ToolCall['source']
}

/** Reads the caller from a request. */
export const readSessionCaller = ({
  projectId,
  keyId,
  settings,
  requestId,
  log,
  header,
}: Omit<SessionCaller, 'source'> & { header(name: string): string | undefined }): SessionCaller => ({
  projectId,
  keyId,
  settings,
  requestId,
  log,
  source: clientInfoFrom({ header }),
})

/**
 * The options of a tool call within a session. `account`: id, word id or alias. `parentLogId`: the log id of
 * the meta tool that makes the call.
 */
export interface ToolCallOptions {
  readonly account?: string | undefined
  readonly signal: AbortSignal
  readonly parentLogId?: string | undefined
}

/**
 * Everything that one request may do within a session. REST, meta tools and MCP all use it, so that none of
 * them can run a hidden tool. A scope is created for each request and uses one catalog.
 */
export interface SessionScope {
  readonly projectId: string
  readonly sessionId: string
  readonly userId: string
  readonly config: ResolvedSessionConfig
  readonly configVersion: number
  readonly caller: SessionCaller
  readonly catalog: Catalog
  /** Whether a tool exists in this session. */
  isVisible(tool: ToolRef): boolean
  /** Finds a visible tool by its slug or a former slug, in any case. */
  find(slug: string): ResolvedTool | undefined
  /** Lists the toolkits with at least one visible tool, in the order of the catalog. */
  toolkits(): readonly Toolkit[]
  /** Finds a toolkit with at least one visible tool. */
  toolkit(slug: string): Toolkit | undefined
  /** Iterates the visible tools by toolkit, in each toolkit the important ones first. */
  tools(): Iterable<ToolEntry>
  /** Reads the session's accounts of these toolkits from the database, by slug. */
  connections(toolkits: readonly string[]): Promise<ReadonlyMap<string, SessionConnections>>
  /** Returns the slugs of toolkits that need no connection, or of which the session has an active account. */
  usableToolkits(): Promise<ReadonlySet<string>>
  /** Returns the account for a call of the toolkit, or undefined if it needs none. @throws ApiError 4302, 4303 */
  account(toolkit: Toolkit, requested?: string): Promise<SessionAccount | undefined>
  /**
   * Runs one tool. An error of the application is part of the result.
   * @throws ApiError if the call was not sent: 404 for a hidden tool, 4302, 4303, and errors of the engine
   */
  execute(slug: string, args: Record<string, unknown>, call: ToolCallOptions): Promise<ToolExecution>
  /** Creates a page on which the user connects the toolkit. @throws ApiError 400, 404 */
  link(toolkit: string, options?: LinkOptions): Promise<SessionLink>
}

export interface SessionScopeDeps extends SessionLinkDeps {
  catalogOf: CatalogOf
  execute: ExecuteTool
  /** Runs a recipe of the user by its tool slug. Returns undefined if it does not exist. */
  runRecipe?(
    scope: SessionScope,
    slug: string,
    args: Record<string, unknown>,
    call: ToolCallOptions,
  ): Promise<ToolExecution | undefined>
  /** Lists the user's accounts of toolkits, and those with the ids, most recently connected first. */
  accountsForSession(
    projectId: string,
    userId: string,
    which: { toolkits?: readonly string[] | undefined; ids: readonly string[] },
  ): Promise<readonly SessionAccount[]>
}

export async function openScope(
  deps: SessionScopeDeps,
  caller: SessionCaller,
  row: SessionRow,
): Promise<SessionScope> {
  const catalog = await deps.catalogOf(caller.projectId)
  const config = resolveConfig(row.config)
  const accounts = accountMethods(deps, caller, row, config)
  const visible = visibilityMethods(catalog, row, config)
  const scope: SessionScope = {
    projectId: caller.projectId,
    sessionId: row.id,
    userId: row.user_id,
    config,
    configVersion: row.config_version,
    caller,
    catalog,
    ...visible,
    ...accounts,
    usableToolkits: async () =>
      new Set([
        ...catalog.toolkits.filter(({ noAuth }) => noAuth).map(({ slug }) => slug),
        ...(await accounts.connectedToolkits()),
      ]),
    execute: (slug, args, options) => executeInScope(deps, scope, slug, args, options),
    link: (slug, options = {}) =>
      createSessionLink(
        deps,
        { caller, row, config, toolkit: visible.toolkit(slug), slug },
        options,
        accounts.connections,
      ),
  }
  return scope
}

function accountMethods(
  deps: SessionScopeDeps,
  { projectId }: SessionCaller,
  row: SessionRow,
  config: ResolvedSessionConfig,
): Pick<SessionScope, 'connections' | 'account'> & { connectedToolkits(): Promise<readonly string[]> } {
  const pinnedAccountIds = Object.values(config.connected_accounts ?? {}).flat()
  const connections: SessionScope['connections'] = async (slugs) => {
    const accounts = slugs.length
      ? await deps.accountsForSession(projectId, row.user_id, { toolkits: slugs, ids: pinnedAccountIds })
      : []
    return new Map(slugs.map((slug) => [slug, selectConnections(config, accounts, slug)]))
  }
  return {
    connections,
    async connectedToolkits() {
      const accounts = await deps.accountsForSession(projectId, row.user_id, { ids: pinnedAccountIds })
      const slugs = new Set(accounts.map(({ toolkit_slug: slug }) => slug))
      return [...slugs].filter((slug) => selectConnections(config, accounts, slug).active.length > 0)
    },
    async account(toolkit, requested) {
      if (toolkit.noAuth) return undefined
      const byToolkit = await connections([toolkit.slug])
      return chooseSessionAccount(
        config,
        toolkit,
        byToolkit.get(toolkit.slug) as SessionConnections,
        requested,
      )
    },
  }
}

async function executeInScope(
  deps: SessionScopeDeps,
  scope: SessionScope,
  slug: string,
  args: Record<string, unknown>,
  options: ToolCallOptions,
): Promise<ToolExecution> {
  const { account: requested, signal, parentLogId } = options
  const resolvedTool = scope.find(slug)
  const recipeResult = resolvedTool ? undefined : await deps.runRecipe?.(scope, slug, args, options)
  if (recipeResult) return recipeResult
  if (!resolvedTool)
    throw new ApiError('Tool_ToolNotFound', `Tool ${slug.slice(0, 100)} not found in this session`)
  const account =
    resolvedTool.tool.noAuth && requested === undefined
      ? undefined
      : await scope.account(resolvedTool.toolkit, requested)
  const { projectId, settings, requestId, log, source } = scope.caller
  return deps.execute({
    projectId,
    settings,
    requestId,
    log,
    signal,
    source,
    toolSlug: resolvedTool.tool.slug,
    version: LATEST_VERSION,
    userId: scope.userId,
    connectedAccountId: account?.id,
    arguments: args,
    parent: { sessionId: scope.sessionId, ...(parentLogId === undefined ? {} : { logId: parentLogId }) },
  })
}

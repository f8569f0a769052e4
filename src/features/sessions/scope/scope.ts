import {
  type Catalog,
  type CatalogOf,
  type ResolvedTool,
  LATEST_VERSION,
  type ToolRef,
  type Toolkit,
  type ToolEntry,
  visibilityFilter,
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

/** Who calls: the project, and the request that this is part of. */
export interface SessionCaller {
  readonly projectId: string
  readonly keyId: string
  readonly settings: ProjectSettings
  readonly requestId: string
  readonly log: Logger
  readonly source: ToolCall['source']
}

/** The caller of a route. */
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

/** One call of a tool within a session. `account`: id, word id or alias; `parentLogId`: the log id of the meta tool that it is part of. */
export interface ToolCallOptions {
  readonly account?: string | undefined
  readonly signal: AbortSignal
  readonly parentLogId?: string | undefined
}

/**
 * What one request may do within a session. Every door (REST, meta tools, MCP) goes through it, so that what the session does not show cannot be run by any of them.
 * It is made for a request, with one catalogue, and forgotten with it.
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
  /** A tool that the session shows, by its present or a former slug in any case; undefined for a hidden one and for one that is not there, alike. */
  find(slug: string): ResolvedTool | undefined
  /** Toolkits with at least one tool that the session shows, in the order of the catalogue. */
  toolkits(): readonly Toolkit[]
  /** A toolkit that the session shows. */
  toolkit(slug: string): Toolkit | undefined
  /** Tools that the session shows: by toolkit, in each the important ones first. */
  tools(): Iterable<ToolEntry>
  /** The session's accounts of these toolkits, by slug, as the database has them now. */
  connections(toolkits: readonly string[]): Promise<ReadonlyMap<string, SessionConnections>>
  /** The account that a call of the toolkit uses; undefined where none is needed. @throws ApiError 4302, 4303 */
  account(toolkit: Toolkit, requested?: string): Promise<SessionAccount | undefined>
  /** Runs one tool. What the application refuses is in the answer. @throws ApiError where the call did not reach it: 404 for a tool that the session does not show, 4302, 4303, and those of the engine */
  execute(slug: string, args: Record<string, unknown>, call: ToolCallOptions): Promise<ToolExecution>
  /** A page on which the user connects the toolkit. @throws ApiError 400, 404 */
  link(toolkit: string, wish?: LinkOptions): Promise<SessionLink>
}

export interface SessionScopeDeps extends SessionLinkDeps {
  catalogOf: CatalogOf
  execute: ExecuteTool
  /** Runs what is no tool of the catalogue, such as a recipe of the user; undefined when there is nothing of that name. */
  runRecipe?(
    scope: SessionScope,
    slug: string,
    args: Record<string, unknown>,
    call: ToolCallOptions,
  ): Promise<ToolExecution | undefined>
  /** The user's accounts of toolkits, and those named, most recently connected first. */
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
  const { projectId, settings, requestId, log, source } = caller
  const catalog = await deps.catalogOf(projectId)
  const config = resolveConfig(row.config)
  const sees = toolVisibility(catalog, row)
  // Tools are read only where something of the configuration is about them.
  const isNarrowed = (slug: string) =>
    config.tags !== undefined ||
    Object.hasOwn(config.tools ?? {}, slug) ||
    row.configs.some(({ toolkit }) => toolkit === slug)
  const isToolkitVisible = (toolkit: Toolkit) =>
    isNarrowed(toolkit.slug)
      ? toolkit.tools.some(sees)
      : toolkit.toolCount > 0 && sees({ slug: '', toolkit: toolkit.slug, tags: [] })
  const pinnedAccountIds = Object.values(config.connected_accounts ?? {}).flat()

  const find = (slug: string): ResolvedTool | undefined => {
    const entry = catalog.entry(slug.toUpperCase(), LATEST_VERSION)
    return entry && sees(entry) ? catalog.tool(entry.slug, LATEST_VERSION) : undefined
  }
  const toolkit = (slug: string): Toolkit | undefined => {
    const resolvedTool = catalog.toolkit(slug)
    return resolvedTool && isToolkitVisible(resolvedTool) ? resolvedTool : undefined
  }
  const toolkits = (): readonly Toolkit[] =>
    (config.toolkits && 'enable' in config.toolkits
      ? [...new Set(config.toolkits.enable)].flatMap((slug) => catalog.toolkit(slug) ?? [])
      : catalog.toolkits
    ).filter(isToolkitVisible)
  const connections = async (slugs: readonly string[]): Promise<ReadonlyMap<string, SessionConnections>> => {
    const accounts = slugs.length
      ? await deps.accountsForSession(projectId, row.user_id, { toolkits: slugs, ids: pinnedAccountIds })
      : []
    return new Map(slugs.map((slug) => [slug, selectConnections(config, accounts, slug)]))
  }
  const account = async (toolkit: Toolkit, requested?: string): Promise<SessionAccount | undefined> =>
    toolkit.noAuth
      ? undefined
      : chooseSessionAccount(
          config,
          toolkit,
          (await connections([toolkit.slug])).get(toolkit.slug) as SessionConnections,
          requested,
        )

  const scope: SessionScope = {
    projectId,
    sessionId: row.id,
    userId: row.user_id,
    config,
    configVersion: row.config_version,
    caller,
    catalog,
    isVisible: sees,
    find,
    toolkit,
    toolkits,
    connections,
    account,
    *tools() {
      for (const { tools } of toolkits()) for (const tool of tools) if (sees(tool)) yield tool
    },
    async execute(slug, args, call) {
      const { account: requested, signal, parentLogId } = call
      const resolvedTool = find(slug)
      const recipeResult = resolvedTool ? undefined : await deps.runRecipe?.(scope, slug, args, call)
      if (recipeResult) return recipeResult
      if (!resolvedTool)
        throw new ApiError('Tool_ToolNotFound', `Tool ${slug.slice(0, 100)} not found in this session`)
      const chosen =
        resolvedTool.tool.noAuth && requested === undefined
          ? undefined
          : await account(resolvedTool.toolkit, requested)
      return deps.execute({
        projectId,
        settings,
        requestId,
        log,
        signal,
        source,
        toolSlug: resolvedTool.tool.slug,
        version: LATEST_VERSION,
        userId: row.user_id,
        connectedAccountId: chosen?.id,
        arguments: args,
        parent: { sessionId: row.id, ...(parentLogId === undefined ? {} : { logId: parentLogId }) },
      })
    },
    link: (slug, wish = {}) =>
      createSessionLink(deps, { caller, row, config, toolkit: toolkit(slug), slug }, wish, connections),
  }
  return scope
}

/** Returns the filter of the configuration, restricted to the tools that its auth configs allow. */
function toolVisibility(
  catalog: Catalog,
  { config: { toolkits, tools, tags }, configs }: SessionRow,
): (tool: ToolRef) => boolean {
  const allowed = new Map(
    [...Map.groupBy(configs, ({ toolkit }) => toolkit)].map(([toolkit, toolkitConfigs]) => {
      // The auth configs of pinned accounts take precedence over the one for new accounts.
      const pinned = toolkitConfigs.filter((config) => config.pinned)
      const relevant = pinned.length > 0 ? pinned : toolkitConfigs
      const allowsAll = relevant.some(({ tools: allowedTools }) => !allowedTools.length)
      return [toolkit, allowsAll ? null : relevant.flatMap((config) => config.tools)] as const
    }),
  )
  const currentSlug = (slug: string) => catalog.entry(slug, LATEST_VERSION)?.slug ?? slug
  return visibilityFilter({ toolkits, tools, tags, allowed }, currentSlug)
}

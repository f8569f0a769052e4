import {
  type Catalog,
  type CatalogOf,
  type FoundTool,
  LATEST,
  type Seen,
  type Toolkit,
  type ToolEntry,
  visibility,
} from '../../catalog/index.ts'
import type { Execute, Executed, Execution } from '../../engine/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { ProjectSettings } from '../../platform/http/call.ts'
import { sourceOf } from '../../platform/http/source.ts'
import type { Logger } from '../../platform/log.ts'
import type { SessionAccount } from '../connected-accounts/index.ts'
import { chooseAccount, type Connections, connectionsOf } from './accounts.ts'
import { type SettledConfig, settled } from './config.ts'
import { type Link, type LinkDeps, linkFor, type LinkWish } from './link.ts'
import type { SessionRow } from './store.ts'

/** Who calls: the project, and the request that this is part of. */
export interface Caller {
  readonly projectId: string
  readonly keyId: string
  readonly settings: ProjectSettings
  readonly requestId: string
  readonly log: Logger
  readonly source: Execution['source']
}

/** The caller of a route. */
export const callerOf = ({
  projectId,
  keyId,
  settings,
  requestId,
  log,
  header,
}: Omit<Caller, 'source'> & { header(name: string): string | undefined }): Caller => ({
  projectId,
  keyId,
  settings,
  requestId,
  log,
  source: sourceOf({ header }),
})

/** One call of a tool within a session. `account`: id, word id or alias; `parentLogId`: the log id of the meta tool that it is part of. */
export interface SessionCall {
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
  readonly config: SettledConfig
  readonly configVersion: number
  readonly caller: Caller
  readonly catalog: Catalog
  /** Whether a tool exists in this session. */
  sees(tool: Seen): boolean
  /** A tool that the session shows, by its present or a former slug in any case; undefined for a hidden one and for one that is not there, alike. */
  find(slug: string): FoundTool | undefined
  /** Toolkits with at least one tool that the session shows, in the order of the catalogue. */
  toolkits(): readonly Toolkit[]
  /** A toolkit that the session shows. */
  toolkit(slug: string): Toolkit | undefined
  /** Tools that the session shows: by toolkit, in each the important ones first. */
  tools(): Iterable<ToolEntry>
  /** The session's accounts of these toolkits, by slug, as the database has them now. */
  connections(toolkits: readonly string[]): Promise<ReadonlyMap<string, Connections>>
  /** The account that a call of the toolkit uses; undefined where none is needed. @throws ApiError 4302, 4303 */
  account(toolkit: Toolkit, wanted?: string): Promise<SessionAccount | undefined>
  /** Runs one tool. What the application refuses is in the answer. @throws ApiError where the call did not reach it: 404 for a tool that the session does not show, 4302, 4303, and those of the engine */
  execute(slug: string, args: Record<string, unknown>, call: SessionCall): Promise<Executed>
  /** A page on which the user connects the toolkit. @throws ApiError 400, 404 */
  link(toolkit: string, wish?: LinkWish): Promise<Link>
}

export interface ScopeDeps extends LinkDeps {
  catalogOf: CatalogOf
  execute: Execute
  /** Runs what is no tool of the catalogue, such as a recipe of the user; undefined when there is nothing of that name. */
  runOther?(
    scope: SessionScope,
    slug: string,
    args: Record<string, unknown>,
    call: SessionCall,
  ): Promise<Executed | undefined>
  /** The user's accounts of toolkits, and those named, most recently connected first. */
  accountsForSession(
    projectId: string,
    userId: string,
    which: { toolkits?: readonly string[] | undefined; named: readonly string[] },
  ): Promise<readonly SessionAccount[]>
}

export async function openScope(deps: ScopeDeps, caller: Caller, row: SessionRow): Promise<SessionScope> {
  const { projectId, settings, requestId, log, source } = caller
  const catalog = await deps.catalogOf(projectId)
  const config = settled(row.config)
  const sees = sightOf(catalog, row)
  // Tools are read only where something of the configuration is about them.
  const isNarrowed = (slug: string) =>
    config.tags !== undefined ||
    Object.hasOwn(config.tools ?? {}, slug) ||
    row.configs.some(({ toolkit }) => toolkit === slug)
  const shows = (toolkit: Toolkit) =>
    isNarrowed(toolkit.slug)
      ? toolkit.tools.some(sees)
      : toolkit.toolCount > 0 && sees({ slug: '', toolkit: toolkit.slug, tags: [] })
  const pins = Object.values(config.connected_accounts ?? {}).flat()

  const find = (slug: string): FoundTool | undefined => {
    const entry = catalog.entry(slug.toUpperCase(), LATEST)
    return entry && sees(entry) ? catalog.tool(entry.slug, LATEST) : undefined
  }
  const toolkit = (slug: string): Toolkit | undefined => {
    const found = catalog.toolkit(slug)
    return found && shows(found) ? found : undefined
  }
  const toolkits = (): readonly Toolkit[] =>
    (config.toolkits && 'enable' in config.toolkits
      ? [...new Set(config.toolkits.enable)].flatMap((slug) => catalog.toolkit(slug) ?? [])
      : catalog.toolkits
    ).filter(shows)
  const connections = async (slugs: readonly string[]): Promise<ReadonlyMap<string, Connections>> => {
    const accounts = slugs.length
      ? await deps.accountsForSession(projectId, row.user_id, { toolkits: slugs, named: pins })
      : []
    return new Map(slugs.map((slug) => [slug, connectionsOf(config, accounts, slug)]))
  }
  const account = async (of: Toolkit, wanted?: string): Promise<SessionAccount | undefined> =>
    of.noAuth
      ? undefined
      : chooseAccount(config, of, (await connections([of.slug])).get(of.slug) as Connections, wanted)

  const scope: SessionScope = {
    projectId,
    sessionId: row.id,
    userId: row.user_id,
    config,
    configVersion: row.config_version,
    caller,
    catalog,
    sees,
    find,
    toolkit,
    toolkits,
    connections,
    account,
    *tools() {
      for (const { tools } of toolkits()) for (const tool of tools) if (sees(tool)) yield tool
    },
    async execute(slug, args, call) {
      const { account: wanted, signal, parentLogId } = call
      const found = find(slug)
      const other = found ? undefined : await deps.runOther?.(scope, slug, args, call)
      if (other) return other
      if (!found)
        throw new ApiError('Tool_ToolNotFound', `Tool ${slug.slice(0, 100)} not found in this session`)
      const chosen =
        found.tool.noAuth && wanted === undefined ? undefined : await account(found.toolkit, wanted)
      return deps.execute({
        projectId,
        settings,
        requestId,
        log,
        signal,
        source,
        toolSlug: found.tool.slug,
        version: LATEST,
        userId: row.user_id,
        connectedAccountId: chosen?.id,
        arguments: args,
        within: { sessionId: row.id, ...(parentLogId === undefined ? {} : { logId: parentLogId }) },
      })
    },
    link: (slug, wish = {}) =>
      linkFor(deps, { caller, row, config, toolkit: toolkit(slug), slug }, wish, connections),
  }
  return scope
}

/** What the configuration shows, narrowed by the tools that its auth configs allow. */
function sightOf(
  catalog: Catalog,
  { config: { toolkits, tools, tags }, configs }: SessionRow,
): (tool: Seen) => boolean {
  const allowed = new Map(
    [...Map.groupBy(configs, ({ toolkit }) => toolkit)].map(([toolkit, of]) => {
      // Named accounts go before the auth config that is named for new ones.
      const deciding = of.some(({ pinned }) => pinned) ? of.filter(({ pinned }) => pinned) : of
      return [
        toolkit,
        deciding.some((one) => !one.tools.length) ? null : deciding.flatMap((one) => one.tools),
      ] as const
    }),
  )
  return visibility({ toolkits, tools, tags, allowed }, (slug) => catalog.entry(slug, LATEST)?.slug ?? slug)
}

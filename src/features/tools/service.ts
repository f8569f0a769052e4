import {
  type Catalog,
  type CatalogOf,
  describeMissingTool,
  FIRST_VERSION,
  LATEST_VERSION,
  parameterFormatFor,
  type ResolvedTool,
  searchReady,
  selectEntries,
  type ToolFilter,
} from '../../catalog/index.ts'
import type { ParameterFormat } from '../../contract/projects/call-settings.ts'
import type { ApiVersion } from '../../contract/route.ts'
import type * as contract from '../../contract/tools/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Call } from '../../platform/http/call.ts'
import { runInSlices } from '../../platform/http/turns/run-in-slices.ts'
import { type Page, pageOf, readPage } from '../../platform/http/paging.ts'
import type { SimilarityTo } from './embeddings/index.ts'
import { explainSearch } from './explain-search.ts'
import { toolPresenter } from './listed-tools.ts'
import { presentTool, withSchemaFormat } from './present-tool.ts'

export interface ToolCatalogDeps {
  catalogOf: CatalogOf
  logo(slug: string): string
  /** Form of parameters under v3, in projects that do not choose one. */
  v3ParameterFormat: ParameterFormat
  /** Returns toolkit and allowed tools (empty: all) of auth configs. @throws ApiError for an unknown id */
  /** Default: searches use words only. */
  similarityTo?: SimilarityTo | undefined
  toolsOfAuthConfigs(
    projectId: string,
    ids: readonly string[],
  ): Promise<readonly { toolkit: string; tools: readonly string[] }[]>
}

/** v3 pins the first version of a toolkit, v3.1 follows the newest release. */
export const defaultVersion = (apiVersion: ApiVersion): string =>
  apiVersion === 'v3' ? FIRST_VERSION : LATEST_VERSION

export async function listTools(
  deps: ToolCatalogDeps,
  { projectId, query, apiVersion, settings }: Call<typeof contract.listTools>,
) {
  const catalog = await deps.catalogOf(projectId)
  const text = query.query ?? query.search
  if (query.explain && !text?.trim())
    throw badRequest('Error in query.explain: explains the order of a search, so it needs `query`')
  const notSearched = text ? await searchReady(catalog) : []
  const page = readPage(query)
  const slugs = query.tool_slugs?.length ? query.tool_slugs : undefined
  // Slugs override every other filter, auth configs included.
  const configIds = slugs ? undefined : query.auth_config_ids
  const filter: ToolFilter = {
    slugs,
    toolkits: query.toolkit_slug,
    tags: query.tags,
    important: query.important === 'true' || undefined,
    scopes: query.scopes,
    includeDeprecated: query.include_deprecated,
    query: text,
    similarity: text && !slugs ? await deps.similarityTo?.(projectId, catalog, text) : undefined,
    versions: lowerCaseSlugs(query.toolkit_versions),
    defaultVersion: defaultVersion(apiVersion),
    allowed: configIds?.length ? await allowedTools(deps, projectId, configIds) : undefined,
  }
  const format = parameterFormatFor({ apiVersion, settings }, deps.v3ParameterFormat)
  return runInSlices(presentPage(deps, catalog, filter, { page, format, query, notSearched }))
}

/** Yields after each toolkit and tool: a thousand tools take a third of a second when they are read from files. */
function* presentPage(
  { logo }: ToolCatalogDeps,
  catalog: Catalog,
  filter: ToolFilter,
  {
    page,
    format,
    query,
    notSearched,
  }: {
    page: Page
    format: ParameterFormat
    /** Toolkits that the search leaves out. */
    notSearched: readonly string[]
  } & Pick<Call<typeof contract.listTools>, 'query'>,
) {
  if (!filter.slugs && !filter.toolkits && !filter.allowed) yield* readEntries(catalog, notSearched)
  const selected = selectEntries(catalog, filter)
  const present = toolPresenter({ catalog, filter, logo, format, dialect: query.dialect })
  const visible: string[] = []
  const presented: contract.Tool[] = []
  for (const entry of selected.slice(page.offset, page.offset + page.limit)) {
    const tool = present(entry)
    if (tool) {
      visible.push(entry.slug)
      presented.push(tool)
    }
    yield
  }
  return {
    ...pageOf(presented, selected.length, page),
    ...(query.explain && filter.query && !filter.slugs
      ? { explanation: explainSearch(catalog, { ...filter, query: filter.query }, visible) }
      : {}),
    ...(notSearched.length > 0 && !filter.slugs ? { toolkits_not_searched: [...notSearched] } : {}),
  }
}

/** Reads the entries of tools that are not in memory yet, toolkit by toolkit: those of all take a tenth of a second. */
function* readEntries({ toolkits }: Catalog, except: readonly string[]): Generator<void, void> {
  for (const toolkit of toolkits) {
    if (except.includes(toolkit.slug)) continue
    // The list of a toolkit is read from its files when this is used for the first time.
    void toolkit.tools
    yield
  }
}

/** Several auth configs of one toolkit allow all tools that one of them allows. A config without a list allows all. */
async function allowedTools(
  { toolsOfAuthConfigs }: ToolCatalogDeps,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, readonly string[] | null>> {
  const byToolkit = Map.groupBy(await toolsOfAuthConfigs(projectId, ids), ({ toolkit }) => toolkit)
  return new Map(
    [...byToolkit].map(([toolkit, configs]) => [
      toolkit,
      configs.some(({ tools }) => !tools.length) ? null : configs.flatMap(({ tools }) => tools),
    ]),
  )
}

export async function readTool(
  { catalogOf, logo, v3ParameterFormat }: ToolCatalogDeps,
  { projectId, params, query, apiVersion, settings }: Call<typeof contract.readTool>,
): Promise<contract.Tool> {
  const catalog = await catalogOf(projectId)
  const version =
    query.version ??
    requestedVersion(catalog, params.tool_slug, query.toolkit_versions) ??
    defaultVersion(apiVersion)
  const tool = requireTool(catalog, params.tool_slug, version)
  const format = parameterFormatFor({ apiVersion, settings }, v3ParameterFormat)
  return withSchemaFormat(tool, presentTool(tool, catalog, logo, format), query.dialect)
}

/** Returns the scopes that tools of one toolkit require, together and for each tool. */
export async function requiredScopes(
  { catalogOf }: ToolCatalogDeps,
  { projectId, body, apiVersion }: Call<typeof contract.requiredScopes>,
) {
  const catalog = await catalogOf(projectId)
  const version = body.version ?? defaultVersion(apiVersion)
  const tools = body.tools.map((slug) => requireTool(catalog, slug, version))
  const toolkits = new Set(tools.map(({ toolkit }) => toolkit.slug))
  if (toolkits.size > 1) {
    throw badRequest(`Error in payload.tools: must belong to one toolkit, not to ${[...toolkits].join(', ')}`)
  }
  const scopes = tools.flatMap(({ tool }) =>
    (tool.scopeRequirements?.all_of ?? []).map((scope) =>
      typeof scope === 'string' ? scope : (scope.any_of[0] as string),
    ),
  )
  return {
    scopes_required: [...new Set(scopes)],
    per_tool_requirements: tools.map(({ tool }) => ({
      tool: tool.slug,
      scope_requirements: tool.scopeRequirements as contract.Tool['scope_requirements'],
    })),
  }
}

function requireTool(catalog: Catalog, slug: string, version: string): ResolvedTool {
  const tool = catalog.tool(slug, version)
  if (!tool) throw new ApiError('Tool_ToolNotFound', describeMissingTool(catalog, slug, version))
  return tool
}

type Versions = string | Readonly<Record<string, string>> | undefined

/** Slugs of toolkits are accepted in any case. */
const lowerCaseSlugs = (versions: Versions): Versions =>
  typeof versions === 'object'
    ? Object.fromEntries(Object.entries(versions).map(([slug, version]) => [slug.toLowerCase(), version]))
    : versions

/** Returns the version that `toolkit_versions` contains for the toolkit of a tool. */
function requestedVersion(catalog: Catalog, toolSlug: string, toolkitVersions: Versions): string | undefined {
  const versions = lowerCaseSlugs(toolkitVersions)
  if (typeof versions !== 'object') return versions
  const tool = catalog.tool(toolSlug, LATEST_VERSION) ?? catalog.tool(toolSlug, FIRST_VERSION)
  const toolkit = tool?.toolkit.slug
  return toolkit && Object.hasOwn(versions, toolkit) ? versions[toolkit] : undefined
}

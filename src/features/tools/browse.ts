import { type Catalog, type CatalogOf, FIRST_VERSION, LATEST_VERSION, selectTools } from '../../catalog/index.ts'
import * as contract from '../../contract/tools.ts'
import type { ApiVersion } from '../../contract/route.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage, slicePage } from '../../platform/http/paging.ts'
import { isTold, presentInDialect, presentTool } from './present.ts'

export interface BrowseDeps {
  catalogOf: CatalogOf
  logo(slug: string): string
  /** Toolkit and allowed tools (empty: all) of auth configs. @throws ApiError for an unknown id. */
  toolsOfAuthConfigs(
    projectId: string,
    ids: readonly string[],
  ): Promise<readonly { toolkit: string; tools: readonly string[] }[]>
}

/** Decision: v3 pins the first snapshot, v3.1 follows the newest release. */
export const defaultVersion = (apiVersion: ApiVersion): string =>
  apiVersion === 'v3' ? FIRST_VERSION : LATEST_VERSION

export function browseRoutes(api: Api, { catalogOf, logo, toolsOfAuthConfigs }: BrowseDeps): void {
  api.on(contract.listTools, async ({ projectId, query, apiVersion }) => {
    const catalog = await catalogOf(projectId)
    const page = readPage(query)
    const slugs = query.tool_slugs?.length ? query.tool_slugs : undefined
    const { items, total } = slicePage(
      selectTools(catalog, {
        slugs,
        toolkits: query.toolkit_slug,
        tags: query.tags,
        important: query.important === 'true' || undefined,
        scopes: query.scopes,
        includeDeprecated: query.include_deprecated,
        query: query.query ?? query.search,
        versions: versionsOf(query.toolkit_versions),
        defaultVersion: defaultVersion(apiVersion),
        // Slugs override every other filter, so what those name is not looked at either.
        allowed:
          !slugs && query.auth_config_ids?.length
            ? await allowed(projectId, query.auth_config_ids)
            : undefined,
      }),
      page,
    )
    return pageOf(
      items
        .filter((found) => isTold(found, query.dialect))
        .map((found) =>
          presentInDialect(found, presentTool(found, catalog, logo, apiVersion), query.dialect),
        ),
      total,
      page,
    )
  })

  /** Several configs of one toolkit allow the union of their tools; one without a list allows all. */
  async function allowed(
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

  api.on(contract.listToolSlugs, async ({ projectId }) =>
    [...(await catalogOf(projectId)).tools].map(({ slug }) => slug),
  )

  api.on(contract.readTool, async ({ projectId, params, query, apiVersion }) => {
    const catalog = await catalogOf(projectId)
    const version =
      query.version ??
      versionFor(catalog, params.tool_slug, query.toolkit_versions) ??
      defaultVersion(apiVersion)
    const found = find(catalog, params.tool_slug, version)
    return presentInDialect(found, presentTool(found, catalog, logo, apiVersion), query.dialect)
  })

  api.on(contract.requiredScopes, async ({ projectId, body, apiVersion }) => {
    const catalog = await catalogOf(projectId)
    const found = body.tools.map((slug) => find(catalog, slug, body.version ?? defaultVersion(apiVersion)))
    const toolkits = new Set(found.map(({ toolkit }) => toolkit.slug))
    if (toolkits.size > 1)
      throw badRequest(
        `Error in payload.tools: must belong to one toolkit, not to ${[...toolkits].join(', ')}`,
      )
    return {
      scopes_required: [
        ...new Set(
          found.flatMap(({ tool }) =>
            (tool.scopeRequirements?.all_of ?? []).map((scope) =>
              typeof scope === 'string' ? scope : (scope.any_of[0] as string),
            ),
          ),
        ),
      ],
      per_tool_requirements: found.map(({ tool }) => ({
        tool: tool.slug,
        scope_requirements: tool.scopeRequirements as contract.Tool['scope_requirements'],
      })),
    }
  })

  function find(catalog: Catalog, slug: string, version: string) {
    const found = catalog.tool(slug, version)
    if (!found)
      throw new ApiError(
        'Tool_ToolNotFound',
        `Tool ${slug} not found${catalog.tool(slug, LATEST_VERSION) ? ` in version ${version}` : ''}`,
      )
    return found
  }
}

type Versions = string | Readonly<Record<string, string>> | undefined

/** Toolkits may be named in any case. */
const versionsOf = (versions: Versions): Versions =>
  typeof versions === 'object'
    ? Object.fromEntries(Object.entries(versions).map(([slug, version]) => [slug.toLowerCase(), version]))
    : versions

/** The version that `toolkit_versions` gives the toolkit of a tool, if it names one. */
function versionFor(catalog: Catalog, slug: string, given: Versions): string | undefined {
  const versions = versionsOf(given)
  if (typeof versions !== 'object') return versions
  const toolkit = (catalog.tool(slug, LATEST_VERSION) ?? catalog.tool(slug, FIRST_VERSION))?.toolkit.slug
  return toolkit && Object.hasOwn(versions, toolkit) ? versions[toolkit] : undefined
}

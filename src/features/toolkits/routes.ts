import {
  type Catalog,
  type CatalogOf,
  describeMissingToolkit,
  LATEST_VERSION,
  selectToolkits,
  type Toolkit,
} from '../../catalog/index.ts'
import * as contract from '../../contract/toolkits/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api, Call } from '../../platform/http/call.ts'
import { pageOf, readPage, slicePage } from '../../platform/http/paging.ts'
import { presentSetup } from './setup.ts'
import { presentCategory, toolkitPresenter, type ToolkitPresenterDeps } from './present.ts'

export interface ToolkitDeps extends ToolkitPresenterDeps {
  catalogOf: CatalogOf
  /** Whether a policy of the project denies every call of the toolkit. */
  isDenied(projectId: string, slug: string): Promise<boolean>
  /** Recent tool calls of the project by toolkit slug. */
  callsByToolkit(projectId: string): Promise<ReadonlyMap<string, number>>
}

const CHANGELOG_VERSIONS_MAX = 10

export function toolkitRoutes(api: Api, deps: ToolkitDeps): void {
  const present = toolkitPresenter(deps)
  const list = async (
    { projectId, apiVersion }: Pick<Call<typeof contract.listToolkits>, 'projectId' | 'apiVersion'>,
    filters: contract.ToolkitFilters & Parameters<typeof readPage>[0],
    slugs?: string[],
  ) => {
    const page = readPage(filters)
    const catalog = await deps.catalogOf(projectId)
    const { items, total } = slicePage(await select(deps, catalog, projectId, filters, slugs), page)
    return pageOf(
      items.map((toolkit) => present.summary(catalog, toolkit, apiVersion)),
      total,
      page,
    )
  }

  api.on(contract.listToolkits, (call) => list(call, call.query))
  api.on(contract.listToolkitsMulti, (call) => list(call, call.body, call.body.toolkits))
  api.on(contract.listToolkitCategories, async ({ projectId }) => {
    const items = (await deps.catalogOf(projectId)).categories.map(presentCategory)
    return pageOf(items, items.length, { page: 1, limit: Math.max(items.length, 1), offset: 0 })
  })
  api.on(contract.readToolkitChangelog, async ({ projectId }) => ({
    items: (await deps.catalogOf(projectId)).toolkits.map(({ slug, name, releases }) => ({
      slug,
      name,
      display_name: name,
      versions: releases
        .slice(0, CHANGELOG_VERSIONS_MAX)
        .map(({ version, changes }) => ({ version, changelog: changes })),
    })),
  }))
  api.on(contract.readToolkitSetup, async ({ projectId, params }) => {
    const catalog = await deps.catalogOf(projectId)
    const toolkit = catalog.toolkit(params.slug)
    if (!toolkit) throw new ApiError('Toolkit_ToolkitNotFound', describeMissingToolkit(catalog, params.slug))
    return presentSetup(toolkit, deps)
  })
  api.on(contract.readToolkit, async ({ projectId, params, query, apiVersion }) => {
    const catalog = await deps.catalogOf(projectId)
    if (!catalog.toolkit(params.slug))
      throw new ApiError('Toolkit_ToolkitNotFound', describeMissingToolkit(catalog, params.slug))
    const version = catalog.resolveVersion(params.slug, query.version ?? LATEST_VERSION)
    const toolkit = version && catalog.toolkit(params.slug, version)
    if (!toolkit)
      throw new ApiError('Toolkit_VersionNotFound', `Toolkit ${params.slug} has no version ${query.version}`)
    const isDenied = await deps.isDenied(projectId, toolkit.slug)
    return present.full(catalog, toolkit, version, { apiVersion, isDenied })
  })
}

/** Selects the toolkits of a list in their order; `slugs` restricts it to those. */
async function select(
  deps: ToolkitDeps,
  catalog: Catalog,
  projectId: string,
  filters: contract.ToolkitFilters,
  slugs: string[] | undefined,
) {
  return selectToolkits(catalog, {
    category: filters.category,
    sortBy: filters.sort_by,
    includeDeprecated: filters.include_deprecated,
    search: filters.search,
    slugs,
    calls: filters.sort_by === 'alphabetically' ? undefined : await deps.callsByToolkit(projectId),
    within: slugsOfOrigin(catalog, filters),
  })
}

/**
 * Returns the slugs that match the filters, or undefined for all. Both filters are about where a toolkit comes from;
 * `type` takes precedence over `managed_by`.
 */
function slugsOfOrigin(
  catalog: Catalog,
  { type, managed_by: managedBy }: contract.ToolkitFilters,
): ReadonlySet<string> | undefined {
  const requestedType = type ?? (managedBy && TYPE_OF_MANAGER[managedBy])
  if (requestedType === undefined || requestedType === 'all') return undefined
  const isOfOrigin = ({ origin }: Toolkit) => (origin === 'project') === (requestedType === 'custom')
  return new Set(catalog.toolkits.filter(isOfOrigin).map(({ slug }) => slug))
}

const TYPE_OF_MANAGER = { service: 'native', project: 'custom', all: 'all' } as const

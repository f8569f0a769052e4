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
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage, slicePage } from '../../platform/http/paging.ts'
import { presentCategory, managedSchemesOf, toolkitPresenter, type ToolkitPresenterDeps } from './present.ts'

export interface ToolkitDeps extends ToolkitPresenterDeps {
  catalogOf: CatalogOf
  /** Toolkits for which the project has an auth config. */
  toolkitsOfProject(projectId: string): Promise<readonly string[]>
}

const CHANGELOG_VERSIONS_MAX = 10

export function toolkitRoutes(api: Api, deps: ToolkitDeps): void {
  const present = toolkitPresenter(deps)

  async function select(
    catalog: Catalog,
    projectId: string,
    filters: contract.ToolkitFilters,
    slugs?: string[],
  ) {
    return selectToolkits(catalog, {
      category: filters.category,
      sortBy: filters.sort_by,
      includeDeprecated: filters.include_deprecated,
      search: filters.search,
      slugs,
      within: await within(catalog, projectId, filters),
    })
  }

  /** Slugs that match the filters; `type` takes precedence over `managed_by`. */
  async function within(
    catalog: Catalog,
    projectId: string,
    { type, managed_by: managedBy }: contract.ToolkitFilters,
  ): Promise<ReadonlySet<string> | undefined> {
    const those = (fits: (toolkit: Toolkit) => boolean) =>
      new Set(catalog.toolkits.filter(fits).map(({ slug }) => slug))
    if (type === 'all') return undefined
    if (type) return those(({ origin }) => (origin === 'project') === (type === 'custom'))
    if (managedBy === 'project') return new Set(await deps.toolkitsOfProject(projectId))
    if (managedBy === 'service')
      return those((toolkit) => managedSchemesOf(toolkit, deps.managedSchemes).length > 0)
    return undefined
  }

  api.on(contract.listToolkits, async ({ projectId, query, apiVersion }) => {
    const page = readPage(query)
    const catalog = await deps.catalogOf(projectId)
    const { items, total } = slicePage(await select(catalog, projectId, query), page)
    return pageOf(
      items.map((toolkit) => present.summary(catalog, toolkit, apiVersion)),
      total,
      page,
    )
  })
  api.on(contract.listToolkitsMulti, async ({ projectId, body, apiVersion }) => {
    const page = readPage(body)
    const catalog = await deps.catalogOf(projectId)
    const { items, total } = slicePage(await select(catalog, projectId, body, body.toolkits), page)
    return pageOf(
      items.map((toolkit) => present.summary(catalog, toolkit, apiVersion)),
      total,
      page,
    )
  })
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
  api.on(contract.readToolkit, async ({ projectId, params, query, apiVersion }) => {
    const catalog = await deps.catalogOf(projectId)
    if (!catalog.toolkit(params.slug))
      throw new ApiError('Toolkit_ToolkitNotFound', describeMissingToolkit(catalog, params.slug))
    const version = catalog.resolveVersion(params.slug, query.version ?? LATEST_VERSION)
    const toolkit = version && catalog.toolkit(params.slug, version)
    if (!toolkit)
      throw new ApiError('Toolkit_VersionNotFound', `Toolkit ${params.slug} has no version ${query.version}`)
    return present.full(catalog, toolkit, version, apiVersion)
  })
}

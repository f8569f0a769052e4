import { type Catalog, LATEST, selectToolkits } from '../../catalog/index.ts'
import * as contract from '../../contract/toolkits.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage, slicePage } from '../../platform/http/paging.ts'
import { category, toolkitPresenter, type ToolkitPresenterDeps } from './present.ts'

export interface ToolkitDeps extends ToolkitPresenterDeps {
  catalog: Catalog
  /** Toolkits that the project has its own auth config for. */
  toolkitsOfProject(projectId: string): Promise<readonly string[]>
}

const CHANGELOG_VERSIONS_MAX = 10

export function toolkitRoutes(api: Api, deps: ToolkitDeps): void {
  const { catalog } = deps
  const present = toolkitPresenter(deps)

  async function select(projectId: string, filters: contract.ToolkitFilters, slugs?: string[]) {
    return selectToolkits(catalog, {
      category: filters.category, sortBy: filters.sort_by, includeDeprecated: filters.include_deprecated, search: filters.search, slugs, within: await within(projectId, filters),
    })
  }

  /** `type` wins over `managed_by`; this release has no custom toolkits. */
  async function within(projectId: string, { type, managed_by: managedBy }: contract.ToolkitFilters): Promise<ReadonlySet<string> | undefined> {
    if (type === 'custom') return new Set()
    if (type) return undefined
    if (managedBy === 'project') return new Set(await deps.toolkitsOfProject(projectId))
    if (managedBy === 'service') return new Set(catalog.toolkits.filter(({ slug }) => deps.managedSchemes(slug).length).map(({ slug }) => slug))
    return undefined
  }

  api.on(contract.listToolkits, async ({ projectId, query, apiVersion }) => {
    const page = readPage(query)
    const { items, total } = slicePage(await select(projectId, query), page)
    return pageOf(items.map((toolkit) => present.summary(toolkit, apiVersion)), total, page)
  })
  api.on(contract.listToolkitsMulti, async ({ projectId, body, apiVersion }) => {
    const page = readPage(body)
    const { items, total } = slicePage(await select(projectId, body, body.toolkits), page)
    return pageOf(items.map((toolkit) => present.summary(toolkit, apiVersion)), total, page)
  })
  api.on(contract.listToolkitCategories, async () => {
    const items = catalog.categories.map(category)
    return pageOf(items, items.length, { page: 1, limit: Math.max(items.length, 1), offset: 0 })
  })
  api.on(contract.readToolkitChangelog, async () => ({
    items: catalog.toolkits.map(({ slug, name, releases }) => ({
      slug, name, display_name: name, versions: releases.slice(0, CHANGELOG_VERSIONS_MAX).map(({ version, changes }) => ({ version, changelog: changes })),
    })),
  }))
  api.on(contract.readToolkit, async ({ params, query, apiVersion }) => {
    if (!catalog.toolkit(params.slug)) throw new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${params.slug} not found`)
    const version = catalog.resolveVersion(params.slug, query.version ?? LATEST)
    const toolkit = version && catalog.toolkit(params.slug, version)
    if (!toolkit) throw new ApiError('Toolkit_VersionNotFound', `Toolkit ${params.slug} has no version ${query.version}`)
    return present.full(toolkit, version, apiVersion)
  })
}

import {
  type Catalog,
  type CatalogOf,
  LATEST_VERSION,
  type ParameterFormatCaller,
  parameterFormatFor,
  type ResolvedTrigger,
  versionFor,
} from '../../../catalog/index.ts'
import type { ParameterFormat } from '../../../contract/projects/call-settings.ts'
import * as contract from '../../../contract/triggers/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import { pageOf, readPage, slicePage } from '../../../platform/http/paging.ts'
import { presentType } from './present.ts'

type Versions = string | Readonly<Record<string, string>> | undefined

export function triggerTypeRoutes(
  api: Api,
  {
    catalogOf,
    logo,
    v3ParameterFormat,
  }: {
    catalogOf: CatalogOf
    logo(slug: string): string
    /** Form of parameters under v3, in projects that do not choose one. */
    v3ParameterFormat: ParameterFormat
  },
): void {
  const present = (
    catalog: Catalog,
    found: ResolvedTrigger,
    { apiVersion, settings }: ParameterFormatCaller,
  ) =>
    presentType(found, logo, {
      apiVersion,
      format: parameterFormatFor({ apiVersion, settings }, v3ParameterFormat),
      availableVersions: catalog.availableVersions(found.toolkit.slug),
    })
  api.on(contract.listTriggerTypes, async ({ projectId, query, ...caller }) => {
    const page = readPage(query)
    const catalog = await catalogOf(projectId)
    const types = listTypes(catalog, query.toolkit_slugs, query.toolkit_versions)
    const { items, total } = slicePage(types, page)
    return pageOf(
      items.map((found) => present(catalog, found, caller)),
      total,
      page,
    )
  })
  api.on(contract.listTriggerSlugs, async ({ projectId }) =>
    listTypes(await catalogOf(projectId)).map(({ trigger }) => trigger.slug),
  )
  api.on(contract.readTriggerType, async ({ projectId, params, query, ...caller }) => {
    const catalog = await catalogOf(projectId)
    const found = findType(catalog, params.slug, query.toolkit_versions)
    if (!found)
      throw new ApiError('TriggerType_NotFound', `Trigger type ${params.slug.toUpperCase()} not found`)
    return present(catalog, found, caller)
  })
}

function findType(catalog: Catalog, slug: string, versions: Versions): ResolvedTrigger | undefined {
  const toolkit = catalog.trigger(slug, LATEST_VERSION)?.toolkit.slug
  if (toolkit !== undefined) return catalog.trigger(slug, toolkitVersion(versions, toolkit))
  return catalog.trigger(slug, typeof versions === 'string' ? versions : LATEST_VERSION)
}

/** Both API versions use the latest version by default, unlike tools. */
function toolkitVersion(versions: Versions, toolkit: string): string {
  const lowerCased =
    typeof versions === 'object'
      ? Object.fromEntries(Object.entries(versions).map(([slug, version]) => [slug.toLowerCase(), version]))
      : versions
  return versionFor({ versions: lowerCased, defaultVersion: LATEST_VERSION }, toolkit)
}

/** Sorted by slug, without deprecated types. */
function listTypes(catalog: Catalog, slugs?: readonly string[], versions?: Versions): ResolvedTrigger[] {
  const toolkits = slugs?.length
    ? [...new Set(slugs.map((slug) => slug.toLowerCase()))]
    : catalog.toolkits.map(({ slug }) => slug)
  return toolkits
    .flatMap((slug) => catalog.triggers(slug, toolkitVersion(versions, slug)))
    .filter(({ trigger }) => !trigger.deprecated)
    .sort((one, other) => (one.trigger.slug < other.trigger.slug ? -1 : 1))
}

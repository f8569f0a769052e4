import { type Catalog, type CatalogOf, describeMissingToolkit } from '../../../catalog/index.ts'
import * as contract from '../../../contract/toolkits/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import type { CustomToolkits } from './service.ts'
import type { ToolkitVersionRow } from './store.ts'

export interface CustomToolkitRoutesDeps {
  customToolkits: CustomToolkits
  catalogOf: CatalogOf
}

export function customToolkitRoutes(
  api: Api,
  { customToolkits: own, catalogOf }: CustomToolkitRoutesDeps,
): void {
  api.on(contract.listToolkitVersions, async ({ projectId, params }) => {
    const catalog = await catalogOf(projectId)
    const toolkit = catalog.toolkit(params.slug)
    if (!toolkit) throw new ApiError('Toolkit_ToolkitNotFound', describeMissingToolkit(catalog, params.slug))
    return {
      items:
        toolkit.origin === 'built_in'
          ? ofProgram(catalog, toolkit.slug)
          : (await own.versions(toolkit.origin === 'project' ? projectId : null, toolkit.slug)).map(
              versionOf,
            ),
    }
  })
  api.on(contract.exportToolkitVersion, async ({ projectId, params }) => {
    const catalog = await catalogOf(projectId)
    const toolkit = catalog.toolkit(params.slug)
    if (!toolkit) throw new ApiError('Toolkit_ToolkitNotFound', describeMissingToolkit(catalog, params.slug))
    const { slug } = toolkit
    if (toolkit.origin !== 'project')
      throw new ApiError(
        'Toolkit_NotOwn',
        `${slug} is a toolkit of the server; only imported toolkits are exported.`,
      )
    const { row, gzip } = await own.exportVersion(projectId, slug, params.version)
    const { version, digest, source } = versionOf(row)
    return { slug, version, digest, source, content_gzip: gzip.toString('base64') }
  })
  api.on(contract.deleteToolkit, async ({ projectId, params }) => {
    await own.remove(projectId, params.slug)
    return { success: true }
  })
}

const versionOf = (row: ToolkitVersionRow) => ({
  version: row.version,
  digest: row.digest,
  changes: row.changes,
  created_at: row.created_at.toISOString(),
  source: { kind: row.source_kind, address: row.source_url },
  tools_count: row.tools_count,
  quarantined: row.quarantined,
})

function ofProgram(catalog: Catalog, slug: string) {
  const { releases } = catalog.toolkit(slug)!
  return releases.flatMap(({ version, changes }) => {
    const toolkit = catalog.toolkit(slug, version)
    return toolkit
      ? [
          {
            version,
            digest: catalog.digest(slug, version),
            changes,
            created_at: toolkit.updatedAt,
            source: { kind: 'built_in', address: null },
            tools_count: toolkit.toolCount,
            quarantined: [],
          },
        ]
      : []
  })
}

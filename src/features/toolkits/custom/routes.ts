import type { Catalog, CatalogOf } from '../../../catalog/index.ts'
import * as contract from '../../../contract/toolkits.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import type { OwnToolkits } from './service.ts'
import type { VersionRow } from './store.ts'

export interface OwnToolkitRoutesDeps {
  own: OwnToolkits
  catalogOf: CatalogOf
}

export function ownToolkitRoutes(api: Api, { own, catalogOf }: OwnToolkitRoutesDeps): void {
  api.on(contract.listToolkitVersions, async ({ projectId, params }) => {
    const catalog = await catalogOf(projectId)
    const toolkit = catalog.toolkit(params.slug)
    if (!toolkit) throw new ApiError('Toolkit_ToolkitNotFound', `Toolkit ${params.slug} not found`)
    return {
      items:
        toolkit.origin === 'built_in'
          ? ofProgram(catalog, toolkit.slug)
          : (await own.versions(toolkit.origin === 'project' ? projectId : null, toolkit.slug)).map(
              versionOf,
            ),
    }
  })
  api.on(contract.deleteToolkit, async ({ projectId, params }) => {
    await own.remove(projectId, params.slug)
    return { success: true }
  })
}

const versionOf = (row: VersionRow) => ({
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

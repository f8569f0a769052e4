import type { CatalogOf } from '../../catalog/index.ts'
import * as contract from '../../contract/session-saved-configs.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import { newId } from '../../platform/ids.ts'
import { checkConfig, contradictions, refuse } from './check.ts'
import { configOf } from './normal.ts'
import * as store from './saved-store.ts'

export interface SavedDeps {
  db: Pool
  catalogOf: CatalogOf
}

const A_PAGE_MAX = 100
const notFound = (id: string) =>
  new ApiError('ToolRouterV2_SavedConfigNotFound', `Saved session config ${id} not found`)
const conflict = (name: string) =>
  new ApiError('ToolRouterV2_SavedConfigConflict', `Another saved session config is called ${name}.`)

/** Configurations that sessions are opened with by their id. */
export function savedConfigRoutes(api: Api, { db, catalogOf }: SavedDeps): void {
  /** @throws ApiError 4301 */
  async function filtersOf(
    projectId: string,
    given: contract.SavedConfigDraft['config'],
  ): Promise<store.SavedFilters> {
    refuse(contradictions(given))
    const config = configOf(given)
    await checkConfig(
      db,
      await catalogOf(projectId),
      { projectId, userId: '' },
      config,
      new Set(['toolkits', 'tools', 'tags']),
    )
    return config
  }

  api.on(contract.createSavedConfig, async ({ projectId, body: { name, description = '', config } }) => {
    const row = await store.insertSaved(db, projectId, {
      id: newId('sc'),
      name,
      description,
      config: await filtersOf(projectId, config),
    })
    if (!row) throw conflict(name)
    return present(row)
  })
  api.on(contract.listSavedConfigs, async ({ projectId, query }) => {
    const page = readPage(query, A_PAGE_MAX)
    const { rows, total } = await store.listSaved(
      db,
      projectId,
      { search: query.search, archived: query.archived ?? false },
      page,
    )
    return pageOf(rows.map(present), total, page)
  })
  api.on(contract.readSavedConfig, async ({ projectId, params }) => {
    const row = await store.findSaved(db, projectId, params.config_id)
    if (!row) throw notFound(params.config_id)
    return present(row)
  })
  api.on(
    contract.updateSavedConfig,
    async ({ projectId, params: { config_id: id }, body: { config, ...rest } }) => {
      const filters = config && (await filtersOf(projectId, config))
      return db.begin(async (tx) => {
        await store.holdNames(tx, projectId)
        const row = await store.findSaved(tx, projectId, id)
        if (!row) throw notFound(id)
        const next = { ...row, ...rest }
        if (!next.archived && (await store.isNameTaken(tx, projectId, next.name, id)))
          throw conflict(next.name)
        return present(
          (await store.updateSaved(tx, projectId, id, {
            ...rest,
            ...(filters ? { config: filters } : {}),
          })) as store.SavedRow,
        )
      })
    },
  )
}

/** What a session is opened with. @throws ApiError 404 for one that is missing, archived or another project's, alike */
export async function savedFilters(db: Pool, projectId: string, id: string): Promise<store.SavedFilters> {
  const row = await store.findSaved(db, projectId, id)
  if (!row || row.archived) throw notFound(id)
  return row.config
}

const present = ({
  config,
  created_at,
  updated_at,
  ...rest
}: store.SavedRow): contract.SavedSessionConfig => ({
  ...rest,
  config: config as contract.SavedSessionConfig['config'],
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})

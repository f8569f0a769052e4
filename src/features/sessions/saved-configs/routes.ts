import type { CatalogOf } from '../../../catalog/index.ts'
import * as contract from '../../../contract/sessions/index.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Api } from '../../../platform/http/call.ts'
import { pageOf, readPage } from '../../../platform/http/paging.ts'
import { newId } from '../../../platform/ids.ts'
import { validateConfig, findContradictions, assertNoProblems } from '../config/validate-config.ts'
import { normalizeConfig } from '../config/normalize-config.ts'
import * as store from './store.ts'

export interface SavedConfigDeps {
  db: Pool
  catalogOf: CatalogOf
}

const PER_PAGE_MAX = 100
const notFound = (id: string) =>
  new ApiError('ToolRouterV2_SavedConfigNotFound', `Saved session config ${id} not found`)
const conflict = (name: string) =>
  new ApiError(
    'ToolRouterV2_SavedConfigConflict',
    `The project already has a saved session config with the name ${name}.`,
  )

/** Registers the endpoints for saved configurations, which sessions can be created from. */
export function savedConfigRoutes(api: Api, deps: SavedConfigDeps): void {
  const { db } = deps
  api.on(contract.createSavedConfig, async ({ projectId, body: { name, description = '', config } }) => {
    const row = await store.insertSavedConfig(db, projectId, {
      id: newId('sc'),
      name,
      description,
      config: await validateFilters(deps, projectId, config),
    })
    if (!row) throw conflict(name)
    return presentSavedConfig(row)
  })
  api.on(contract.listSavedConfigs, async ({ projectId, query }) => {
    const page = readPage(query, PER_PAGE_MAX)
    const { rows, total, next } = await store.listSavedConfigs(
      db,
      projectId,
      { search: query.search, archived: query.archived ?? false },
      page,
    )
    return pageOf(rows.map(presentSavedConfig), total, page, next)
  })
  api.on(contract.readSavedConfig, async ({ projectId, params }) => {
    const row = await store.findSavedConfig(db, projectId, params.config_id)
    if (!row) throw notFound(params.config_id)
    return presentSavedConfig(row)
  })
  api.on(
    contract.updateSavedConfig,
    async ({ projectId, params: { config_id: id }, body: { config, ...rest } }) => {
      const filters = config && (await validateFilters(deps, projectId, config))
      return db.begin(async (tx) => {
        await store.lockNames(tx, projectId)
        const row = await store.findSavedConfig(tx, projectId, id)
        if (!row) throw notFound(id)
        const next = { ...row, ...rest }
        if (!next.archived && (await store.isNameInUse(tx, projectId, next.name, id)))
          throw conflict(next.name)
        return presentSavedConfig(
          (await store.updateSavedConfig(tx, projectId, id, {
            ...rest,
            ...(filters ? { config: filters } : {}),
          })) as store.SavedConfigRow,
        )
      })
    },
  )
}

/** @throws ApiError 4301 */
async function validateFilters(
  { db, catalogOf }: SavedConfigDeps,
  projectId: string,
  request: contract.SavedConfigDraft['config'],
): Promise<store.SavedConfigFilters> {
  assertNoProblems(findContradictions(request))
  const config = normalizeConfig(request)
  const blocks = new Set(['toolkits', 'tools', 'tags'])
  await validateConfig(db, await catalogOf(projectId), { projectId, userId: '' }, config, blocks)
  return config
}

/** Reads the filters for a new session. @throws ApiError 404, also for an archived config and one of another project */
export async function readSavedFilters(
  db: Pool,
  projectId: string,
  id: string,
): Promise<store.SavedConfigFilters> {
  const row = await store.findSavedConfig(db, projectId, id)
  if (!row || row.archived) throw notFound(id)
  return row.config
}

const presentSavedConfig = ({
  config,
  created_at,
  updated_at,
  ...rest
}: store.SavedConfigRow): contract.SavedSessionConfig => ({
  ...rest,
  config: config as contract.SavedSessionConfig['config'],
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
})

import type { CatalogOf } from '../../catalog/index.ts'
import * as contract from '../../contract/incidents.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageMeta, readPage } from '../../platform/http/paging.ts'
import { newId } from '../../platform/ids.ts'
import { freeze, REASONS, spreadLater } from '../connected-accounts/index.ts'
import * as store from './store.ts'

/** What this feature needs of the rest of the program; app.ts supplies it. */
export interface PanicDeps {
  db: Pool
  catalogOf: CatalogOf
}

export function panicRoutes(api: Api, { db, catalogOf }: PanicDeps): void {
  api.on(
    contract.createIncident,
    async ({
      organizationId,
      body: { project_id: projectId, toolkit_slug: toolkit, user_id: userId, reason },
    }) => {
      if (projectId === undefined && toolkit === undefined && userId === undefined)
        throw badRequest('Error in payload: one of project_id, toolkit_slug and user_id is required')
      if (projectId !== undefined && !(await store.hasProject(db, organizationId, projectId)))
        throw new ApiError('Project_NotFound', `Project ${projectId} not found`)
      const id = newId('inc')
      // Frozen when this commits: every call asks the database about its account. The providers are asked afterwards, for as long as it takes.
      await db.begin(async (tx) => {
        await store.insert(tx, organizationId, {
          id,
          project_id: projectId ?? null,
          toolkit_slug: toolkit?.toLowerCase() ?? null,
          user_id: userId ?? null,
          reason: reason ?? null,
        })
        await freeze(
          tx,
          id,
          { organizationId, projectId, toolkit: toolkit?.toLowerCase(), userId },
          `${REASONS.frozen}${reason ? `: ${reason}` : '.'}`,
        )
        await spreadLater(tx, id)
      })
      return incident(organizationId, id)
    },
  )

  api.on(contract.readIncident, async ({ organizationId, params, query }) => {
    const page = readPage(query)
    const about = await incident(organizationId, params.incident_id)
    const rows = await store.accounts(db, about.id, page)
    return { ...about, items: await Promise.all(rows.map(present)), ...pageMeta(about.frozen, page) }
  })

  async function incident(organizationId: string, id: string): Promise<contract.Incident> {
    const row = await store.find(db, organizationId, id)
    if (!row) throw new ApiError('Incident_NotFound', `Incident ${id} not found`)
    const { frozen, ...revocations } = await store.counts(db, id)
    return { ...row, created_at: row.created_at.toISOString(), frozen, revocations }
  }

  async function present({ toolkit_slug: slug, status, allowed_tools: allowed, ...row }: store.FrozenRow) {
    return {
      ...row,
      toolkit: { slug },
      revocation: status,
      tools_count: allowed.length || ((await catalogOf(row.project_id)).toolkit(slug)?.toolCount ?? 0),
    }
  }
}

import type { EngineAccount } from '../../../engine/index.ts'
import { ApiError, notFound } from '../../../platform/http/api-error.ts'
import { toEngineAccount } from '../credentials.ts'
import type { SharedAccountDeps } from '../deps.ts'
import { findAccount } from '../store.ts'

/** Loads the account after a refresh of this or of another process. @throws if it can no longer be used */
export async function loadRefreshedAccount(
  deps: SharedAccountDeps,
  projectId: string,
  id: string,
): Promise<EngineAccount> {
  const row = await findAccount(deps.db, projectId, id)
  if (!row) throw notFound('connected_account', id)
  if (row.status === 'EXPIRED') throw accountExpired(id, row.status_reason ?? '')
  if (row.status !== 'ACTIVE')
    throw new ApiError(
      'ActionExecute_ConnectedAccountNotActive',
      `The connected account ${id} is in ${row.status} state, not ACTIVE.`,
    )
  return toEngineAccount({ ...deps, catalog: await deps.catalogOf(projectId) }, row)
}

export const accountExpired = (id: string, reason: string) =>
  new ApiError(
    'ActionExecute_ConnectedAccountExpired',
    `The connected account ${id} is in EXPIRED state: ${reason}`,
  )

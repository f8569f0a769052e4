import type { PushDeps } from '../deps.ts'
import { enqueueRegistration } from '../../state-machine.ts'
import { unregister } from './register.ts'
import { registrationsOfOwner, type RegistrationOwner, type RegistrationRow } from './store.ts'

/** Time that a deletion waits for the applications. */
const UNREGISTER_MS_MAX = 8_000
const REGISTRATIONS_PER_BATCH = 20
const REGISTER_AGAIN_MS = 60_000

/**
 * Removes webhooks at the application before their account or auth config is deleted, because that needs the
 * credentials. Webhooks that are not removed in time stay there; their deliveries are rejected.
 */
export async function unregisterOwner(
  deps: PushDeps,
  projectId: string,
  owner: RegistrationOwner,
): Promise<void> {
  const signal = AbortSignal.timeout(UNREGISTER_MS_MAX)
  let after = ''
  while (!signal.aborted) {
    const page = { after, limit: REGISTRATIONS_PER_BATCH }
    const rows = await registrationsOfOwner(deps.db, projectId, owner, page)
    await unregisterBatch(deps, projectId, rows, signal)
    if (rows.length < REGISTRATIONS_PER_BATCH) return
    after = rows.at(-1)?.url_token ?? ''
  }
}

async function unregisterBatch(
  deps: PushDeps,
  projectId: string,
  rows: readonly RegistrationRow[],
  signal: AbortSignal,
): Promise<void> {
  if (rows.length === 0) return
  // If the deletion fails, the triggers are registered again.
  const later = new Date(Date.now() + REGISTER_AGAIN_MS)
  for (const id of new Set(rows.map((row) => row.instance_id)))
    await enqueueRegistration(deps.db, projectId, id, later)
  const catalog = await deps.catalogOf(projectId)
  const unregisterRow = async (row: RegistrationRow) => {
    const found = catalog.trigger(row.trigger_slug, row.version)
    const call = { projectId, instanceId: row.instance_id, accountId: row.connected_account_id, signal }
    if (found) await unregister(deps, { ...call, found }, row)
  }
  await Promise.all(
    rows.map((row) =>
      unregisterRow(row).catch((error: unknown) => {
        deps.log.info(
          { err: error, project_id: projectId },
          'a webhook could not be removed at its application',
        )
      }),
    ),
  )
}

import type { Sealer } from '../../platform/crypto/index.ts'
import { type Pool, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { createKey, createOrganization } from './keys.ts'
import * as store from './store.ts'

export interface FirstKeys { projectId: string, projectApiKey: string, organizationApiKey: string }

// Any number that nothing else uses: replicas that start together on an empty database make one organization.
const LOCK = 7_202_612

/** On an empty database makes the first organization, its project and their keys; answers undefined when there is one already. */
export async function bootstrap(db: Pool, sealer: Sealer, given: { projectApiKey?: string | undefined, organizationApiKey?: string | undefined }): Promise<FirstKeys | undefined> {
  return db.begin(async (tx) => {
    await tx.rows(sql`select pg_advisory_xact_lock(${LOCK})`)
    if (await tx.one(sql`select 1 from organizations limit 1`)) return undefined
    const organizationId = newId('org')
    const projectId = newId('proj')
    await createOrganization(tx, organizationId, 'Default')
    await store.insert(tx, organizationId, { id: projectId, name: 'default', config: {} })
    const organization = await createKey(tx, sealer, { organizationId, name: 'bootstrap', key: given.organizationApiKey })
    const project = await createKey(tx, sealer, { organizationId, projectId, name: 'bootstrap', key: given.projectApiKey })
    return { projectId, projectApiKey: project.key, organizationApiKey: organization.key }
  })
}

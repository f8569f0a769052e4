import { EncryptionError, type Encryptor } from '../../platform/crypto/index.ts'
import { type Pool, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { createKey, createOrganization, openKey } from './api-keys/keys.ts'
import * as store from './store.ts'

export interface FirstKeys {
  projectId: string
  projectApiKey: string
  organizationApiKey: string
}

// Any number that nothing else uses: replicas that start together on an empty database make one organization.
const LOCK = 7_202_612

/** On an empty database makes the first organization, its project and their keys; answers undefined when there is one already. */
export async function bootstrap(
  db: Pool,
  encryptor: Encryptor,
  given: { projectApiKey?: string | undefined; organizationApiKey?: string | undefined },
): Promise<FirstKeys | undefined> {
  return db.begin(async (tx) => {
    await tx.rows(sql`select pg_advisory_xact_lock(${LOCK})`)
    if (await tx.one(sql`select 1 from organizations limit 1`)) return undefined
    const organizationId = newId('org')
    const projectId = newId('proj')
    await createOrganization(tx, organizationId, 'Default')
    await store.insert(tx, organizationId, { id: projectId, name: 'default', config: {} })
    const organization = await createKey(tx, encryptor, {
      organizationId,
      name: 'bootstrap',
      key: given.organizationApiKey,
    })
    const project = await createKey(tx, encryptor, {
      organizationId,
      projectId,
      name: 'bootstrap',
      key: given.projectApiKey,
    })
    return { projectId, projectApiKey: project.key, organizationApiKey: organization.key }
  })
}

/** The key ring opens what is stored. @throws StartupError when the keys belong to another installation */
export async function checkKeyRing(db: Pool, encryptor: Encryptor): Promise<void> {
  const row = await db.one<{ id: string; encrypted_key: Buffer }>(
    sql`select id, encrypted_key from api_keys order by created_at, id limit 1`,
  )
  if (!row) return
  try {
    openKey(encryptor, row)
  } catch (error) {
    if (!(error instanceof EncryptionError)) throw error
    throw new StartupError(
      `The encryption keys do not open what the database holds: ${error.message}`,
      'Give the keys that it was written with, in ENCRYPTION_KEYS or as encryption.keys in the data directory.',
      { cause: error },
    )
  }
}

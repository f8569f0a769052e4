import { EncryptionError, type Encryptor } from '../../platform/crypto/index.ts'
import { type Pool, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { createApiKey, createOrganization, decryptApiKey } from './api-keys/keys.ts'
import { insertDataKey } from './data-keys/store.ts'
import * as store from './store.ts'

export interface FirstKeys {
  projectId: string
  projectApiKey: string
  organizationApiKey: string
}

// Advisory lock number, unique in this project: replicas that start on an empty database create one
// organization.
const LOCK = 7_202_612

/** Creates the first organization, its project and their keys; returns undefined if an organization exists. */
export async function createFirstProject(
  db: Pool,
  encryptor: Encryptor,
  initialKeys: { projectApiKey?: string | undefined; organizationApiKey?: string | undefined },
): Promise<FirstKeys | undefined> {
  return db.begin(async (tx) => {
    await tx.rows(sql`select pg_advisory_xact_lock(${LOCK})`)
    if (await tx.one(sql`select 1 from organizations limit 1`)) return undefined
    const organizationId = newId('org')
    const projectId = newId('proj')
    await createOrganization(tx, organizationId, 'Default')
    await store.insertProject(tx, organizationId, { id: projectId, name: 'default', config: {} })
    await insertDataKey(tx, projectId, 'encryption', encryptor.newDataKey())
    const organization = await createApiKey(tx, encryptor, {
      organizationId,
      name: 'bootstrap',
      key: initialKeys.organizationApiKey,
    })
    const project = await createApiKey(tx, encryptor, {
      organizationId,
      projectId,
      name: 'bootstrap',
      key: initialKeys.projectApiKey,
    })
    return { projectId, projectApiKey: project.key, organizationApiKey: organization.key }
  })
}

/**
 * Checks that the key ring decrypts the stored keys.
 * @throws StartupError if it belongs to another installation
 */
export async function assertKeyRingMatches(db: Pool, encryptor: Encryptor): Promise<void> {
  const row = await db.one<{ id: string; encrypted_key: Buffer }>(
    sql`select id, encrypted_key from api_keys order by created_at, id limit 1`,
  )
  if (!row) return
  try {
    decryptApiKey(encryptor, row)
  } catch (error) {
    if (!(error instanceof EncryptionError)) throw error
    throw new StartupError(
      `The encryption keys do not match the database: ${error.message}`,
      'Set the keys that encrypted it, in ENCRYPTION_KEYS or in encryption.keys in the data directory.',
      { cause: error },
    )
  }
}

import { EncryptionError, type Encryptor } from '../../../platform/crypto/index.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'
import {
  clearConfigHash,
  configColumns,
  configHash,
  type InstanceIdentity,
  type StoredConfig,
  withConfig,
} from './stored-config.ts'

/**
 * Encrypts the configuration of an equal instance from before configurations were encrypted, which has another hash.
 * Returns whether there was one.
 */
export async function encryptClearInstance(
  db: Db,
  projectId: string,
  same: InstanceIdentity,
): Promise<boolean> {
  const isSame = sql`project_id = ${projectId} and connected_account_id = ${same.connected_account_id}
    and trigger_slug = ${same.trigger_slug} and config_hash = ${clearConfigHash(same.config)} and deleted_at is null`
  const found = await db.one<{ id: string }>(sql`select id from trigger_instances where ${isSame}`)
  if (!found) return false
  const { encrypted_config: config } = configColumns(projectId, found.id, same.config)
  await db.run(sql`
    update trigger_instances set config = null, encrypted_config = ${config},
      config_hash = ${configHash(projectId, same)}
    where id = ${found.id} and ${isSame}`)
  return true
}

/** An instance with the hash of an earlier release. */
type PlainHash = InstanceIdentity & { id: string; project_id: string; config_hash: string }

/** Returns instances whose `config_hash` was computed without a key. `config` is empty if nothing decrypts it. */
export async function findPlainHashes(
  db: Db,
  limit: number,
  encryptor: Pick<Encryptor, 'decrypt' | 'loadKeys'>,
): Promise<PlainHash[]> {
  const rows = await db.rows<Omit<PlainHash, 'config'> & StoredConfig>(sql`
    select id, project_id, connected_account_id, trigger_slug, config, encrypted_config, config_hash
    from trigger_instances
    where config_hash not like 'keyed:%' and config_hash not like 'deleted:%' limit ${limit}`)
  await encryptor.loadKeys(rows.flatMap(({ encrypted_config: encrypted }) => encrypted ?? []))
  return rows.map((row) => {
    try {
      return withConfig(encryptor, row)
    } catch (error) {
      if (!(error instanceof EncryptionError)) throw error
      const { encrypted_config: _encrypted, ...rest } = row
      return { ...rest, config: {} }
    }
  })
}

import { type Db, sql } from '../../../platform/db/sql.ts'
import { clearConfigHash, configColumns, configHash, type InstanceIdentity } from './stored-config.ts'

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

import { configHash, duplicateHash, findPlainHashes } from '../../features/triggers/index.ts'
import { EncryptionError, type Encryptor } from '../../platform/crypto/index.ts'
import { hashText } from '../../platform/db/encrypted-value.ts'
import { type Db, sql } from '../../platform/db/sql.ts'

/**
 * Gives instances the hash with a key that those of this release have. Returns how many it changed; each that it reads
 * is changed, unless another process does it at the same moment.
 */
export async function hashClearConfigs(db: Db, limit: number, encryptor: Encryptor): Promise<number> {
  let done = 0
  for (const row of await findPlainHashes(db, limit, encryptor)) {
    const { id, project_id: projectId, config_hash: former } = row
    const [hash, duplicate] = await Promise.all([
      hashText(encryptor, configHash(projectId, row)),
      hashText(encryptor, duplicateHash(projectId, id)),
    ]).catch(hashesOfErased(id))
    // An equal instance may have been created meanwhile. It is the one that is found.
    done += await db.run(sql`
      update trigger_instances i set config_hash = case when exists (
        select from trigger_instances o where o.connected_account_id = i.connected_account_id
          and o.trigger_slug = i.trigger_slug and o.config_hash = ${hash!} and o.deleted_at is null)
        then ${duplicate!} else ${hash!} end
      where id = ${id} and config_hash = ${former}`)
  }
  return done
}

/** Rows of a project that was erased go with it. */
const hashesOfErased =
  (id: string) =>
  (error: unknown): string[] => {
    if (!(error instanceof EncryptionError)) throw error
    return [`deleted:${id}`, `deleted:${id}`]
  }

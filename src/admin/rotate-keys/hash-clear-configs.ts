import { configHash, type InstanceIdentity } from '../../features/triggers/index.ts'
import { EncryptionError, type Encryptor } from '../../platform/crypto/index.ts'
import { hashText } from '../../platform/db/encrypted-value.ts'
import { type Db, sql } from '../../platform/db/sql.ts'

type ClearInstance = InstanceIdentity & { id: string; project_id: string }

/** Gives instances with a configuration in clear the hash with a key that encrypted ones have. Returns how many. */
export async function hashClearConfigs(db: Db, limit: number, encryptor: Encryptor): Promise<number> {
  const rows = await db.rows<ClearInstance>(sql`
    select id, project_id, connected_account_id, trigger_slug, config from trigger_instances
    where config is not null and config_hash not like 'keyed:%' limit ${limit}`)
  let done = 0
  for (const row of rows) {
    const hash = await hashText(encryptor, configHash(row.project_id, row)).catch(ignoreErased)
    // An equal instance may have been created meanwhile.
    done += await db.run(sql`
      update trigger_instances i set config_hash = ${hash ?? null}
      where id = ${row.id} and config is not null and ${hash ?? null}::text is not null and not exists (
        select from trigger_instances o where o.connected_account_id = i.connected_account_id
          and o.trigger_slug = i.trigger_slug and o.config_hash = ${hash ?? null} and o.deleted_at is null)`)
  }
  return done
}

/** Rows of a project that was erased go with it. */
function ignoreErased(error: unknown): undefined {
  if (!(error instanceof EncryptionError)) throw error
}

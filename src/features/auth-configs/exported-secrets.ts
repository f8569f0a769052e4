import type { Encryptor } from '../../platform/crypto/index.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import { decryptConfig } from './encrypted-columns.ts'
import type { AuthConfigRow } from './store.ts'

/** The secrets of one auth config, for its copy on another server. */
export interface AuthConfigSecrets {
  id: string
  credentials: Readonly<Record<string, unknown>>
  shared_credentials: Readonly<Record<string, unknown>>
}

/**
 * Lists the secrets of the auth configs of a project, by id. Those of the administrator (managed credentials) belong to
 * the server and are left out.
 */
export async function listAuthConfigSecrets(
  { db, encryptor }: { db: Db; encryptor: Encryptor },
  projectId: string,
  { after, limit }: { after: string; limit: number },
): Promise<AuthConfigSecrets[]> {
  const rows = await db.rows<
    Pick<AuthConfigRow, 'id' | 'credentials' | 'shared_credentials' | 'proxy_config'>
  >(sql`
    select id, credentials, shared_credentials, null as proxy_config from auth_configs
    where project_id = ${projectId} and deleted_at is null and not is_service_managed and id > ${after}
    order by id limit ${limit}`)
  return rows.map((row) => {
    const { credentials, shared } = decryptConfig(encryptor, row)
    return { id: row.id, credentials, shared_credentials: shared }
  })
}

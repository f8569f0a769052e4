import type { Encryptor } from '../../platform/crypto/index.ts'
import { type Db, sql } from '../../platform/db/sql.ts'
import { decryptCredentials } from './credentials.ts'
import { SIGN_IN_OPTIONS } from './reconnect/reopen-account.ts'

/** The credentials of one account, for its copy on another server. */
export interface AccountSecrets {
  id: string
  val: Readonly<Record<string, unknown>>
  /** ISO 8601, UTC; null if the token has no known end. */
  token_expires_at: string | null
}

/**
 * Lists the credentials of the ACTIVE accounts of a project, by id. Accounts with managed credentials are left out:
 * their tokens belong to the OAuth client of the administrator.
 */
export async function listAccountSecrets(
  { db, encryptor }: { db: Db; encryptor: Encryptor },
  projectId: string,
  { after, limit }: { after: string; limit: number },
): Promise<AccountSecrets[]> {
  const rows = await db.rows<{ id: string; credentials: Buffer; token_expires_at: Date | null }>(sql`
    select c.id, c.credentials, c.token_expires_at
    from connected_accounts c join auth_configs a on a.id = c.auth_config_id
    where c.project_id = ${projectId} and c.deleted_at is null and c.status = 'ACTIVE' and a.deleted_at is null
      and not a.is_service_managed and c.id > ${after}
    order by c.id limit ${limit}`)
  return rows.map((row) => {
    const { [SIGN_IN_OPTIONS]: _options, ...val } = decryptCredentials(encryptor, row)
    return { id: row.id, val, token_expires_at: row.token_expires_at?.toISOString() ?? null }
  })
}

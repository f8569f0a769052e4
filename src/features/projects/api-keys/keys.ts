import { hashKey, newApiKey, type Encryptor } from '../../../platform/crypto/index.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { randomName } from '../../../platform/random-name.ts'
import { insertApiKey, type ApiKeyRow } from './store.ts'

export interface ApiKeyDraft {
  organizationId: string
  /** Undefined for a key of the organization. */
  projectId?: string
  name?: string | undefined
  permissions?: Record<string, string[]> | undefined
  allowedIps?: string[] | undefined
  /** Default: never. */
  expiresAt?: Date | null | undefined
  /** Set by the administrator; otherwise generated. */
  key?: string | undefined
}

const encryptionContext = (id: string) => `api_keys:${id}:key`

/** Creates a key; stores its hash and the encrypted key. Returns the key in clear. */
export async function createApiKey(
  db: Db,
  encryptor: Pick<Encryptor, 'encryptWithRing'>,
  draft: ApiKeyDraft,
): Promise<{ id: string; name: string; key: string }> {
  const id = newId('key')
  const kind = draft.projectId ? 'project' : 'organization'
  const key = draft.key ?? newApiKey(kind === 'project' ? 'ak' : 'oak')
  const name = draft.name ?? randomName('_')
  await insertApiKey(db, {
    id,
    kind,
    organization_id: draft.organizationId,
    project_id: draft.projectId ?? null,
    name,
    key_hash: hashKey(key),
    encrypted_key: encryptor.encryptWithRing(key, encryptionContext(id)),
    permissions: draft.permissions ?? null,
    allowed_ips: draft.allowedIps ?? [],
    expires_at: draft.expiresAt ?? null,
  })
  return { id, name, key }
}

export const decryptApiKey = (encryptor: Encryptor, row: Pick<ApiKeyRow, 'id' | 'encrypted_key'>): string =>
  encryptor.decrypt<string>(row.encrypted_key, encryptionContext(row.id))

export const createOrganization = (db: Db, id: string, name: string): Promise<number> =>
  db.run(sql`insert into organizations (id, name) values (${id}, ${name})`)

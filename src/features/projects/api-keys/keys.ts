import { hashKey, newApiKey, type Encryptor } from '../../../platform/crypto/index.ts'
import { type Db, sql } from '../../../platform/db/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { twoWords } from '../../../platform/random-name.ts'
import { insert, type KeyRow } from './store.ts'

export interface NewKey {
  organizationId: string
  /** Undefined: a key of the organization. */
  projectId?: string
  name?: string | undefined
  permissions?: Record<string, string[]> | undefined
  allowedIps?: string[] | undefined
  /** Given by the operator; otherwise made here. */
  key?: string | undefined
}

const contextOf = (id: string) => `api_keys:${id}:key`

/** Makes a key and stores its hash, and the key itself sealed. Answers the key. */
export async function createKey(
  db: Db,
  encryptor: Encryptor,
  draft: NewKey,
): Promise<{ id: string; name: string; key: string }> {
  const id = newId('key')
  const kind = draft.projectId ? 'project' : 'organization'
  const key = draft.key ?? newApiKey(kind === 'project' ? 'ak' : 'oak')
  const name = draft.name ?? twoWords('_')
  await insert(db, {
    id,
    kind,
    organization_id: draft.organizationId,
    project_id: draft.projectId ?? null,
    name,
    key_hash: hashKey(key),
    encrypted_key: encryptor.encrypt(key, contextOf(id)),
    permissions: draft.permissions ?? null,
    allowed_ips: draft.allowedIps ?? [],
  })
  return { id, name, key }
}

export const openKey = (encryptor: Encryptor, row: Pick<KeyRow, 'id' | 'encrypted_key'>): string =>
  encryptor.decrypt<string>(row.encrypted_key, contextOf(row.id))

export const createOrganization = (db: Db, id: string, name: string): Promise<number> =>
  db.run(sql`insert into organizations (id, name) values (${id}, ${name})`)

import { notification } from '../../../platform/change-bus.ts'
import { type Db, sql, values } from '../../../platform/db/sql.ts'

export interface ApiKeyRow {
  id: string
  auto_id: number
  uuid: string
  project_id: string | null
  name: string
  encrypted_key: Buffer
  permissions: Record<string, string[]> | null
  allowed_ips: string[]
  expires_at: Date | null
  last_used_at: Date | null
  replaced_by: string | null
  created_at: Date
  updated_at: Date
}
const COLUMNS = sql`id, auto_id, uuid, project_id, name, encrypted_key, permissions, allowed_ips, expires_at,
    last_used_at, replaced_by, created_at, updated_at`

/** Keys of a project, or those of the organization itself if there is none. */
export interface KeyOwner {
  organizationId: string
  projectId: string | null
}
const ownedBy = ({ organizationId, projectId }: KeyOwner) => sql`organization_id = ${organizationId}
    and project_id is not distinct from ${projectId} and deleted_at is null`

/** Names of keys of the organization and its projects, also of revoked ones. */
export const listKeyNames = (
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> =>
  db.rows(sql`
    select id, name from api_keys where organization_id = ${organizationId} and id = any(${ids as string[]})`)

export async function insertApiKey(
  db: Db,
  row: {
    id: string
    kind: 'project' | 'organization'
    organization_id: string
    project_id: string | null
    name: string
    key_hash: Buffer
    encrypted_key: Buffer
    permissions: Record<string, string[]> | null
    allowed_ips: string[]
    expires_at: Date | null
  },
): Promise<void> {
  await db.run(
    sql`insert into api_keys ${values({ ...row, permissions: row.permissions && JSON.stringify(row.permissions) })}
      returning ${notification({ kind: 'principals_changed' })}`,
  )
}

export const listKeys = (db: Db, owner: KeyOwner): Promise<ApiKeyRow[]> =>
  db.rows(sql`select ${COLUMNS} from api_keys where ${ownedBy(owner)} order by created_at, id`)

/** Lists the keys of several projects in one query. */
export const listKeysOfProjects = (db: Db, projectIds: readonly string[]): Promise<ApiKeyRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from api_keys where project_id = any(${projectIds as string[]}) and deleted_at is null
    order by created_at, id`)

export const findKey = (db: Db, id: string): Promise<ApiKeyRow | undefined> =>
  db.one(sql`select ${COLUMNS} from api_keys where id = ${id} and deleted_at is null`)

/** Reads a key and locks its row until the transaction ends. */
export const lockKey = (tx: Db, owner: KeyOwner, id: string): Promise<ApiKeyRow | undefined> =>
  tx.one(sql`select ${COLUMNS} from api_keys where ${ownedBy(owner)} and id = ${id} for update`)

export const deleteKey = (db: Db, owner: KeyOwner, id: string): Promise<number> =>
  db.run(sql`
  update api_keys set deleted_at = now(), updated_at = now() where ${ownedBy(owner)} and id = ${id}
  returning ${notification({ kind: 'principals_changed' })}`)

/** Marks a key as replaced. It expires at `expiresAt`, or is revoked if that is null. */
export const replaceKey = (
  tx: Db,
  owner: KeyOwner,
  { id, newId, expiresAt }: { id: string; newId: string; expiresAt: Date | null },
): Promise<number> =>
  tx.run(sql`
  update api_keys set replaced_by = ${newId}, updated_at = now(),
    expires_at = coalesce(${expiresAt}::timestamptz, expires_at),
    deleted_at = case when ${expiresAt}::timestamptz is null then now() end
  where ${ownedBy(owner)} and id = ${id}
  returning ${notification({ kind: 'principals_changed' })}`)

/** Locks the organization, so that two calls cannot revoke its last two keys. */
export const lockOrganization = (tx: Db, organizationId: string): Promise<number> =>
  tx.run(sql`select id from organizations where id = ${organizationId} for update`)

/** Whether the organization has another key that has all permissions and never expires. */
export const hasOtherPermanentKey = async (tx: Db, organizationId: string, id: string): Promise<boolean> =>
  (await tx.one(sql`
    select 1 from api_keys where ${ownedBy({ organizationId, projectId: null })} and id <> ${id}
      and permissions is null and expires_at is null limit 1`)) !== undefined

/** Stores when keys were last used. */
export const recordUses = (db: Db, uses: ReadonlyMap<string, number>): Promise<number> =>
  db.run(sql`
  update api_keys k set last_used_at = greatest(k.last_used_at, u.used_at)
  from unnest(${[...uses.keys()]}::text[], ${[...uses.values()].map((ms) => new Date(ms))}::timestamptz[])
    as u (id, used_at)
  where k.id = u.id`)

/** Revokes the keys that expired before a time. */
export const deleteKeysExpiredBefore = (db: Db, before: Date): Promise<number> =>
  db.run(sql`
  update api_keys set deleted_at = now(), updated_at = now() where expires_at < ${before} and deleted_at is null`)

/** Revokes all keys of projects after an incident. Returns their number. */
export const deleteKeysOfProjects = (tx: Db, projectIds: readonly string[]): Promise<number> =>
  tx.run(sql`
  update api_keys set deleted_at = now(), updated_at = now()
  where project_id = any(${projectIds as string[]}::text[]) and deleted_at is null
  returning ${notification({ kind: 'principals_changed' })}`)

export const deleteKeysOfProject = (db: Db, projectId: string): Promise<number> =>
  db.run(sql`
  update api_keys set deleted_at = now(), updated_at = now() where project_id = ${projectId} and deleted_at is null
  returning ${notification({ kind: 'principals_changed' })}`)

/** Identity and permissions of a key. */
export interface KeyHolder {
  id: string
  kind: 'project' | 'organization'
  organization_id: string
  project_id: string | null
  permissions: Record<string, string[]> | null
  allowed_ips: string[]
  expires_at: Date | null
  config: Record<string, unknown> | null
}

const KEY_HOLDER = sql`
  select k.id, k.kind, k.organization_id, k.project_id, k.permissions, k.allowed_ips, k.expires_at,
    p.config
  from api_keys k left join projects p on p.id = k.project_id
  where k.deleted_at is null and (k.project_id is null or p.deleted_at is null)`

export const findKeyHolder = (db: Db, keyHash: Buffer): Promise<KeyHolder | undefined> =>
  db.one(sql`${KEY_HOLDER} and k.key_hash = ${keyHash}`)

export const findKeyHolderById = (db: Db, id: string): Promise<KeyHolder | undefined> =>
  db.one(sql`${KEY_HOLDER} and k.id = ${id}`)

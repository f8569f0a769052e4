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
  created_at: Date
  updated_at: Date
}
const COLUMNS = sql`id, auto_id, uuid, project_id, name, encrypted_key, permissions, allowed_ips,
    created_at, updated_at`

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
  },
): Promise<void> {
  await db.run(
    sql`insert into api_keys ${values({ ...row, permissions: row.permissions && JSON.stringify(row.permissions) })}
      returning ${notification({ kind: 'principals_changed' })}`,
  )
}

export const listKeysOfProject = (db: Db, projectId: string): Promise<ApiKeyRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from api_keys where project_id = ${projectId} and deleted_at is null order by created_at, id`)

/** Lists the keys of several projects in one query. */
export const listKeysOfProjects = (db: Db, projectIds: readonly string[]): Promise<ApiKeyRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from api_keys where project_id = any(${projectIds as string[]}) and deleted_at is null
    order by created_at, id`)

export const findKey = (db: Db, id: string): Promise<ApiKeyRow | undefined> =>
  db.one(sql`select ${COLUMNS} from api_keys where id = ${id} and deleted_at is null`)

export const deleteKey = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
  update api_keys set deleted_at = now(), updated_at = now() where project_id = ${projectId} and id = ${id}
    and deleted_at is null
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
  config: Record<string, unknown> | null
}

export const findKeyHolder = (db: Db, keyHash: Buffer): Promise<KeyHolder | undefined> =>
  db.one(sql`
  select k.id, k.kind, k.organization_id, k.project_id, k.permissions, k.allowed_ips, p.config
  from api_keys k left join projects p on p.id = k.project_id
  where k.key_hash = ${keyHash} and k.deleted_at is null and (k.project_id is null or p.deleted_at is null)`)

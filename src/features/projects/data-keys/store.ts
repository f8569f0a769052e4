import { notification } from '../../../platform/change-bus.ts'
import type {
  DataKeyPurpose,
  DataKeyStore,
  NewDataKey,
  StoredDataKey,
} from '../../../platform/crypto/index.ts'
import { type Db, type Pool, type Sql, sql } from '../../../platform/db/sql.ts'

const COLUMNS = sql`
  id, project_id, encrypted_key, replaced_at is null and purpose = 'encryption' as is_current`

/**
 * The data keys of all projects. `db` has connections of its own: a caller can hold a transaction, and all connections
 * of its pool, while it needs a data key.
 */
export const createDataKeyStore = (db: Db): DataKeyStore => ({
  async findOrCreate(projectId, purpose, create) {
    const existing = await findCurrent(db, projectId, purpose)
    if (existing) return existing
    await insertDataKey(db, projectId, purpose, create(), IS_NOT_ERASED(projectId))
    // Of two processes that create the key at once, both use the one that was stored first.
    return findCurrent(db, projectId, purpose)
  },
  find: (ids) =>
    db.rows<StoredDataKey>(
      sql`select ${COLUMNS} from project_data_keys where id = any(${ids as string[]}::text[])`,
    ),
})

const findCurrent = (
  db: Db,
  projectId: string,
  purpose: DataKeyPurpose,
): Promise<StoredDataKey | undefined> =>
  db.one<StoredDataKey>(sql`
    select ${COLUMNS} from project_data_keys
    where project_id = ${projectId} and purpose = ${purpose} and replaced_at is null`)

/** A deleted project has a data key until its erasure ends: revocations at providers need the credentials. */
const IS_NOT_ERASED = (projectId: string): Sql => sql`
  exists (select from projects where id = ${projectId}) and not exists (
    select from project_deletions where project_id = ${projectId} and status = 'done')`

/** Stores the data key of a project, unless it has one. */
export const insertDataKey = (
  db: Db,
  projectId: string,
  purpose: DataKeyPurpose,
  { id, encrypted_key: key }: NewDataKey,
  condition: Sql = sql`true`,
): Promise<number> =>
  db.run(sql`
    insert into project_data_keys (id, project_id, purpose, encrypted_key)
    select ${id}, ${projectId}, ${purpose}, ${key}::bytea where ${condition}
    on conflict (project_id, purpose) where replaced_at is null do nothing`)

const CHANGED = notification({ kind: 'data_keys_changed', projectId: sql`project_id` })

/** Destroys the data keys of an erased project, here and in the memory of all processes. */
export const destroyDataKeys = (tx: Db, projectId: string): Promise<number> =>
  tx.run(sql`
    with destroyed as (delete from project_data_keys where project_id = ${projectId} returning project_id)
    select ${CHANGED} from destroyed`)

/**
 * Gives each project another data key that encrypts. The former one only decrypts from now on. A project that still has
 * a former one is left out: an unfinished replacement is continued with the key that it created. The keys of hashes
 * stay. Returns the number of new keys.
 */
export async function replaceDataKeys(db: Pool, create: () => NewDataKey): Promise<number> {
  const projects = await db.rows<{ project_id: string }>(sql`
    select project_id from project_data_keys where purpose = 'encryption'
    group by project_id having bool_and(replaced_at is null)`)
  for (const { project_id: projectId } of projects)
    await db.begin(async (tx) => {
      await tx.run(sql`
        update project_data_keys set replaced_at = now()
        where project_id = ${projectId} and purpose = 'encryption' and replaced_at is null returning ${CHANGED}`)
      await insertDataKey(tx, projectId, 'encryption', create(), IS_NOT_ERASED(projectId))
    })
  return projects.length
}

/** Destroys the former data keys of all projects. The caller has checked that no value needs them. */
export const destroyReplacedDataKeys = (db: Db): Promise<number> =>
  db.run(sql`
    with destroyed as (delete from project_data_keys where replaced_at is not null returning project_id)
    select ${CHANGED} from destroyed`)

/** Whether a value of the column was encrypted with a former data key, or with the key ring itself. */
export const isOfFormerKey = (
  column: Sql,
): Sql => sql`(${column} is not null and (get_byte(${column}, 0) = 1 or exists (
  select from project_data_keys k where k.replaced_at is not null
    and substring(${column} from 3 for get_byte(${column}, 1)) = convert_to(k.id, 'UTF8'))))`

import { type Db, sql } from '../../../platform/db/sql.ts'

export interface ProjectDeletionRow {
  id: string
  organization_id: string
  project_id: string
  status: 'pending' | 'done'
  removed: Record<string, number>
  last_error: string | null
  created_at: Date
  finished_at: Date | null
}
const COLUMNS = sql`id, organization_id, project_id, status, removed, last_error, created_at, finished_at`

export const insertDeletion = (
  tx: Db,
  row: { id: string; organizationId: string; projectId: string },
): Promise<number> =>
  tx.run(sql`
    insert into project_deletions (id, organization_id, project_id)
    values (${row.id}, ${row.organizationId}, ${row.projectId})`)

export const findDeletion = (
  db: Db,
  organizationId: string,
  projectId: string,
): Promise<ProjectDeletionRow | undefined> =>
  db.one(sql`
    select ${COLUMNS} from project_deletions
    where organization_id = ${organizationId} and project_id = ${projectId}`)

/** Finds a deletion for the background job, which knows its id only. */
export const findDeletionById = (db: Db, id: string): Promise<ProjectDeletionRow | undefined> =>
  db.one(sql`select ${COLUMNS} from project_deletions where id = ${id}`)

export const listPendingDeletions = async (db: Db, limit: number): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`
      select id from project_deletions where status = 'pending' order by created_at limit ${limit}`)
  ).map(({ id }) => id)

/** Adds a number of removed objects. */
export const countRemoved = (db: Db, id: string, kind: string, count: number): Promise<number> =>
  db.run(sql`
    update project_deletions
    set removed = removed ||
      jsonb_build_object(${kind}::text, coalesce((removed->>${kind}::text)::int, 0) + ${count}::int)
    where id = ${id}`)

export const recordFailure = (db: Db, id: string, text: string): Promise<number> =>
  db.run(sql`update project_deletions set last_error = ${text} where id = ${id} and status = 'pending'`)

/** Ends a deletion. Returns it, or undefined if it had ended before. */
export const finishDeletion = (tx: Db, id: string): Promise<ProjectDeletionRow | undefined> =>
  tx.one(sql`
    update project_deletions set status = 'done', last_error = null, finished_at = now()
    where id = ${id} and status = 'pending' returning ${COLUMNS}`)

/** Erases the settings of a deleted project. The row stays, so that its id is never used again. */
export const eraseSettings = (tx: Db, projectId: string): Promise<number> =>
  tx.run(sql`update projects set config = '{}' where id = ${projectId} and deleted_at is not null`)

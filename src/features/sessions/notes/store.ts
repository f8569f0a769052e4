import { type Db, sql } from '../../../platform/db/sql.ts'
import { type ListPage, newestFirst, type PageWindow, readListPage } from '../../../platform/list-page.ts'

export interface RecipeListRow {
  id: string
  user_id: string
  slug: string
  name: string
  description: string
  version: number
  created_at: Date
  updated_at: Date
}
export interface MemoryListRow {
  id: string
  user_id: string
  toolkit: string
  encrypted_payload: Buffer
  is_untrusted: boolean
  updated_at: Date
}
const ofUser = (userId: string | undefined) => (userId === undefined ? sql`true` : sql`user_id = ${userId}`)

/** Lists the recipes of a project, newest change first. A recipe without a version is being saved. */
export async function listRecipeRows(
  db: Db,
  projectId: string,
  userId: string | undefined,
  page: PageWindow,
): Promise<ListPage<RecipeListRow>> {
  const where = sql`project_id = ${projectId} and version > 0 and ${ofUser(userId)}`
  const columns = sql`id, user_id, slug, name, description, version, created_at, updated_at`
  return readListPage(db, { columns, from: sql`recipes`, where, order: newestFirst(sql`updated_at`) }, page)
}

/** Deletes a recipe with its versions and stopped runs. Returns whether it existed. */
export const deleteRecipeRow = async (db: Db, projectId: string, id: string): Promise<boolean> =>
  (await db.run(sql`delete from recipes where project_id = ${projectId} and id = ${id}`)) > 0

/** Lists the memories of a project, newest change first. */
export async function listMemoryRows(
  db: Db,
  projectId: string,
  userId: string | undefined,
  page: PageWindow,
): Promise<ListPage<MemoryListRow>> {
  const where = sql`project_id = ${projectId} and ${ofUser(userId)}`
  const columns = sql`id, user_id, toolkit, encrypted_payload, is_untrusted, updated_at`
  return readListPage(
    db,
    { columns, from: sql`user_memories`, where, order: newestFirst(sql`updated_at`) },
    page,
  )
}

/** Deletes a memory. Returns whether it existed. */
export const deleteMemoryRow = async (db: Db, projectId: string, id: string): Promise<boolean> =>
  (await db.run(sql`delete from user_memories where project_id = ${projectId} and id = ${id}`)) > 0

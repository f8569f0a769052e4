import { type Db, sql } from '../../../platform/db/sql.ts'

export interface RecipeRow {
  id: string
  slug: string
  name: string
  description: string
  version: number
  created_at: Date
  updated_at: Date
  version_id: string
  /** A session that had read content of other people saved this version. */
  is_untrusted: boolean
}
export type RecipeCode = { id: string; encrypted_payload: Buffer; is_untrusted: boolean }

const COLUMNS = sql`
  r.id, r.slug, r.name, r.description, r.version, r.created_at, r.updated_at, v.id as version_id,
  v.is_untrusted`
const FROM = sql`recipes r join recipe_versions v on v.recipe_id = r.id and v.version = r.version`

/** What a user may have, and what is kept of each. */
export const RECIPES_MAX = 100
export const VERSIONS_MAX = 20

export const list = (db: Db, projectId: string, userId: string): Promise<RecipeRow[]> =>
  db.rows(sql`
  select ${COLUMNS} from ${FROM} where r.project_id = ${projectId} and r.user_id = ${userId}
    order by r.slug limit ${RECIPES_MAX}`)

export const find = (
  db: Db,
  projectId: string,
  userId: string,
  slug: string,
): Promise<RecipeRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from ${FROM} where r.project_id = ${projectId} and r.user_id = ${userId} and r.slug = ${slug}`)

export const findCodes = (db: Db, projectId: string, versionIds: readonly string[]): Promise<RecipeCode[]> =>
  db.rows(sql`
  select v.id, v.encrypted_payload, v.is_untrusted from recipe_versions v join recipes r on r.id = v.recipe_id
    where r.project_id = ${projectId} and v.id = any(${[...versionIds]})`)

/**
 * The recipe of this slug, held until the transaction ends, and made without a version (0) where there is
 * none; undefined when the user has too many.
 */
export async function lockRecipe(
  tx: Db,
  projectId: string,
  userId: string,
  row: { id: string; slug: string; name: string },
): Promise<{ id: string; version: number; name: string; description: string } | undefined> {
  await tx.run(sql`
    insert into recipes (id, project_id, user_id, slug, name, description, version)
      select ${row.id}, ${projectId}, ${userId}, ${row.slug}, ${row.name}, '', 0
    where (select count(*) from recipes where project_id = ${projectId} and user_id = ${userId}) < ${RECIPES_MAX}
    on conflict (project_id, user_id, slug) do nothing`)
  return tx.one(
    sql`select id, version, name, description from recipes where project_id = ${projectId}
        and user_id = ${userId} and slug = ${row.slug} for update`,
  )
}

/** Of the current version of a recipe that is held. */
export const currentCode = (tx: Db, recipeId: string, version: number): Promise<RecipeCode | undefined> =>
  tx.one(sql`
  select id, encrypted_payload, is_untrusted from recipe_versions
  where recipe_id = ${recipeId} and version = ${version}`)

/** A new version of a recipe that is held; the oldest ones go. */
export async function addVersion(
  tx: Db,
  projectId: string,
  recipeId: string,
  next: {
    id: string
    version: number
    name: string
    description: string
    encrypted_payload: Buffer
    is_untrusted: boolean
  },
): Promise<void> {
  const {
    id,
    version,
    name,
    description,
    encrypted_payload: encryptedPayload,
    is_untrusted: isUntrusted,
  } = next
  await tx.run(
    sql`insert into recipe_versions (id, recipe_id, version, encrypted_payload, is_untrusted)
        values (${id}, ${recipeId}, ${version}, ${encryptedPayload}, ${isUntrusted})`,
  )
  await tx.run(
    sql`update recipes set version = ${version}, name = ${name}, description = ${description},
        updated_at = now() where project_id = ${projectId} and id = ${recipeId}`,
  )
  await tx.run(
    sql`delete from recipe_versions where recipe_id = ${recipeId} and version <= ${version - VERSIONS_MAX}`,
  )
}

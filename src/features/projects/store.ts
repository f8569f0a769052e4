import { notification } from '../../platform/change-bus.ts'
import { all, type Db, type Sql, sql, values } from '../../platform/db/sql.ts'
import { newestFirst, type PageWindow, readListPage } from '../../platform/list-page.ts'

export interface ProjectRow {
  id: string
  auto_id: number
  uuid: string
  organization_id: string
  name: string
  config: Record<string, unknown>
  triggers_enabled: boolean
  is_demo: boolean
  created_at: Date
  updated_at: Date
}
const COLUMNS = sql`id, auto_id, uuid, organization_id, name, config, triggers_enabled, is_demo, created_at,
  updated_at`

export async function insertProject(
  db: Db,
  organizationId: string,
  row: {
    id: string
    name: string
    config: Record<string, unknown>
    triggersEnabled?: boolean | undefined
    isDemo?: boolean
  },
): Promise<void> {
  const columns = {
    id: row.id,
    organization_id: organizationId,
    name: row.name,
    config: JSON.stringify(row.config),
    triggers_enabled: row.triggersEnabled ?? true,
    is_demo: row.isDemo ?? false,
  }
  await db.run(
    sql`insert into projects ${values(columns)} returning ${notification({ kind: 'principals_changed' })}`,
  )
}

export const findProject = (db: Db, organizationId: string, id: string): Promise<ProjectRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from projects where organization_id = ${organizationId} and id = ${id} and deleted_at is null`)

/** Reads a project and locks its row until the transaction ends. */
export const lockProject = (db: Db, organizationId: string, id: string): Promise<ProjectRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from projects where organization_id = ${organizationId} and id = ${id}
    and deleted_at is null for update`)

export async function listProjects(db: Db, organizationId: string, page: PageWindow) {
  const chosen: Sql = all(sql`organization_id = ${organizationId}`, sql`deleted_at is null`)
  const query = { columns: COLUMNS, from: sql`projects`, where: chosen, order: newestFirst() }
  return readListPage<ProjectRow>(db, query, page)
}

/**
 * Locks and counts the projects of an organization, so that two deletions cannot remove the last two. The order is that
 * of `publishEventsOfProjects`, whatever the collation of the database is.
 */
export async function lockAndCountProjects(db: Db, organizationId: string): Promise<number> {
  return (
    await db.rows(
      sql`select id from projects where organization_id = ${organizationId} and deleted_at is null
          order by id collate "C" for update`,
    )
  ).length
}

/**
 * Deletes a project after the transactions that publish its events, which lock its row (`publishEvents`): an update
 * of this column alone would not wait for them.
 */
export async function deleteProject(db: Db, organizationId: string, id: string): Promise<void> {
  await db.run(
    sql`update projects set deleted_at = now(), updated_at = now()
        where id = (select id from projects where organization_id = ${organizationId} and id = ${id} for update)
      returning ${notification({ kind: 'principals_changed' })}`,
  )
}

/** Merges settings into the configuration; returns the changed row. */
export const mergeConfig = (
  db: Db,
  projectId: string,
  { config, triggersEnabled }: { config: Record<string, unknown>; triggersEnabled?: boolean | undefined },
): Promise<ProjectRow | undefined> =>
  db.one(sql`
  with updated as (
    update projects set config = config || ${JSON.stringify(config)}::jsonb,
      triggers_enabled = coalesce(${triggersEnabled ?? null}, triggers_enabled), updated_at = now()
    where id = ${projectId} and deleted_at is null returning ${COLUMNS})
  select u.* from updated u, lateral (select ${notification({ kind: 'principals_changed' })}) n`)

export const findProjectWithOrganization = (
  db: Db,
  projectId: string,
): Promise<(ProjectRow & { organization_name: string; plan: string }) | undefined> =>
  db.one(sql`
  select p.id, p.auto_id, p.uuid, p.organization_id, p.name, p.config, p.triggers_enabled, p.is_demo,
    p.created_at, p.updated_at, o.name as organization_name, o.plan
  from projects p join organizations o on o.id = p.organization_id where p.id = ${projectId} and p.deleted_at is null`)

/** Lists the projects of an organization by name; one of them if `id` is set. */
export const listProjectNames = (
  db: Db,
  organizationId: string,
  id: string | null,
): Promise<{ id: string; name: string; is_demo: boolean }[]> =>
  db.rows(sql`
  select id, name, is_demo from projects
  where organization_id = ${organizationId} and deleted_at is null and (${id}::text is null or id = ${id})
  order by name, id`)

/** Returns the id of the organization of this server; undefined before the first start has created it. */
export const findOrganizationId = async (db: Db): Promise<string | undefined> =>
  (await db.one<{ id: string }>(sql`select id from organizations order by created_at, id limit 1`))?.id

import { all, type Db, type Sql, sql, values } from '../../platform/db/sql.ts'

export interface ProjectRow {
  id: string
  auto_id: number
  uuid: string
  organization_id: string
  name: string
  config: Record<string, unknown>
  triggers_enabled: boolean
  created_at: Date
  updated_at: Date
}
const COLUMNS = sql`id, auto_id, uuid, organization_id, name, config, triggers_enabled, created_at, updated_at`

export async function insert(
  db: Db,
  organizationId: string,
  row: { id: string; name: string; config: Record<string, unknown> },
): Promise<void> {
  await db.run(
    sql`insert into projects ${values({ id: row.id, organization_id: organizationId, name: row.name, config: JSON.stringify(row.config) })}`,
  )
}

export const find = (db: Db, organizationId: string, id: string): Promise<ProjectRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from projects where organization_id = ${organizationId} and id = ${id} and deleted_at is null`)

/** As `find`; until the transaction ends nobody changes it or adds anything to it. */
export const findForUpdate = (db: Db, organizationId: string, id: string): Promise<ProjectRow | undefined> =>
  db.one(sql`
  select ${COLUMNS} from projects where organization_id = ${organizationId} and id = ${id} and deleted_at is null for update`)

export async function list(db: Db, organizationId: string, page: { limit: number; offset: number }) {
  const chosen: Sql = all(sql`organization_id = ${organizationId}`, sql`deleted_at is null`)
  const rows = await db.rows<ProjectRow>(
    sql`select ${COLUMNS} from projects where ${chosen} order by created_at desc, id limit ${page.limit} offset ${page.offset}`,
  )
  const total = await db.one<{ count: number }>(
    sql`select count(*)::int as count from projects where ${chosen}`,
  )
  return { rows, total: total?.count ?? 0 }
}

/** Locks the organization's projects, so that two deletions cannot both leave "one more". */
export async function countForUpdate(db: Db, organizationId: string): Promise<number> {
  return (
    await db.rows(
      sql`select id from projects where organization_id = ${organizationId} and deleted_at is null order by id for update`,
    )
  ).length
}

export async function remove(db: Db, organizationId: string, id: string): Promise<void> {
  await db.run(
    sql`update projects set deleted_at = now(), updated_at = now() where organization_id = ${organizationId} and id = ${id}`,
  )
}

/** Merges keys into the configuration; answers the row after it. */
export const mergeConfig = (
  db: Db,
  projectId: string,
  patch: Record<string, unknown>,
): Promise<ProjectRow | undefined> =>
  db.one(sql`
  update projects set config = config || ${JSON.stringify(patch)}::jsonb, updated_at = now() where id = ${projectId} and deleted_at is null returning ${COLUMNS}`)

export const byId = (
  db: Db,
  projectId: string,
): Promise<(ProjectRow & { organization_name: string; plan: string }) | undefined> =>
  db.one(sql`
  select p.id, p.auto_id, p.uuid, p.organization_id, p.name, p.config, p.triggers_enabled, p.created_at, p.updated_at, o.name as organization_name, o.plan
  from projects p join organizations o on o.id = p.organization_id where p.id = ${projectId} and p.deleted_at is null`)

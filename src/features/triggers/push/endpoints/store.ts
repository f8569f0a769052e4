import { all, type Db, sql } from '../../../../platform/db/sql.ts'

export interface EndpointRow {
  id: string
  project_id: string
  toolkit_slug: string
  client_id: string | null
  data: Buffer | null
  verified_at: Date | null
  created_at: Date
}
const COLUMNS = sql`id, project_id, toolkit_slug, client_id, data, verified_at, created_at`

export const listEndpoints = (
  db: Db,
  projectId: string,
  toolkit: string | undefined,
  limit: number,
): Promise<EndpointRow[]> =>
  db.rows(sql`
    select ${COLUMNS} from webhook_endpoints e
    where ${all(
      sql`project_id = ${projectId}`,
      sql`exists (select 1 from projects p where p.id = e.project_id and p.deleted_at is null)`,
      toolkit !== undefined && sql`toolkit_slug = ${toolkit}`,
    )}
    order by created_at, id limit ${limit}`)

export const countEndpoints = async (db: Db, projectId: string): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*)::int as count from webhook_endpoints where project_id = ${projectId}`,
    )
  )?.count ?? 0

/** Returns undefined if there is an endpoint for this toolkit and client. */
export const insertEndpoint = (
  db: Db,
  row: Pick<EndpointRow, 'id' | 'project_id' | 'toolkit_slug' | 'client_id'>,
): Promise<EndpointRow | undefined> =>
  db.one(sql`
    insert into webhook_endpoints (id, project_id, toolkit_slug, client_id)
    values (${row.id}, ${row.project_id}, ${row.toolkit_slug}, ${row.client_id})
    on conflict do nothing returning ${COLUMNS}`)

export const findEndpoint = (db: Db, projectId: string, id: string): Promise<EndpointRow | undefined> =>
  db.one(sql`select ${COLUMNS} from webhook_endpoints where project_id = ${projectId} and id = ${id}`)

export const lockEndpoint = (tx: Db, projectId: string, id: string): Promise<EndpointRow | undefined> =>
  tx.one(
    sql`select ${COLUMNS} from webhook_endpoints where project_id = ${projectId} and id = ${id} for update`,
  )

export const findByClient = (
  db: Db,
  projectId: string,
  toolkit: string,
  clientId: string | null,
): Promise<EndpointRow | undefined> =>
  db.one(sql`
    select ${COLUMNS} from webhook_endpoints
    where project_id = ${projectId} and toolkit_slug = ${toolkit} and coalesce(client_id, '') = ${clientId ?? ''}`)

/** Writes new data, with which no delivery was verified yet. */
export const updateEndpoint = (
  tx: Db,
  projectId: string,
  id: string,
  data: Buffer,
): Promise<EndpointRow | undefined> =>
  tx.one(sql`
    update webhook_endpoints set data = ${data}, verified_at = null, updated_at = now()
    where project_id = ${projectId} and id = ${id} returning ${COLUMNS}`)

export const markVerified = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`
    update webhook_endpoints set verified_at = now()
    where project_id = ${projectId} and id = ${id} and verified_at is null`)

export const deleteEndpoint = (db: Db, projectId: string, id: string): Promise<number> =>
  db.run(sql`delete from webhook_endpoints where project_id = ${projectId} and id = ${id}`)

/**
 * Takes no project: the id is part of a public URL, and each delivery is verified. Deleted projects receive nothing.
 */
export const findByPublicId = (db: Db, id: string): Promise<EndpointRow | undefined> =>
  db.one(sql`
    select ${COLUMNS} from webhook_endpoints e
    where id = ${id} and exists (select 1 from projects p where p.id = e.project_id and p.deleted_at is null)`)

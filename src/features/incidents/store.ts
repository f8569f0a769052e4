import type { RevocableKind } from '../../contract/incidents.ts'
import { type Db, sql, values } from '../../platform/db/sql.ts'

export interface IncidentRow {
  id: string
  project_id: string | null
  toolkit_slug: string | null
  user_id: string | null
  reason: string | null
  /** Numbers of what was revoked besides accounts; kinds that were not selected are missing. */
  revoked: Partial<Record<RevocableKind, number>>
  created_at: Date
}
export interface FrozenAccountRow {
  connected_account_id: string
  project_id: string
  toolkit_slug: string
  user_id: string
  requested_scopes: string[]
  allowed_tools: string[]
  status: 'pending' | 'done' | 'failed' | 'unsupported'
  revoked_tokens: string[]
  last_error: string | null
}
export interface RevocationCounts {
  frozen: number
  pending: number
  done: number
  failed: number
  unsupported: number
}

export const hasProject = async (db: Db, organizationId: string, id: string): Promise<boolean> =>
  (await db.one(
    sql`select 1 from projects where organization_id = ${organizationId} and id = ${id} and deleted_at is null`,
  )) !== undefined

export const listProjectIds = async (db: Db, organizationId: string): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(
      sql`select id from projects where organization_id = ${organizationId} and deleted_at is null`,
    )
  ).map(({ id }) => id)

export async function insert(
  db: Db,
  organizationId: string,
  row: Omit<IncidentRow, 'created_at' | 'revoked'>,
): Promise<void> {
  await db.run(sql`insert into incidents ${values({ ...row, organization_id: organizationId })}`)
}

/** Stores the numbers of what an incident revoked. */
export const recordRevoked = (tx: Db, id: string, revoked: IncidentRow['revoked']): Promise<number> =>
  tx.run(sql`update incidents set revoked = ${JSON.stringify(revoked)} where id = ${id}`)

export const find = (db: Db, organizationId: string, id: string): Promise<IncidentRow | undefined> =>
  db.one(sql`
    select id, project_id, toolkit_slug, user_id, reason, revoked, created_at
    from incidents where organization_id = ${organizationId} and id = ${id}`)

export const countRevocations = async (db: Db, id: string): Promise<RevocationCounts> =>
  (await db.one<RevocationCounts>(sql`
    select count(*)::int as frozen,
      count(*) filter (where status = 'pending')::int as pending,
      count(*) filter (where status = 'done')::int as done,
      count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where status = 'unsupported')::int as unsupported
    from revocations where incident_id = ${id}`)) as RevocationCounts

export async function list(
  db: Db,
  organizationId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: (IncidentRow & RevocationCounts)[]; total: number }> {
  const rows = await db.rows<IncidentRow & RevocationCounts>(sql`
    select i.id, i.project_id, i.toolkit_slug, i.user_id, i.reason, i.revoked, i.created_at, r.*
    from incidents i, lateral (
      select count(*)::int as frozen,
        count(*) filter (where status = 'pending')::int as pending,
        count(*) filter (where status = 'done')::int as done,
        count(*) filter (where status = 'failed')::int as failed,
        count(*) filter (where status = 'unsupported')::int as unsupported
      from revocations where incident_id = i.id) r
    where i.organization_id = ${organizationId} order by i.created_at desc, i.id limit ${limit} offset ${offset}`)
  const total = await db.one<{ count: number }>(
    sql`select count(*)::int as count from incidents where organization_id = ${organizationId}`,
  )
  return { rows, total: total?.count ?? 0 }
}

export const listFrozenAccounts = (
  db: Db,
  id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<FrozenAccountRow[]> =>
  db.rows(sql`
    select r.connected_account_id, r.project_id, c.toolkit_slug, c.user_id, c.requested_scopes,
      a.tools_available_for_execution as allowed_tools, r.status, r.revoked_tokens, r.last_error
    from revocations r
    join connected_accounts c on c.id = r.connected_account_id
    join auth_configs a on a.id = c.auth_config_id
    where r.incident_id = ${id} order by r.created_at, r.id limit ${limit} offset ${offset}`)

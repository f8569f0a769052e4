import type { RevocableKind } from '../../contract/incidents.ts'
import { type Db, type Sql, sql, values } from '../../platform/db/sql.ts'
import {
  type ListPage,
  newestFirst,
  oldestFirst,
  type PageWindow,
  readListPage,
  readRows,
} from '../../platform/list-page.ts'

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

/** Returns a query of the `RevocationCounts` of an incident. */
const revocationCounts = (incidentId: Sql): Sql => sql`
  select count(*)::int as frozen,
    count(*) filter (where status = 'pending')::int as pending,
    count(*) filter (where status = 'done')::int as done,
    count(*) filter (where status = 'failed')::int as failed,
    count(*) filter (where status = 'unsupported')::int as unsupported
  from revocations where incident_id = ${incidentId}`

export const countRevocations = async (db: Db, id: string): Promise<RevocationCounts> =>
  (await db.one<RevocationCounts>(revocationCounts(sql`${id}`))) as RevocationCounts

export async function list(
  db: Db,
  organizationId: string,
  page: PageWindow,
): Promise<ListPage<IncidentRow & RevocationCounts>> {
  const columns = sql`i.id, i.project_id, i.toolkit_slug, i.user_id, i.reason, i.revoked, i.created_at, r.*`
  const from = sql`incidents i, lateral (${revocationCounts(sql`i.id`)}) r`
  const where = sql`i.organization_id = ${organizationId}`
  const order = newestFirst(sql`i.created_at`, sql`i.id`)
  return readListPage(db, { columns, from, where, order, countFrom: sql`incidents i` }, page)
}

export const listFrozenAccounts = (
  db: Db,
  id: string,
  page: PageWindow,
): Promise<Omit<ListPage<FrozenAccountRow>, 'total'>> => {
  const columns = sql`r.connected_account_id, r.project_id, c.toolkit_slug, c.user_id, c.requested_scopes,
      a.tools_available_for_execution as allowed_tools, r.status, r.revoked_tokens, r.last_error`
  const from = sql`revocations r
    join connected_accounts c on c.id = r.connected_account_id
    join auth_configs a on a.id = c.auth_config_id`
  const order = oldestFirst(sql`r.created_at`, sql`r.id`)
  return readRows(db, { columns, from, where: sql`r.incident_id = ${id}`, order }, page)
}

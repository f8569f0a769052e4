import { type Db, sql } from '../../../platform/db/sql.ts'

export type ProviderRequestKind =
  | 'start'
  | 'code'
  | 'refresh'
  | 'sign_in'
  | 'revoke'
  | 'probe'
  | 'follow_up'
  | 'post_connect'
export type ProviderRequestOutcome = 'ok' | 'refused' | 'trouble'

export interface ProviderRequestDraft {
  project_id: string
  connected_account_id: string
  kind: ProviderRequestKind
  at: Date
  duration_ms: number
  request: unknown
  response: unknown
  outcome: ProviderRequestOutcome
  code: string | null
}
export type ProviderRequestRow = Omit<ProviderRequestDraft, 'project_id' | 'connected_account_id'>

export const ROWS_PER_ACCOUNT_MAX = 20

/**
 * Inserts rows in their order, and removes the oldest rows of accounts that have too many.
 * Returns the drafts whose account does not exist or is locked: it was erased, or is not committed yet.
 */
export async function insertProviderRequests(
  db: Db,
  drafts: readonly ProviderRequestDraft[],
): Promise<readonly ProviderRequestDraft[]> {
  const inserted = await db.rows<{ connected_account_id: string }>(sql`
    insert into provider_requests
      (project_id, connected_account_id, kind, at, duration_ms, request, response, outcome, code)
    select d.project_id, d.connected_account_id, d.kind, d.at, d.duration_ms, nullif(d.request, 'null'), d.response,
      d.outcome, d.code
    from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) as d (
      project_id text, connected_account_id text, kind text, at timestamptz, duration_ms integer, request jsonb,
      response jsonb, outcome text, code text)
    -- Of an account that is erased meanwhile, the row is not written, or the erasure waits and removes it. An account
    -- that is locked does not make the rows of all others wait: its own are written later.
    where exists (
      select from connected_accounts c where c.id = d.connected_account_id and c.project_id = d.project_id
      for key share skip locked)
    returning connected_account_id`)
  const projectIds = drafts.map((draft) => draft.project_id)
  const accountIds = drafts.map((draft) => draft.connected_account_id)
  await db.run(sql`
    delete from provider_requests r
    using (
      select distinct project_id, connected_account_id
      from unnest(${projectIds}::text[], ${accountIds}::text[]) t (project_id, connected_account_id)
    ) a
    where r.project_id = a.project_id and r.connected_account_id = a.connected_account_id
      and r.id <= (
        select id from provider_requests o
        where o.project_id = a.project_id and o.connected_account_id = a.connected_account_id
        order by id desc offset ${ROWS_PER_ACCOUNT_MAX} limit 1)`)
  const existing = new Set(inserted.map((row) => row.connected_account_id))
  return drafts.filter((draft) => !existing.has(draft.connected_account_id))
}

/** Lists the requests of an account, the newest first. */
export const listProviderRequests = (
  db: Db,
  projectId: string,
  accountId: string,
): Promise<ProviderRequestRow[]> =>
  db.rows(sql`
    select kind, at, duration_ms, request, response, outcome, code from provider_requests
    where project_id = ${projectId} and connected_account_id = ${accountId}
    order by id desc limit ${ROWS_PER_ACCOUNT_MAX}`)

/**
 * Removes rows after 30 days, and rows without an account after one hour: the first requests of a new account
 * come before its row. Returns the number of removed rows.
 */
export const removeOldProviderRequests = (db: Db): Promise<number> =>
  db.run(sql`
    delete from provider_requests r where r.at < now() - interval '30 days'
      or (r.at < now() - interval '1 hour' and not exists (
        select from connected_accounts c where c.id = r.connected_account_id and c.deleted_at is null))`)

import { type Db, sql } from '../../platform/db/sql.ts'

export type ExchangeKind =
  | 'start'
  | 'code'
  | 'refresh'
  | 'sign_in'
  | 'revoke'
  | 'probe'
  | 'follow_up'
  | 'post_connect'
export type ExchangeOutcome = 'ok' | 'refused' | 'trouble'

export interface ExchangeDraft {
  project_id: string
  connected_account_id: string
  kind: ExchangeKind
  at: Date
  duration_ms: number
  request: unknown
  answer: unknown
  outcome: ExchangeOutcome
  code: string | null
}
export type ExchangeRow = Omit<ExchangeDraft, 'project_id' | 'connected_account_id'>

/** Kept of each account. */
export const KEPT = 20

/** Writes down exchanges in their order, and lets go of those that are too many. */
export async function insert(db: Db, drafts: readonly ExchangeDraft[]): Promise<void> {
  await db.run(sql`
    insert into connection_exchanges (project_id, connected_account_id, kind, at, duration_ms, request, answer, outcome, code)
    select project_id, connected_account_id, kind, at, duration_ms, nullif(request, 'null'), answer, outcome, code
    from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb)
      as d (project_id text, connected_account_id text, kind text, at timestamptz, duration_ms integer, request jsonb, answer jsonb, outcome text, code text)`)
  await db.run(sql`
    delete from connection_exchanges e
    using (select distinct project_id, connected_account_id from unnest(${drafts.map((draft) => draft.project_id)}::text[], ${drafts.map((draft) => draft.connected_account_id)}::text[]) t (project_id, connected_account_id)) a
    where e.project_id = a.project_id and e.connected_account_id = a.connected_account_id
      and e.id <= (select id from connection_exchanges o where o.project_id = a.project_id and o.connected_account_id = a.connected_account_id order by id desc offset ${KEPT} limit 1)`)
}

/** The newest first. */
export const list = (db: Db, projectId: string, accountId: string): Promise<ExchangeRow[]> =>
  db.rows(sql`
  select kind, at, duration_ms, request, answer, outcome, code from connection_exchanges
  where project_id = ${projectId} and connected_account_id = ${accountId} order by id desc limit ${KEPT}`)

/** After thirty days, and as soon as there is no account; one that is being created has an hour to stand. Answers how many went. */
export const removeOld = (db: Db): Promise<number> =>
  db.run(sql`
  delete from connection_exchanges e where e.at < now() - interval '30 days'
    or (e.at < now() - interval '1 hour' and not exists (select from connected_accounts c where c.id = e.connected_account_id and c.deleted_at is null))`)

import { type Db, sql } from '../../platform/db/sql.ts'

/** Changes of an account that is deleted have this status. */
const DELETED = 'DELETED'
const DAYS_STORED = 365
const ROWS_PER_STATEMENT = 10_000

export interface StatusChangeRow {
  id: number
  from_status: string | null
  to_status: string
  reason: string | null
  at: Date
}

/** Stores changes of accounts for their timelines, in the transaction of the changes. */
export async function recordStatusChanges(
  tx: Db,
  changes: readonly {
    id: string
    project_id: string
    from: string
    to: string
    deleted: boolean
    status_reason: string | null
  }[],
): Promise<void> {
  const rows = changes.map(({ id, project_id, from, to, deleted, status_reason: reason }) => ({
    project_id,
    connected_account_id: id,
    from_status: from,
    to_status: deleted ? DELETED : to,
    reason: deleted ? null : reason,
  }))
  await tx.run(sql`
    insert into account_status_changes (project_id, connected_account_id, from_status, to_status, reason)
    select project_id, connected_account_id, from_status, to_status, reason
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r (project_id text, connected_account_id text, from_status text, to_status text, reason text)`)
}

/** Lists the changes of an account, newest first, before the change with the id `before`. */
export const listStatusChanges = (
  db: Db,
  projectId: string,
  accountId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<StatusChangeRow[]> =>
  db.rows(sql`
    select id, from_status, to_status, reason, at from account_status_changes
    where project_id = ${projectId} and connected_account_id = ${accountId}
      and ${before === undefined ? sql`true` : sql`id < ${before}`}
    order by id desc limit ${limit}`)

/** Removes changes that are older than a year. Returns their number. */
export const removeOldStatusChanges = (db: Db): Promise<number> =>
  db.run(sql`
    delete from account_status_changes where id in (
      select id from account_status_changes where at < now() - make_interval(days => ${DAYS_STORED})
      order by at limit ${ROWS_PER_STATEMENT})`)

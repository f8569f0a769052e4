import { type Db, sql } from '../../../platform/db/sql.ts'

const COUNT_MAX = 10_000

/** Counts the deliveries that are due and that no process sends, up to 10,000. */
export async function countWaitingDeliveries(db: Db): Promise<number> {
  const row = await db.one<{ waiting: number }>(sql`
    select count(*)::int as waiting from (
      select 1 from webhook_deliveries
      where status = 'pending' and next_at <= now() and (leased_until is null or leased_until < now())
      limit ${COUNT_MAX}) as due`)
  return row?.waiting ?? 0
}

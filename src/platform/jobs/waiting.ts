import { type Db, sql } from '../db/sql.ts'

const COUNT_MAX = 10_000

/** Counts the jobs that are due and that no worker runs, up to 10,000: counting a longer queue would slow it down. */
export async function countWaitingJobs(db: Db): Promise<number> {
  const row = await db.one<{ waiting: number }>(sql`
    select count(*)::int as waiting from (
      select 1 from graphile_worker.jobs
      where run_at <= now() and locked_at is null and attempts < max_attempts limit ${COUNT_MAX}) as due`)
  return row?.waiting ?? 0
}

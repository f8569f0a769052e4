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

const ERROR_CHARACTERS_MAX = 300

export interface JobCount {
  task: string
  due: number
  running: number
  later: number
  failed: number
  last_error: string | null
}

/** Counts the jobs in the queue by task. A job that succeeded is in the queue no longer. */
export const countJobsByTask = (db: Db): Promise<JobCount[]> =>
  db.rows(sql`
    select task_identifier as task,
      count(*) filter (where run_at <= now() and locked_at is null and attempts < max_attempts)::int as due,
      count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where run_at > now() and locked_at is null and attempts < max_attempts)::int as later,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed,
      left(split_part((array_agg(last_error order by updated_at desc) filter (where last_error is not null))[1],
        chr(10), 1), ${ERROR_CHARACTERS_MAX}) as last_error
    from (select * from graphile_worker.jobs limit ${COUNT_MAX}) as j
    group by task_identifier order by task_identifier`)

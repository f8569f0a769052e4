import { runOutsideProjects } from '../db/project-scope.ts'
import { type Db, type Sql, sql } from '../db/sql.ts'

/**
 * The arguments of a task: ids and plain facts. Everyone with access to the database can read the queue, so
 * it contains no secrets.
 */
export type Payload = Readonly<Record<string, string | number | boolean | null>>

export interface EnqueueOptions {
  /**
   * Attempts before the job counts as failed. The waits between them grow from seconds to hours. Default 12:
   * about ten hours.
   */
  maxAttempts?: number
  /** A waiting job with this key is replaced. */
  key?: string
  /** The earliest start. */
  runAt?: Date
}

const ATTEMPTS_MAX = 12

/** The queue serves all projects, and the tenant role has no access to it. */
const runOnQueue = (tx: Db, query: Sql): Promise<number> => runOutsideProjects(() => tx.run(query))

/** Adds a job in the caller's transaction: the job exists if the change is committed, and only then. */
export async function enqueue(
  tx: Db,
  task: string,
  payload: Payload,
  { maxAttempts = ATTEMPTS_MAX, key, runAt }: EnqueueOptions = {},
): Promise<void> {
  await runOnQueue(
    tx,
    sql`
    select 1 from graphile_worker.add_job(
      identifier => ${task}::text, payload => ${JSON.stringify(payload)}::json,
        max_attempts => ${maxAttempts}::int, job_key => ${key ?? null}::text, run_at => ${runAt ?? null}::timestamptz)`,
  )
}

/** Adds a job for each id in one statement. Its payload is `{ id }`, its key `task:id`. */
export async function enqueueEach(
  tx: Db,
  task: string,
  ids: readonly string[],
  { maxAttempts = ATTEMPTS_MAX }: Pick<EnqueueOptions, 'maxAttempts'> = {},
): Promise<void> {
  if (ids.length === 0) return
  await runOnQueue(
    tx,
    sql`
    select 1 from unnest(${ids as string[]}::text[]) as requested (id)
    cross join lateral graphile_worker.add_job(identifier => ${task}::text,
      payload => json_build_object('id', requested.id), max_attempts => ${maxAttempts}::int,
      job_key => ${task} || ':' || requested.id)`,
  )
}

/** Adds jobs in one statement. A waiting job of the same key is replaced. */
export async function enqueueMany(
  tx: Db,
  task: string,
  jobs: readonly { key: string; payload: Payload }[],
  { maxAttempts = ATTEMPTS_MAX }: Pick<EnqueueOptions, 'maxAttempts'> = {},
): Promise<void> {
  if (jobs.length === 0) return
  await runOnQueue(
    tx,
    sql`
    select 1
    from unnest(${jobs.map(({ key }) => key)}::text[], ${jobs.map(({ payload }) => JSON.stringify(payload))}::text[])
      as job (key, payload)
    cross join lateral graphile_worker.add_job(
      identifier => ${task}::text, payload => job.payload::json, max_attempts => ${maxAttempts}::int,
        job_key => job.key)`,
  )
}

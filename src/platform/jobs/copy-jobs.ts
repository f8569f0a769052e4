import type { CopySession } from '../db/copy-session.ts'

/** A waiting job, independent of the version of the queue's schema. */
export interface QueuedJob {
  task: string
  payload: Readonly<Record<string, unknown>>
  run_at: string
  max_attempts: number
  key: string | null
}

const PORTION = 1_000

/**
 * Reads the waiting jobs in portions. Leaves out jobs of schedules, which come again, and jobs whose attempts
 * are used up.
 */
export async function readQueuedJobs(
  session: CopySession,
  onPortion: (jobs: readonly QueuedJob[]) => Promise<void>,
): Promise<number> {
  let count = 0
  for (let last = '0'; ;) {
    const rows = await session.rows<QueuedJob & { id: string }>(
      `select j.id::text, t.identifier as task, j.payload, j.run_at::text, j.max_attempts, j.key
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where j.id > $1::bigint and j.attempts < j.max_attempts and (j.payload::jsonb -> '_cron') is null
      order by j.id limit ${PORTION}`,
      [last],
    )
    if (!rows.length) return count
    last = rows.at(-1)!.id
    count += rows.length
    await onPortion(rows.map(({ id: _id, ...job }) => job))
  }
}

/** Adds the jobs of a backup, with all of their attempts. */
export async function addQueuedJobs(session: CopySession, jobs: readonly QueuedJob[]): Promise<void> {
  await session.rows(
    `select graphile_worker.add_job(identifier => job.task, payload => job.payload, run_at => job.run_at,
      max_attempts => job.max_attempts, job_key => job.key)
    from json_to_recordset($1::json)
      as job (task text, payload json, run_at timestamptz, max_attempts integer, key text)`,
    [JSON.stringify(jobs)],
  )
}

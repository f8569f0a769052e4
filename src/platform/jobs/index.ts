import type { Logger } from '../log.ts'
import { driverPool } from '../db/driver-pool.ts'
import { type JobHelpers, type TaskList, parseCronItems, runMigrations } from 'graphile-worker'
import { type Jobs, type Query, RestartingRunner, WorkerRecord, workerLogger } from './restarting-runner.ts'
import { StartupError } from '../startup-error.ts'
import { type Tracing, traced } from '../telemetry/index.ts'
import { withTimeout } from '../timeout.ts'

export type { Jobs } from './restarting-runner.ts'
export { enqueue, enqueueEach, enqueueMany, type EnqueueOptions, type Payload } from './enqueue.ts'

/** A task that runs at fixed times. The database chooses the replica. */
export interface Schedule {
  /** Dotted, such as `connectedAccounts.expireSetups`. */
  task: string
  /** Cron pattern, UTC. */
  cron: string
  run(): Promise<void>
}

/**
 * A task that runs when it is enqueued. A job whose process was killed runs again, so `run` must be
 * repeatable.
 */
export interface Task {
  /** Dotted, such as `connectedAccounts.revoke`. */
  task: string
  /** Makes one attempt, in limited time. A failed attempt is repeated later, until `isLast`. */
  run(payload: Readonly<Record<string, unknown>>, attempt: { number: number; isLast: boolean }): Promise<void>
}

export interface JobDefinitions {
  schedules: readonly Schedule[]
  tasks: readonly Task[]
}
/** An attempt that takes longer has failed. */
const ATTEMPT_MAX_MS = 60_000
/** A task that has more to do after this time continues in another job, so that its last step ends in time. */
export const TASK_WORK_MS = 40_000
/** A process that holds a job for longer than an attempt may take is dead. */
const DEAD_AFTER_MS = 90_000
const RELEASE_TASK = 'jobs.giveBack'

/**
 * Updates the schema of the job queue. Several processes may call it at once.
 * @throws StartupError if the schema is newer than this program
 */
export async function migrateJobs(url: string, log: Logger): Promise<void> {
  const pool = driverPool(url, 1, 'patchbay-migrate')
  try {
    await runMigrations({ pgPool: pool, logger: workerLogger(log) })
  } catch (error) {
    if (!/schema revision/.test((error as Error).message)) throw error
    throw new StartupError(
      'The schema of the job queue is newer than this program.',
      'Start the release that made it (or a later one), or restore the backup from before the upgrade.',
      { cause: error },
    )
  } finally {
    await pool.end()
  }
}

/** Runs jobs until it is closed, and reconnects after the database was unavailable. */
export function startJobs(
  url: string,
  { schedules, tasks }: JobDefinitions,
  log: Logger,
  { deadAfterMs = DEAD_AFTER_MS, tracing }: { deadAfterMs?: number; tracing?: Tracing | undefined } = {},
): Jobs {
  const workers = new WorkerRecord()
  const release = async (query: Query): Promise<void> => {
    await releaseDeadJobs(query, tasks, deadAfterMs)
    await workers.releaseFormerJobs(query)
  }
  const taskList: TaskList = {
    ...Object.fromEntries(
      schedules.map(({ task, run: work }) => [
        task,
        workers.countRunning(() => traced(tracing, `job ${task}`, { isRoot: true }, () => work())),
      ]),
    ),
    ...Object.fromEntries(
      tasks.map((task) => [
        task.task,
        workers.countRunning((payload, helpers) =>
          traced(tracing, `job ${task.task}`, { isRoot: true }, () =>
            runWithTimeLimit(task, payload, helpers),
          ),
        ),
      ]),
    ),
    [RELEASE_TASK]: (_payload, { query }) => release(query),
  }
  const parsedCronItems = parseCronItems(
    [...schedules, { task: RELEASE_TASK, cron: '* * * * *' }].map(({ task, cron }) => ({
      task,
      match: cron,
      identifier: task,
    })),
  )
  return new RestartingRunner({ url, options: { taskList, parsedCronItems }, workers, release, log })
}

async function runWithTimeLimit(
  { task, run: work }: Task,
  payload: unknown,
  { job }: JobHelpers,
): Promise<void> {
  const attempt = { number: job.attempts, isLast: job.attempts >= job.max_attempts }
  await withTimeout(work(payload as Readonly<Record<string, unknown>>, attempt), ATTEMPT_MAX_MS, () => {
    throw new Error(`${task} did not end within ${ATTEMPT_MAX_MS / 1_000} s`)
  })
}

/**
 * Releases the jobs of workers that were killed. The queue would wait four hours; attempts have a time limit
 * here, so it can be sooner.
 */
async function releaseDeadJobs(query: Query, tasks: readonly Task[], deadAfterMs: number): Promise<void> {
  await query(
    `
    select graphile_worker.force_unlock_workers(array(
      select locked_by from graphile_worker.jobs
      where locked_at < now() - make_interval(secs => $1) and task_identifier = any($2) and locked_by is not null))`,
    [deadAfterMs / 1_000, tasks.map(({ task }) => task)],
  )
}

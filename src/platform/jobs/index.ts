import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type JobHelpers,
  Logger as WorkerLogger,
  parseCronItems,
  run,
  type Runner,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import { driverPool } from '../db/pool.ts'
import type { Logger } from '../log.ts'
import { StartupError } from '../startup-error.ts'
import { withTimeout } from '../timeout.ts'

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

export interface Jobs {
  /** Waits for jobs in progress, for at most `withinMs`. Unfinished jobs return to the queue later. */
  close(withinMs?: number): Promise<void>
}

const CONCURRENCY = 4
/** One connection listens for new jobs. */
const CONNECTIONS_MAX = CONCURRENCY + 1
const CLOSE_MS = 5_000
/** An attempt that takes longer has failed. */
const ATTEMPT_MAX_MS = 60_000
/** A process that holds a job for longer than an attempt may take is dead. */
const DEAD_AFTER_MS = 90_000
const RESPONSE_MAX_MS = 5_000
const RELEASE_TASK = 'jobs.giveBack'
/**
 * With a delay, the worker stores the outcome of a job in a promise that is not awaited. A lost database at
 * that moment would end the process.
 */
const OUTCOMES_WITHOUT_DELAY = { completeJobBatchDelay: 0, failJobBatchDelay: 0 }
/** A worker whose first query failed keeps failing. After this many failures (two rounds), it is replaced. */
const FAILURES_MAX = 2 * CONCURRENCY
/** Former workers whose jobs are released. Each one ran for seconds at least. */
const FORMER_MAX = 50
/** More than a worker needs after it has released its jobs. */
const SHUTDOWN_MAX_MS = 10_000
const RESTART_FIRST_MS = 500
const RESTART_MAX_MS = 10_000

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
  { deadAfterMs = DEAD_AFTER_MS } = {},
): Jobs {
  const stopped = new AbortController()
  let runner: Runner | undefined
  const former = new Set<string>()
  const busy = new Map<string, number>()
  const countRunning =
    (run: (payload: unknown, helpers: JobHelpers) => Promise<void>) =>
    async (payload: unknown, helpers: JobHelpers) => {
      const holder = helpers.job.locked_by ?? ''
      busy.set(holder, (busy.get(holder) ?? 0) + 1)
      try {
        await run(payload, helpers)
      } finally {
        const left = busy.get(holder)! - 1
        if (left > 0) busy.set(holder, left)
        else busy.delete(holder)
      }
    }
  const taskList: TaskList = {
    ...Object.fromEntries(schedules.map(({ task, run: work }) => [task, countRunning(() => work())])),
    ...Object.fromEntries(
      tasks.map((task) => [
        task.task,
        countRunning((payload, helpers) => runWithTimeLimit(task, payload, helpers)),
      ]),
    ),
    [RELEASE_TASK]: async (_payload, { query }) => {
      await releaseDeadJobs(query, tasks, deadAfterMs)
      await releaseFormerJobs(query)
    },
  }
  const parsedCronItems = parseCronItems(
    [...schedules, { task: RELEASE_TASK, cron: '* * * * *' }].map(({ task, cron }) => ({
      task,
      match: cron,
      identifier: task,
    })),
  )

  async function keepRunning(): Promise<void> {
    for (let delay = RESTART_FIRST_MS; !stopped.signal.aborted; delay = Math.min(delay * 2, RESTART_MAX_MS)) {
      const pool = driverPool(url, CONNECTIONS_MAX, 'patchbay-jobs')
      const query = (text: string, values: unknown[]) => pool.query(text, values)
      const events: WorkerEvents = new EventEmitter()
      let holder: string | undefined
      events.once('pool:create', ({ workerPool }) => {
        holder = workerPool.id
      })
      const shutDown = Promise.withResolvers<void>()
      let failures = 0
      events.on('worker:getJob:error', () => {
        if (++failures >= FAILURES_MAX) shutDown.resolve()
      })
      for (const event of ['worker:getJob:empty', 'job:start'] as const)
        events.on(event, () => {
          failures = 0
        })
      // The worker's promise never settles if it shuts down while no outcome can be stored.
      events.once('pool:gracefulShutdown', () => {
        void wait(SHUTDOWN_MAX_MS, undefined, { ref: false }).then(shutDown.resolve)
      })
      try {
        await withTimeout(
          Promise.all([releaseDeadJobs(query, tasks, deadAfterMs), releaseFormerJobs(query)]),
          RESPONSE_MAX_MS,
          () => {
            throw new Error(`the database did not respond within ${RESPONSE_MAX_MS / 1_000} s`)
          },
        )
        runner = await run({
          pgPool: pool,
          events,
          preset: { worker: OUTCOMES_WITHOUT_DELAY },
          concurrency: CONCURRENCY,
          noHandleSignals: true,
          taskList,
          parsedCronItems,
          logger: workerLogger(log),
        })
        if (stopped.signal.aborted) await runner.stop()
        delay = RESTART_FIRST_MS
        await Promise.race([runner.promise, shutDown.promise])
      } catch (error) {
        if (!stopped.signal.aborted) log.warn({ err: error }, 'jobs stopped; they restart automatically')
      }
      void runner?.stop().catch(() => {}) // Stops the cron timer too, if it has not stopped.
      runner = undefined
      if (holder !== undefined) former.add(holder)
      if (former.size > FORMER_MAX) former.delete(former.values().next().value!)
      pool.end().catch(() => {})
      await wait(delay, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  /**
   * Releases jobs that a former worker of this process holds: it lost the database and could not store their
   * outcomes. A worker may take its last job after the first call.
   */
  async function releaseFormerJobs(query: Query): Promise<void> {
    const ended = [...former].filter((id) => !busy.has(id))
    if (ended.length === 0) return
    await query('select graphile_worker.force_unlock_workers($1)', [ended])
  }

  const running = keepRunning()
  return {
    async close(withinMs = CLOSE_MS) {
      stopped.abort()
      const ended = Promise.resolve(runner?.stop())
        .catch(() => {})
        .then(() => running)
      await withTimeout(ended, withinMs)
    },
  }
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

type Query = (text: string, values: unknown[]) => Promise<unknown>

/**
 * Releases the jobs of workers that were killed. The queue would wait four hours; attempts have a time limit
 * here, so it can be sooner.
 */
async function releaseDeadJobs(query: Query, tasks: readonly Task[], deadAfterMs: number): Promise<void> {
  await query(
    `
    select graphile_worker.force_unlock_workers(array(
      select locked_by from graphile_worker.jobs where locked_at < now() - make_interval(secs => $1) and task_identifier = any($2) and locked_by is not null))`,
    [deadAfterMs / 1_000, tasks.map(({ task }) => task)],
  )
}

/** Logs what an administrator must know. Job payloads are never logged. */
function workerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error') log.error({ part: 'jobs' }, message)
    else log.debug({ part: 'jobs' }, message)
  })
}

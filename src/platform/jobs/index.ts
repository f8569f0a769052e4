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

export { enqueue, enqueueEach, enqueueMany, type EnqueueOptions, type Payload } from './enqueue.ts'

/** A thing to do at fixed times; which replica does it, the database decides. */
export interface Schedule {
  /** Dotted, as `connectedAccounts.expireSetups`. */
  task: string
  /** Cron pattern, UTC. */
  cron: string
  run(): Promise<void>
}

/** A thing to do when somebody has asked for it with `enqueue`. A job that died with its process runs again, so `run` has to bear being repeated. */
export interface Task {
  /** Dotted, as `connectedAccounts.revoke`. */
  task: string
  /** One try, in bounded time; a failure is tried again later, until `isLast`. */
  run(payload: Readonly<Record<string, unknown>>, attempt: { number: number; isLast: boolean }): Promise<void>
}

export interface JobDefinitions {
  schedules: readonly Schedule[]
  tasks: readonly Task[]
}

export interface Jobs {
  /** Lets jobs under way end within `withinMs`; what has not ended by then is given back to the queue later. */
  close(withinMs?: number): Promise<void>
}

const CONCURRENCY = 4
/** One connection listens for new jobs all the time. */
const CONNECTIONS_MAX = CONCURRENCY + 1
const CLOSE_MS = 5_000
/** A try that takes longer has failed. */
const TRY_MAX_MS = 60_000
/** Whoever has held a job for longer than a try may take is dead. */
const DEAD_AFTER_MS = 90_000
const ANSWER_MAX_MS = 5_000
const RELEASE_TASK = 'jobs.giveBack'
/** Without these, the worker writes down how a job ended in a promise that nobody awaits: a database that is lost at that moment would end the process. */
const OUTCOMES_WITHOUT_DELAY = { completeJobBatchDelay: 0, failJobBatchDelay: 0 }
/** The queue remembers for ever when its first look at the database failed: a worker that only ever fails is replaced. Two rounds of all. */
const FAILURES_MAX = 2 * CONCURRENCY
/** Former workers whose jobs are looked for; each was there for seconds at least. */
const FORMER_MAX = 50
/** More than a worker needs that has given up its jobs. */
const SHUTDOWN_MAX_MS = 10_000
const RESTART_FIRST_MS = 500
const RESTART_MAX_MS = 10_000

/** Brings the schema of the job queue up to date; safe from many processes. @throws StartupError when it is newer than this program */
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

/** Runs jobs until closed, and comes back by itself when the database does. */
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
      for (const taken of ['worker:getJob:empty', 'job:start'] as const)
        events.on(taken, () => {
          failures = 0
        })
      // The worker's own promise stays open for ever when it shuts down while no job can be written down.
      events.once('pool:gracefulShutdown', () => {
        void wait(SHUTDOWN_MAX_MS, undefined, { ref: false }).then(shutDown.resolve)
      })
      try {
        await Promise.race([
          Promise.all([releaseDeadJobs(query, tasks, deadAfterMs), releaseFormerJobs(query)]),
          noAnswer(),
        ])
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
        if (!stopped.signal.aborted) log.warn({ err: error }, 'jobs stopped; they start again by themselves')
      }
      void runner?.stop().catch(() => {}) // Its clock too, when it never ended by itself.
      runner = undefined
      if (holder !== undefined) former.add(holder)
      if (former.size > FORMER_MAX) former.delete(former.values().next().value!)
      pool.end().catch(() => {})
      await wait(delay, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  /** What this process held when it lost the database, and no longer works at: how it ended could not be written down. A worker may take its last job after the first look. */
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
      await Promise.race([ended, wait(withinMs, undefined, { ref: false })])
    },
  }
}

/** A query to a server that froze has no end of its own. */
async function noAnswer(): Promise<never> {
  await wait(ANSWER_MAX_MS, undefined, { ref: false })
  throw new Error(`the database did not answer within ${ANSWER_MAX_MS / 1_000} s`)
}

async function runWithTimeLimit(
  { task, run: work }: Task,
  payload: unknown,
  { job }: JobHelpers,
): Promise<void> {
  const bound = new AbortController()
  const tooLong = wait(TRY_MAX_MS, undefined, { signal: bound.signal, ref: false }).then(() => {
    throw new Error(`${task} did not end within ${TRY_MAX_MS / 1_000} s`)
  })
  tooLong.catch(() => {})
  try {
    await Promise.race([
      work(payload as Readonly<Record<string, unknown>>, {
        number: job.attempts,
        isLast: job.attempts >= job.max_attempts,
      }),
      tooLong,
    ])
  } finally {
    bound.abort()
  }
}

type Query = (text: string, values: unknown[]) => Promise<unknown>

/** The queue itself waits four hours for a worker that was killed; our tries are bounded, so we know sooner. */
async function releaseDeadJobs(query: Query, tasks: readonly Task[], deadAfterMs: number): Promise<void> {
  await query(
    `
    select graphile_worker.force_unlock_workers(array(
      select locked_by from graphile_worker.jobs where locked_at < now() - make_interval(secs => $1) and task_identifier = any($2) and locked_by is not null))`,
    [deadAfterMs / 1_000, tasks.map(({ task }) => task)],
  )
}

/** Only what an operator has to know; job payloads never reach the log. */
function workerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error') log.error({ part: 'jobs' }, message)
    else log.debug({ part: 'jobs' }, message)
  })
}

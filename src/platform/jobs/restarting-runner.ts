import {
  type JobHelpers,
  Logger as WorkerLogger,
  type Runner,
  type RunnerOptions,
  type WorkerEvents,
  run,
} from 'graphile-worker'
import type { Logger } from '../log.ts'
import { withTimeout } from '../timeout.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { driverPool } from '../db/driver-pool.ts'
import { EventEmitter } from 'node:events'

export interface Jobs {
  /** Waits for jobs in progress, for at most `withinMs`. Unfinished jobs return to the queue later. */
  close(withinMs?: number): Promise<void>
}

const CONCURRENCY = 4
/** One connection listens for new jobs. */
const CONNECTIONS_MAX = CONCURRENCY + 1
const CLOSE_MS = 5_000
const RESPONSE_MAX_MS = 5_000
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

/** Workers of this process by id: jobs that each runs, and those that ended without storing all outcomes. */
export class WorkerRecord {
  private readonly former = new Set<string>()
  private readonly busy = new Map<string, number>()

  countRunning(
    run: (payload: unknown, helpers: JobHelpers) => Promise<void>,
  ): (payload: unknown, helpers: JobHelpers) => Promise<void> {
    return async (payload, helpers) => {
      const holder = helpers.job.locked_by ?? ''
      this.busy.set(holder, (this.busy.get(holder) ?? 0) + 1)
      try {
        await run(payload, helpers)
      } finally {
        const left = this.busy.get(holder)! - 1
        if (left > 0) this.busy.set(holder, left)
        else this.busy.delete(holder)
      }
    }
  }

  addFormer(id: string): void {
    this.former.add(id)
    if (this.former.size > FORMER_MAX) this.former.delete(this.former.values().next().value!)
  }

  /**
   * Releases jobs that a former worker of this process holds: it lost the database and could not store their
   * outcomes. A worker may take its last job after the first call.
   */
  async releaseFormerJobs(query: Query): Promise<void> {
    const ended = [...this.former].filter((id) => !this.busy.has(id))
    if (ended.length === 0) return
    await query('select graphile_worker.force_unlock_workers($1)', [ended])
  }
}

interface RunnerParts {
  readonly url: string
  readonly options: Pick<RunnerOptions, 'taskList' | 'parsedCronItems'>
  readonly workers: WorkerRecord
  readonly release: (query: Query) => Promise<void>
  readonly log: Logger
}

/** Replaces a worker that lost the database by a new one, after a delay that grows. */
export class RestartingRunner implements Jobs {
  private readonly parts: RunnerParts
  private readonly stopped = new AbortController()
  private readonly running: Promise<void>
  private runner: Runner | undefined

  constructor(parts: RunnerParts) {
    this.parts = parts
    this.running = this.keepRunning()
  }

  async close(withinMs = CLOSE_MS): Promise<void> {
    this.stopped.abort()
    const ended = Promise.resolve(this.runner?.stop())
      .catch(() => {})
      .then(() => this.running)
    await withTimeout(ended, withinMs)
  }

  private async keepRunning(): Promise<void> {
    const { signal } = this.stopped
    let delay = RESTART_FIRST_MS
    while (!signal.aborted) {
      const hasStarted = await this.runOnce()
      if (hasStarted) delay = RESTART_FIRST_MS
      await wait(delay, undefined, { signal }).catch(() => {})
      delay = Math.min(delay * 2, RESTART_MAX_MS)
    }
  }

  /** Runs one worker until it shuts down. Returns whether it started. */
  private async runOnce(): Promise<boolean> {
    const { url, options, workers, release, log } = this.parts
    const pool = driverPool(url, CONNECTIONS_MAX, 'patchbay-jobs')
    const { events, shutDown, holder } = watchWorker()
    let hasStarted = false
    try {
      await releaseInTime(release((text, values) => pool.query(text, values)))
      this.runner = await run({
        ...options,
        pgPool: pool,
        events,
        preset: { worker: OUTCOMES_WITHOUT_DELAY },
        concurrency: CONCURRENCY,
        noHandleSignals: true,
        logger: workerLogger(log),
      })
      if (this.stopped.signal.aborted) await this.runner.stop()
      hasStarted = true
      await Promise.race([this.runner.promise, shutDown])
    } catch (error) {
      if (!this.stopped.signal.aborted) log.warn({ err: error }, 'jobs stopped; they restart automatically')
    }
    void this.runner?.stop().catch(() => {}) // Stops the cron timer too, if it has not stopped.
    this.runner = undefined
    const id = holder()
    if (id !== undefined) workers.addFormer(id)
    pool.end().catch(() => {})
    return hasStarted
  }
}

interface WatchedWorker {
  readonly events: WorkerEvents
  /** Settles when the worker must be replaced: it shut down, or its queries keep failing. */
  readonly shutDown: Promise<void>
  /** The id under which the worker holds jobs, once it has one. */
  readonly holder: () => string | undefined
}

function watchWorker(): WatchedWorker {
  const events: WorkerEvents = new EventEmitter()
  const shutDown = Promise.withResolvers<void>()
  let holder: string | undefined
  let failures = 0
  events.once('pool:create', ({ workerPool }) => {
    holder = workerPool.id
  })
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
  return { events, shutDown: shutDown.promise, holder: () => holder }
}

/** @throws Error if the database does not respond in time */
async function releaseInTime(release: Promise<void>): Promise<void> {
  await withTimeout(release, RESPONSE_MAX_MS, () => {
    throw new Error(`the database did not respond within ${RESPONSE_MAX_MS / 1_000} s`)
  })
}

export type Query = (text: string, values: unknown[]) => Promise<unknown>

/** Logs what an administrator must know. Job payloads are never logged. */
export function workerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error') log.error({ part: 'jobs' }, message)
    else log.debug({ part: 'jobs' }, message)
  })
}

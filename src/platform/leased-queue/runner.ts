import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import { shareSignal } from '../shared-signal.ts'
import type { JobLimiter, LeasedQueue } from './queue.ts'

export interface QueueOptions {
  /** Finds due jobs that no wake signal has announced. */
  readonly pollMs: number
  /** Time for jobs in progress to end when the process stops. */
  readonly drainMs: number
}

export interface QueueRunner {
  /** Claims now instead of after the poll interval. */
  wake(): void
  /** Claims nothing more, waits for the jobs in progress, then aborts and releases the rest. */
  close(): Promise<void>
}

const RETRY_MS = 1_000
/** Results that are not stored yet. With more of them nothing is claimed: the database is slow or away. */
const UNWRITTEN_MAX = 1_024

/** Claims and runs jobs until it is closed. Intervals are timers: setting the wall clock has no effect. */
export const startQueue = <Job, Result>(
  queue: LeasedQueue<Job, Result>,
  limiter: JobLimiter<Job, Result>,
  options: QueueOptions,
  log: Logger,
): QueueRunner => new Runner(queue, limiter, options, log)

class Runner<Job, Result> implements QueueRunner {
  readonly #queue: LeasedQueue<Job, Result>
  readonly #limiter: JobLimiter<Job, Result>
  readonly #options: QueueOptions
  readonly #log: Logger
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  readonly #abortSignal = shareSignal(this.#aborting.signal)
  readonly #ended = Promise.withResolvers<void>()
  /** Jobs that run, and those whose results are not stored yet. */
  #inFlight = 0
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #claiming: Promise<void>
  #wakeSignal = Promise.withResolvers<void>()

  constructor(
    queue: LeasedQueue<Job, Result>,
    limiter: JobLimiter<Job, Result>,
    options: QueueOptions,
    log: Logger,
  ) {
    this.#queue = queue
    this.#limiter = limiter
    this.#options = options
    this.#log = log
    this.#claiming = this.#claimUntilStopped()
  }

  wake(): void {
    this.#wakeSignal.resolve()
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    await this.#claiming
    await this.#release(this.#limiter.clear())
    if (this.#inFlight === 0) this.#ended.resolve()
    await Promise.race([this.#ended.promise, wait(this.#options.drainMs, undefined, { ref: false })])
    this.#aborting.abort()
    await this.#ended.promise
    for (const timer of this.#timers) clearTimeout(timer)
  }

  async #claimUntilStopped(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      // Before the claim: a wake signal during the claim makes the next one start at once.
      this.#wakeSignal = Promise.withResolvers()
      try {
        if ((await this.#claim()) && this.#limiter.capacity() > 0) continue
      } catch (error) {
        this.#log.debug(
          { err: error, queue: this.#queue.name },
          'jobs could not be claimed; the next attempt follows',
        )
        await wait(RETRY_MS, undefined, { signal }).catch(() => {})
        continue
      }
      const timer = setTimeout(() => this.wake(), this.#options.pollMs)
      await this.#wakeSignal.promise
      clearTimeout(timer)
    }
  }

  /** Returns whether jobs were due. */
  async #claim(): Promise<boolean> {
    const limit = this.#inFlight < UNWRITTEN_MAX ? this.#limiter.capacity() : 0
    if (limit <= 0) return false
    const { jobs, again } = await this.#queue.claim(limit)
    for (const job of jobs) this.#limiter.add(job)
    this.#start()
    if (again !== undefined) this.#wakeAfter(again)
    return jobs.length > 0
  }

  #start(): void {
    if (this.#stopping.signal.aborted) return
    const { start, expired } = this.#limiter.next()
    if (expired.length > 0) void this.#release(expired)
    for (const job of start) void this.#runAndStore(job)
  }

  async #runAndStore(job: Job): Promise<void> {
    this.#inFlight++
    try {
      await this.#runJob(job)
    } finally {
      this.#inFlight--
      if (this.#limiter.isLow() || this.#inFlight === UNWRITTEN_MAX - 1) this.wake()
      if (this.#inFlight === 0 && this.#stopping.signal.aborted) this.#ended.resolve()
    }
  }

  async #runJob(job: Job): Promise<void> {
    const { name } = this.#queue
    let result: Result | undefined
    try {
      result = await this.#queue.run(job, this.#abortSignal)
    } catch (error) {
      if (!this.#aborting.signal.aborted)
        this.#log.error(
          { err: error, queue: name, ...this.#queue.describe(job) },
          'a job failed; it runs again after its lease',
        )
    }
    // The next job starts before the result is stored.
    this.#limiter.done(job, result)
    this.#start()
    if (this.#limiter.isLow()) this.wake()
    if (result === undefined) {
      if (this.#aborting.signal.aborted) await this.#release([job])
      return
    }
    try {
      const dueMs = await this.#queue.write(job, result)
      if (typeof dueMs === 'number') this.#wakeAfter(dueMs)
    } catch (error) {
      this.#log.error(
        { err: error, queue: name, ...this.#queue.describe(job) },
        'the result of a job could not be stored; it runs again after its lease',
      )
    }
  }

  async #release(jobs: readonly Job[]): Promise<void> {
    // A job that cannot be released is due again when its lease ends.
    if (jobs.length > 0) await this.#queue.release(jobs).catch(() => {})
  }

  #wakeAfter(milliseconds: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.wake()
    }, milliseconds)
    this.#timers.add(timer)
  }
}

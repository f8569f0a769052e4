/**
 * The SQL and the work of one queue whose jobs are rows of a table. A claim leases rows to a process: if the
 * process crashes, they are due again when the lease ends.
 */
export interface LeasedQueue<Job, Result> {
  /** In log lines, such as `deliveries`. */
  readonly name: string
  /**
   * Leases up to `limit` due jobs. `again`: more are due after so many milliseconds, without a wake signal.
   */
  claim(limit: number): Promise<{ readonly jobs: readonly Job[]; readonly again?: number | undefined }>
  /** Runs a job. @throws if `signal` aborts it */
  run(job: Job, signal: AbortSignal): Promise<Result>
  /**
   * Stores a result, unless another process has claimed the job meanwhile. Returns after how many
   * milliseconds the job is due again, if that is soon. Use `createBatchedWriter` to store several results in
   * one statement.
   */
  write(job: Job, result: Result): Promise<number | void>
  /** Makes jobs due again that were claimed and not run. */
  release(jobs: readonly Job[]): Promise<unknown>
  /** Identifies a job in log lines. */
  describe(job: Job): object
}

/** Decides how many jobs a process claims, and which of them run. */
export interface JobLimiter<Job, Result> {
  /** The number of jobs that may be claimed now. */
  capacity(): number
  /** Whether so few jobs are left that the next claim should not wait for the poll interval. */
  isLow(): boolean
  /** Adds a claimed job. */
  add(job: Job): void
  /** Jobs that start now, and jobs that waited so long that their lease may end before they do. */
  next(): { readonly start: readonly Job[]; readonly expired: readonly Job[] }
  /** A job ended. `result` is undefined if it failed or was aborted. */
  done(job: Job, result: Result | undefined): void
  /** Removes and returns the jobs that have not started. */
  clear(): readonly Job[]
}

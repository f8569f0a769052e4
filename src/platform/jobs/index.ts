import { setTimeout as wait } from 'node:timers/promises'
import { Logger as WorkerLogger, parseCronItems, run, type Runner, runMigrations, type TaskList } from 'graphile-worker'
import { driverPool } from '../db/pool.ts'
import type { Logger } from '../log.ts'
import { StartupError } from '../startup-error.ts'

/** A thing to do at fixed times; which replica does it, the database decides. */
export interface Schedule {
  /** Dotted, as `connectedAccounts.expireSetups`. */
  task: string
  /** Cron pattern, UTC. */
  cron: string
  run(): Promise<void>
}

export interface Jobs {
  /** Lets jobs under way end within `withinMs`; what has not ended by then is given back to the queue later. */
  close(withinMs?: number): Promise<void>
}

const CONCURRENCY = 4
/** One connection listens for new jobs all the time. */
const CONNECTIONS_MAX = CONCURRENCY + 1
const CLOSE_MS = 5_000
const RESTART_FIRST_MS = 500
const RESTART_MAX_MS = 10_000

/** Brings the schema of the job queue up to date; safe from many processes. @throws StartupError when it is newer than this program */
export async function migrateJobs(url: string, log: Logger): Promise<void> {
  const pool = driverPool(url, 1, 'patchbay-migrate')
  try {
    await runMigrations({ pgPool: pool, logger: workerLogger(log) })
  } catch (error) {
    if (!/schema revision/.test((error as Error).message)) throw error
    throw new StartupError('The schema of the job queue is newer than this program.', 'Start the release that made it (or a later one), or restore the backup from before the upgrade.', { cause: error })
  } finally {
    await pool.end()
  }
}

/** Runs jobs until closed, and comes back by itself when the database does. */
export function startJobs(url: string, schedules: readonly Schedule[], log: Logger): Jobs {
  const stopped = new AbortController()
  let runner: Runner | undefined
  const taskList: TaskList = Object.fromEntries(schedules.map(({ task, run: work }) => [task, () => work()]))
  const parsedCronItems = parseCronItems(schedules.map(({ task, cron }) => ({ task, match: cron, identifier: task })))

  async function keepRunning(): Promise<void> {
    for (let delay = RESTART_FIRST_MS; !stopped.signal.aborted; delay = Math.min(delay * 2, RESTART_MAX_MS)) {
      const pool = driverPool(url, CONNECTIONS_MAX, 'patchbay-jobs')
      try {
        runner = await run({ pgPool: pool, concurrency: CONCURRENCY, noHandleSignals: true, taskList, parsedCronItems, logger: workerLogger(log) })
        if (stopped.signal.aborted) await runner.stop()
        delay = RESTART_FIRST_MS
        await runner.promise
      } catch (error) {
        if (!stopped.signal.aborted) log.warn({ err: error }, 'jobs stopped; they start again by themselves')
      }
      runner = undefined
      pool.end().catch(() => {})
      await wait(delay, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  const running = keepRunning()
  return {
    async close(withinMs = CLOSE_MS) {
      stopped.abort()
      const ended = Promise.resolve(runner?.stop()).catch(() => {}).then(() => running)
      await Promise.race([ended, wait(withinMs, undefined, { ref: false })])
    },
  }
}

/** Only what an operator has to know; job payloads never reach the log. */
function workerLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error') log.error({ part: 'jobs' }, message)
    else log.debug({ part: 'jobs' }, message)
  })
}

import { Logger as WorkerLogger, parseCronItems, run, type Runner, runMigrations, type TaskList } from 'graphile-worker'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../log.ts'

/** A thing to do at fixed times; which replica does it, the database decides. */
export interface Schedule {
  /** Dotted, as `connectedAccounts.expireSetups`. */
  task: string
  /** Cron pattern, UTC. */
  cron: string
  run(): Promise<void>
}

export interface Jobs { close(): Promise<void> }

const CONCURRENCY = 4
const RESTART_FIRST_MS = 500
const RESTART_MAX_MS = 10_000

/** Brings the schema of the job queue up to date; safe from many processes. */
export const migrateJobs = (url: string, log: Logger): Promise<void> => runMigrations({ connectionString: url, logger: workerLogger(log) })

/** Runs jobs until closed, and comes back by itself when the database does. */
export function startJobs(url: string, schedules: readonly Schedule[], log: Logger): Jobs {
  const stopped = new AbortController()
  let runner: Runner | undefined
  const taskList: TaskList = Object.fromEntries(schedules.map(({ task, run: work }) => [task, () => work()]))
  const parsedCronItems = parseCronItems(schedules.map(({ task, cron }) => ({ task, match: cron, identifier: task })))

  async function keepRunning(): Promise<void> {
    for (let delay = RESTART_FIRST_MS; !stopped.signal.aborted; delay = Math.min(delay * 2, RESTART_MAX_MS)) {
      try {
        runner = await run({ connectionString: url, concurrency: CONCURRENCY, noHandleSignals: true, taskList, parsedCronItems, logger: workerLogger(log), maxPoolSize: CONCURRENCY })
        if (stopped.signal.aborted) await runner.stop()
        delay = RESTART_FIRST_MS
        await runner.promise
      } catch (error) {
        if (!stopped.signal.aborted) log.warn({ err: error }, 'jobs stopped; they start again by themselves')
      }
      runner = undefined
      await wait(delay, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  const running = keepRunning()
  return {
    async close() {
      stopped.abort()
      await runner?.stop().catch(() => {})
      await running
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

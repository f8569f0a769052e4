import { runInProject } from '../../../platform/db/project-scope.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import {
  createBatchedWriter,
  type JobLimiter,
  type LeasedQueue,
  type QueueRunner,
  startQueue,
} from '../../../platform/leased-queue/index.ts'
import type { Logger } from '../../../platform/log.ts'
import { publishTriggerEvents } from '../publish-trigger-events.ts'
import { type PollDeps, type PollResult, runPoll } from './run-poll.ts'
import {
  type ClaimedPoll,
  claimPolls,
  extendPolls,
  disableFailing,
  POLL_LEASE_SECONDS,
  pollingStats,
  type PollingStats,
  type PollRecord,
  releasePolls,
  storePolls,
} from './store.ts'

/** Measurements of a process. */
export interface PollMetrics {
  polled(toolkit: string, outcome: 'ok' | 'failed', lagSeconds: number): void
  stats(stats: PollingStats): void
}

export interface PollWorkerDeps extends PollDeps {
  db: Pool
  log: Logger
  metrics: PollMetrics
}

/** Polls in progress in this process, in total and of one project. */
const RUNNING_MAX = 256
const RUNNING_PER_PROJECT_MAX = 128
/** A process that was at its limit claims again when so many polls are left. */
const LOW_WATER_MARK = 192
/** Polls of one project in one claim, so that one project cannot starve the others. */
const CLAIMED_PER_PROJECT_MAX = 32
const RECORDS_PER_STATEMENT = 256
const POLL_MS = 500
const DRAIN_MS = 4_000
const STATS_MS = 30_000
/** A third of the claim's duration: one lost extension does not lose the claim. */
const EXTEND_MS = (POLL_LEASE_SECONDS * 1_000) / 3
const LATE_SECONDS = 60

/** Runs due polls until it is closed. */
export function startPollWorker(deps: PollWorkerDeps): QueueRunner {
  const { db, log, metrics } = deps
  const limiter = new PollLimiter()
  const runner = startQueue(pollQueue(deps, limiter), limiter, { pollMs: POLL_MS, drainMs: DRAIN_MS }, log)
  const reportStats = async () => {
    const stats = await pollingStats(db)
    metrics.stats(stats)
    if (stats.lag_s >= LATE_SECONDS)
      log.warn(stats, 'triggers are polled late; start another process with ROLE=work')
  }
  const report = () =>
    void reportStats().catch((error: unknown) =>
      log.debug({ err: error }, 'polling statistics could not be read'),
    )
  report()
  const timer = setInterval(report, STATS_MS).unref()
  const extending = setInterval(() => extendLongPolls(deps, limiter), EXTEND_MS).unref()
  return {
    wake: () => runner.wake(),
    async close() {
      clearInterval(timer)
      await runner.close()
      clearInterval(extending)
    },
  }
}

/** Extends the claims of polls that have been in progress for a while. A failure is repaired by the next extension. */
function extendLongPolls({ db, log }: PollWorkerDeps, limiter: PollLimiter): void {
  const polls = limiter.runningSince(performance.now() - EXTEND_MS / 2)
  if (polls.length > 0)
    void extendPolls(db, polls).catch((error: unknown) =>
      log.warn({ err: error }, 'the claims of polls in progress could not be extended'),
    )
}

/** Limits polls in progress, in total and of each project. Claimed polls start at once. */
class PollLimiter implements JobLimiter<ClaimedPoll, PollResult> {
  readonly #running = new Map<string, number>()
  readonly #startedAt = new Map<ClaimedPoll, number>()
  #claimed: ClaimedPoll[] = []
  #count = 0
  #wasFull = false

  capacity(): number {
    const capacity = RUNNING_MAX - this.#count
    this.#wasFull = capacity === 0
    return capacity
  }

  isLow(): boolean {
    return this.#wasFull && this.#count <= LOW_WATER_MARK
  }

  perBusyProject(): ReadonlyMap<string, number> {
    return new Map(
      [...this.#running].map(([id, count]) => [id, Math.max(0, RUNNING_PER_PROJECT_MAX - count)]),
    )
  }

  add(poll: ClaimedPoll): void {
    this.#claimed.push(poll)
    this.#startedAt.set(poll, performance.now())
    this.#count++
    this.#running.set(poll.project_id, (this.#running.get(poll.project_id) ?? 0) + 1)
  }

  next(): { start: ClaimedPoll[]; expired: ClaimedPoll[] } {
    return { start: this.clear(), expired: [] }
  }

  /** Polls in progress that started before a time of `performance.now()`. */
  runningSince(before: number): ClaimedPoll[] {
    return [...this.#startedAt].filter(([, startedAt]) => startedAt <= before).map(([poll]) => poll)
  }

  done(poll: ClaimedPoll): void {
    const { project_id: projectId } = poll
    this.#startedAt.delete(poll)
    this.#count--
    const left = (this.#running.get(projectId) ?? 1) - 1
    if (left > 0) this.#running.set(projectId, left)
    else this.#running.delete(projectId)
  }

  clear(): ClaimedPoll[] {
    return this.#claimed.splice(0)
  }
}

function pollQueue(deps: PollWorkerDeps, limiter: PollLimiter): LeasedQueue<ClaimedPoll, PollResult> {
  const { db, metrics } = deps
  const write = createBatchedWriter(async (records: readonly PollRecord[]) => {
    const stored = new Set(await storePolls(db, records))
    return records.map(({ id }) => stored.has(id))
  }, RECORDS_PER_STATEMENT)
  return {
    name: 'polls',
    claim: async (limit) => ({
      jobs: await claimPolls(db, {
        limit,
        perProject: CLAIMED_PER_PROJECT_MAX,
        perBusyProject: limiter.perBusyProject(),
      }),
    }),
    run: (poll, signal) => runInProject(poll.project_id, () => runPoll(deps, poll, signal)),
    async write(poll, result) {
      if (!(await storeResult(deps, poll, result, write))) return
      metrics.polled(poll.toolkit_slug, result.record.ok ? 'ok' : 'failed', poll.lag_s)
    },
    release: (polls) => releasePolls(db, polls),
    describe: ({ id }) => ({ trigger_id: id }),
  }
}

/**
 * Stores a result, together with its events in one transaction. Returns false if another process has claimed the poll,
 * or the instance was disabled.
 */
async function storeResult(
  { db, log }: PollWorkerDeps,
  poll: ClaimedPoll,
  { record, items, shouldDisable }: PollResult,
  write: (record: PollRecord) => Promise<boolean>,
): Promise<boolean> {
  if (shouldDisable) {
    const isDisabled = await db.begin((tx) => disableFailing(tx, poll, record.log))
    if (isDisabled)
      log.warn(
        { trigger_id: poll.id, project_id: poll.project_id },
        'a trigger was disabled: polling it has failed for too long',
      )
    return true
  }
  if (items.length === 0) return write(record)
  return db.begin(async (tx) => {
    if ((await storePolls(tx, [record])).length === 0) return false
    await publishTriggerEvents(tx, poll, items)
    return true
  })
}

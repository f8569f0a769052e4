import type { LogQuery } from './log-query.ts'
import { type ChangedLog, changedLogs, endedLogs, type LogKey, logRows } from './log-changes.ts'
import { logStatus } from './present-log.ts'
import type { ReadQueue } from './read-queue.ts'
import type { LogReaderDeps, LogRow } from './store.ts'

/**
 * Rows are stored within this time after the start or the end of their call: a statement takes 8 s at most. The rest is
 * for clocks of servers that differ.
 */
export const MARGIN_US = 15_000_000
/** A running call is looked up by its id for this long. */
const RUNNING_US_MAX = 3_600_000_000
const RUNNING_MAX = 1_000
/** Executions that a reader remembers. One that it forgot may be sent again. */
const KNOWN_MAX = 50_000
const LOGS_PER_STATEMENT = 1_000
/** Complete rows in memory at a time. */
const ROWS_PER_STATEMENT = 200

export interface LogReaderRequest {
  projectId: string
  /** Which executions, apart from their status. */
  where: LogQuery['where']
  status: LogStatus | undefined
  /** Microseconds since the epoch; undefined: only what changes from now on. */
  after: number | undefined
}
export type LogStatus = ReturnType<typeof logStatus>

interface KnownLog {
  status: LogStatus
  startedAt: number
  endedAt: number
}

/** A portion of the rows that changed, with the position after it. */
export interface LogPortion {
  rows: LogRow[]
  position: number
}

/**
 * Reads what changed in the log since the last time: rows that are new, and calls that ended. Reading continues where
 * it was, in portions, so that no number of executions is too large.
 */
export class LogReader {
  readonly #deps: LogReaderDeps & { readonly reads: ReadQueue }
  readonly #request: LogReaderRequest
  readonly #now: () => number
  /** What was sent or skipped, by id. */
  readonly #known = new Map<string, KnownLog>()
  /** Nothing before this time is read. */
  readonly #start: number
  /** Executions that started before this time were read. Positions are microseconds since the epoch. */
  #started: number
  /** Executions that ended before this time were read. */
  #ended: number

  constructor(
    deps: LogReaderDeps & { readonly reads: ReadQueue },
    request: LogReaderRequest,
    now: () => number,
  ) {
    this.#deps = deps
    this.#request = request
    this.#now = () => now() * 1_000
    const position = request.after ?? this.#now()
    this.#started = position
    this.#ended = position
    this.#start = request.after === undefined ? position : Math.max(position - MARGIN_US, 0)
  }

  get position(): number {
    return this.#started
  }

  /**
   * Yields what changed since the last read, oldest first.
   * @param includesEnded also reads calls of some minutes that ended, of which this reader does not know the start
   */
  async *read(includesEnded: boolean): AsyncGenerator<LogPortion> {
    const readAt = this.#now()
    const from = this.#started
    yield* this.#portions(await this.#runningThatEnded(), () => from)
    const changedAfter = Math.max((includesEnded ? this.#ended : from) - MARGIN_US, this.#start)
    const { projectId, where } = this.#request
    for (let after: LogKey | undefined; ;) {
      const query = { where, changedAfter, includesEnded, after, limit: LOGS_PER_STATEMENT }
      const found = await this.#inTurn(() => changedLogs(this.#deps.db, projectId, query))
      // What comes later has a later start, or ends after this read.
      yield* this.#portions(found, (row) => Math.max(from, Math.min(row.started_at_us, readAt)))
      const last = found.at(-1)
      if (!last || found.length < LOGS_PER_STATEMENT) break
      after = { startedAt: last.started_at_us, id: last.id }
    }
    this.#started = readAt
    if (!includesEnded) return
    this.#ended = readAt
    this.#forget()
  }

  /** The last portion may be empty: it tells the reader's position. */
  async *#portions(
    found: readonly ChangedLog[],
    positionOf: (row: ChangedLog) => number,
  ): AsyncGenerator<LogPortion> {
    const changed = found.filter((row) => this.#known.get(row.id)?.status !== logStatus(row))
    for (let n = 0; n < changed.length; n += ROWS_PER_STATEMENT) {
      const logs = changed.slice(n, n + ROWS_PER_STATEMENT)
      const rows = await this.#inTurn(() => logRows(this.#deps, this.#request.projectId, logs))
      const ends = new Map(logs.map(({ id, ended_at_us: endedAt }) => [id, endedAt]))
      for (const row of rows) this.#remember(row, ends.get(row.id) ?? row.started_at_us)
      yield { rows: rows.filter((row) => this.#isRequested(row)), position: positionOf(logs.at(-1)!) }
    }
    const last = found.at(-1)
    if (last && changed.length === 0) yield { rows: [], position: positionOf(last) }
  }

  #isRequested(row: LogRow): boolean {
    const { status } = this.#request
    return status === undefined || logStatus(row) === status
  }

  #remember(row: LogRow, endedAt: number): void {
    this.#known.delete(row.id)
    this.#known.set(row.id, { status: logStatus(row), startedAt: row.started_at_us, endedAt })
    if (this.#known.size > KNOWN_MAX) this.#known.delete(this.#known.keys().next().value as string)
  }

  #runningThatEnded(): Promise<ChangedLog[]> {
    const startedAfter = Math.max(this.#now() - RUNNING_US_MAX, 0)
    const running = [...this.#known]
      .filter(([, { status, startedAt }]) => status === 'started' && startedAt > startedAfter)
      .slice(-RUNNING_MAX)
    return running.length === 0
      ? Promise.resolve([])
      : this.#inTurn(() =>
          endedLogs(
            this.#deps.db,
            this.#request.projectId,
            running.map(([id]) => id),
            startedAfter,
          ),
        )
  }

  #inTurn<T>(read: () => Promise<T>): Promise<T> {
    return this.#deps.reads.run(this.#request.projectId, read)
  }

  /** Forgets what no read returns again. */
  #forget(): void {
    const readAgain = this.#ended - MARGIN_US
    for (const [id, { status, startedAt, endedAt }] of this.#known)
      if (status === 'started' ? startedAt < this.#now() - RUNNING_US_MAX : endedAt < readAgain)
        this.#known.delete(id)
  }
}

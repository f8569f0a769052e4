import { currentTurn } from '../../platform/http/turns/request-turns.ts'
import { nextPortion } from '../../platform/http/turns/run-in-slices.ts'
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
  /** Which executions. */
  where: LogQuery['where']
  /** Position, in microseconds since the epoch. */
  after: number
  /** What was sent before, and is not read again. */
  known?: KnownLogs | undefined
}
export type LogStatus = ReturnType<typeof logStatus>

interface KnownLog {
  status: LogStatus
  startedAt: number
  endedAt: number
  /** The number of the portion with which it came; 0 for one that was skipped. */
  portion: number
}
/** What was sent or skipped, by id. */
export type KnownLogs = Map<string, KnownLog>

/** Whether this state of an execution was sent or skipped. */
export const isKnown = (known: KnownLogs | undefined, row: Pick<LogRow, 'id' | 'successful'>): boolean =>
  known?.get(row.id)?.status === logStatus(row)

/** An execution that is new or has ended. */
export interface ReadLog {
  row: LogRow
  /** The later one of its start and its end, in microseconds since the epoch. */
  changedAt: number
}

/** A portion of the executions that changed, with the position after it. */
export interface LogPortion {
  logs: ReadLog[]
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
  readonly #known: KnownLogs
  /** Nothing before this time is read. */
  readonly #start: number
  /** Executions that started before this time were read. Positions are microseconds since the epoch. */
  #started: number
  /** Executions that ended before this time were read. */
  #ended: number
  #portionCount = 0

  constructor(
    deps: LogReaderDeps & { readonly reads: ReadQueue },
    request: LogReaderRequest,
    now: () => number,
  ) {
    this.#deps = deps
    this.#request = request
    const nowInMicroseconds = () => now() * 1_000
    this.#now = nowInMicroseconds
    this.#known = request.known ?? new Map()
    this.#started = request.after
    this.#ended = request.after
    this.#start = Math.max(request.after - MARGIN_US, 0)
  }

  get position(): number {
    return this.#started
  }

  /** The number of the latest portion. */
  get portionCount(): number {
    return this.#portionCount
  }

  /** Adds what came with the first `portions` portions, or was skipped, to other known executions. */
  copyKnown(portions: number, target: KnownLogs): void {
    for (const [id, log] of this.#known) {
      const other = target.get(id)
      if (log.portion <= portions && (!other || other.status === 'started')) target.set(id, log)
    }
  }

  /** Skips what is stored already and changed before the position. Reads return what is stored later. */
  async skipStored(): Promise<void> {
    for await (const found of this.#changes(this.#start, false))
      for (const log of found) if (log.ended_at_us <= this.#started) this.#remember(log, log.ended_at_us)
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
    // What comes later has a later start, or ends after this read.
    for await (const found of this.#changes(changedAfter, includesEnded))
      yield* this.#portions(found, (row) => Math.max(from, Math.min(row.started_at_us, readAt)))
    this.#started = readAt
    if (!includesEnded) return
    this.#ended = readAt
    this.#forget()
  }

  /** Yields what changed after a time, in pages. */
  async *#changes(changedAfter: number, includesEnded: boolean): AsyncGenerator<ChangedLog[]> {
    const { projectId, where } = this.#request
    for (let after: LogKey | undefined; ;) {
      const query = { where, changedAfter, includesEnded, after, limit: LOGS_PER_STATEMENT }
      const found = await this.#inTurn(() => changedLogs(this.#deps.db, projectId, query))
      yield found
      const last = found.at(-1)
      if (!last || found.length < LOGS_PER_STATEMENT) return
      after = { startedAt: last.started_at_us, id: last.id }
    }
  }

  /** The last portion may be empty: it tells the reader's position. */
  async *#portions(
    found: readonly ChangedLog[],
    positionOf: (row: ChangedLog) => number,
  ): AsyncGenerator<LogPortion> {
    const changed = found.filter((row) => !isKnown(this.#known, row))
    for (let n = 0; n < changed.length; n += ROWS_PER_STATEMENT) {
      const changes = changed.slice(n, n + ROWS_PER_STATEMENT)
      const rows = await this.#inTurn(() => logRows(this.#deps, this.#request.projectId, changes))
      this.#portionCount++
      const ends = new Map(changes.map(({ id, ended_at_us: endedAt }) => [id, endedAt]))
      const logs = rows.map((row) => ({ row, changedAt: ends.get(row.id) ?? row.started_at_us }))
      for (const { row, changedAt } of logs) this.#remember(row, changedAt)
      yield { logs, position: positionOf(changes.at(-1)!) }
    }
    const last = found.at(-1)
    if (last && changed.length === 0) yield { logs: [], position: positionOf(last) }
  }

  #remember(row: Pick<LogRow, 'id' | 'successful' | 'started_at_us'>, endedAt: number): void {
    const { id, started_at_us: startedAt } = row
    this.#known.delete(id)
    this.#known.set(id, { status: logStatus(row), startedAt, endedAt, portion: this.#portionCount })
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

  /** Runs a statement after the other readers of the project, and after requests of other projects. */
  #inTurn<T>(read: () => Promise<T>): Promise<T> {
    return this.#deps.reads.run(this.#request.projectId, async () => {
      await nextPortion(currentTurn())
      return read()
    })
  }

  /** Forgets what no read returns again. */
  #forget(): void {
    const readAgain = this.#ended - MARGIN_US
    for (const [id, { status, startedAt, endedAt }] of this.#known)
      if (status === 'started' ? startedAt < this.#now() - RUNNING_US_MAX : endedAt < readAgain)
        this.#known.delete(id)
  }
}

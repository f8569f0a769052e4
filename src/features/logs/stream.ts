import { ApiError } from '../../platform/http/api-error.ts'
import type { Logger } from '../../platform/log.ts'
import { messageText, positionText, retryText } from '../../platform/sse.ts'
import { logStatus, presentEntry } from './present-log.ts'
import { changedLogs, type LogReaderDeps, type LogRow } from './store.ts'
import type { LogQuery } from './log-query.ts'

const STREAMS_PER_PROJECT_MAX = 50
const STREAMS_MAX = 500
const POLL_MS = 1_000
const HEARTBEAT_MS = 15_000
/** Sent to clients: the time before they reconnect. */
const RECONNECT_MS = 1_000
/** An execution is stored up to some seconds after its start, so each read repeats the last seconds. */
const OVERLAP_US = 15_000_000
/** The end of an execution that runs for longer is not sent. */
const RUNNING_US_MAX = 3_600_000_000
const RUNNING_MAX = 1_000

export interface LogStreamRequest {
  projectId: string
  /** Which executions, apart from their status. */
  where: LogQuery['where']
  status: 'success' | 'failed' | 'started' | undefined
  /** Microseconds since the epoch; undefined: only new executions. */
  after: number | undefined
  /** Is aborted when the client disconnects. */
  signal: AbortSignal
  /** Runs at every heartbeat. The stream ends when it throws, such as after the API key was revoked. */
  checkAccess(): Promise<void>
}

export interface LogStreamOptions extends LogReaderDeps {
  log: Pick<Logger, 'debug'>
  now(): number
  /** Time between two reads. Default 1,000. */
  pollMs?: number | undefined
  /** Time between two checks of the access. Default 15,000. */
  heartbeatMs?: number | undefined
}

/** Returns what changed since the last read: rows that are new, and rows that ended. */
class LogReader {
  readonly #deps: LogReaderDeps
  readonly #request: LogStreamRequest
  /** Status of the rows that were sent or skipped, with their start. */
  readonly #known = new Map<string, { status: string; startedAt: number }>()
  readonly #start: number
  /** Position: the start of the newest row that was read, in microseconds since the epoch. */
  after: number

  constructor(deps: LogReaderDeps, request: LogStreamRequest, now: number) {
    this.#deps = deps
    this.#request = request
    this.after = request.after ?? now * 1_000
    // Rows of before a position may have been stored after it was sent.
    this.#start = Math.max(request.after === undefined ? this.after : request.after - OVERLAP_US, 0)
  }

  async read(): Promise<LogRow[]> {
    const { projectId, where, status } = this.#request
    const running = [...this.#known]
      .filter(([, row]) => row.status === 'started' && this.after - row.startedAt < RUNNING_US_MAX)
      .map(([id]) => id)
      .slice(-RUNNING_MAX)
    const from = Math.max(this.after - OVERLAP_US, this.#start)
    const runningAfter = this.after - RUNNING_US_MAX
    const rows = await changedLogs(this.#deps, projectId, { where, after: from, running, runningAfter })
    const changed = rows.filter((row) => this.#known.get(row.id)?.status !== logStatus(row))
    for (const row of changed)
      this.#known.set(row.id, { status: logStatus(row), startedAt: row.started_at_us })
    this.after = Math.max(this.after, ...rows.map(({ started_at_us: startedAt }) => startedAt))
    this.#forget()
    return changed.filter((row) => status === undefined || logStatus(row) === status)
  }

  #forget(): void {
    for (const [id, { status, startedAt }] of this.#known) {
      const age = this.after - startedAt
      if (age > (status === 'started' ? RUNNING_US_MAX : OVERLAP_US * 2)) this.#known.delete(id)
    }
  }
}

/** The streams that are open, with their projects. */
class OpenStreams {
  readonly #projects = new Map<AbortController, string>()
  #isClosed = false

  /** @throws ApiError Log_TooManyStreams */
  register({ projectId, signal }: LogStreamRequest): AbortController {
    const own = [...this.#projects.values()].filter((id) => id === projectId).length
    if (own >= STREAMS_PER_PROJECT_MAX || this.#projects.size >= STREAMS_MAX)
      throw new ApiError('Log_TooManyStreams', `${own} streams of logs of this project are open already.`)
    const stop = new AbortController()
    this.#projects.set(stop, projectId)
    const close = () => this.end(stop)
    if (signal.aborted || this.#isClosed) close()
    else signal.addEventListener('abort', close, { once: true })
    return stop
  }

  end(stop: AbortController): void {
    this.#projects.delete(stop)
    stop.abort()
  }

  close(): void {
    this.#isClosed = true
    for (const stop of this.#projects.keys()) this.end(stop)
  }
}

/**
 * Streams of executions. Each stream reads the last seconds of the log every second: a notification for every execution
 * would make all calls wait for one lock of PostgreSQL, whether a stream is open or not.
 */
export function createLogStreams(options: LogStreamOptions) {
  const { log, now, pollMs = POLL_MS, heartbeatMs = HEARTBEAT_MS } = options
  const streams = new OpenStreams()

  async function* texts(request: LogStreamRequest, stop: AbortController): AsyncGenerator<string> {
    const reader = new LogReader(options, request, now())
    try {
      yield retryText(RECONNECT_MS) + positionText(String(reader.after))
      let checkedAt = performance.now()
      while (!stop.signal.aborted) {
        const rows = await reader.read()
        if (rows.length > 0)
          yield rows
            .map((row) => messageText(String(reader.after), JSON.stringify(presentEntry(row))))
            .join('')
        if (performance.now() - checkedAt >= heartbeatMs) {
          await request.checkAccess()
          checkedAt = performance.now()
          yield positionText(String(reader.after))
        }
        await pause(pollMs, stop.signal)
      }
    } catch (error) {
      log.debug({ err: error }, 'a stream of logs ended')
    } finally {
      streams.end(stop)
    }
  }

  return {
    /** Opens a stream of server-sent events without an end. @throws ApiError Log_TooManyStreams */
    open: (request: LogStreamRequest): AsyncIterable<string> => texts(request, streams.register(request)),
    /** Returns the executions after a position, without waiting for new ones. */
    async readNext(request: LogStreamRequest) {
      const reader = new LogReader(options, request, now())
      const rows = await reader.read()
      return { items: rows.map(presentEntry), last_event_id: String(reader.after) }
    },
    /** Ends all streams. Their clients reconnect to another process. */
    close: () => streams.close(),
  }
}

export type LogStreams = ReturnType<typeof createLogStreams>

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })

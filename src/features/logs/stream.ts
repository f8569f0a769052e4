import { ApiError } from '../../platform/http/api-error.ts'
import type { Logger } from '../../platform/log.ts'
import { changedLogs, logRows } from './log-changes.ts'
import { LogFeeds } from './log-feed.ts'
import { formatPosition, type LogPosition } from './log-position.ts'
import { whereEqual } from './log-query.ts'
import { MARGIN_US } from './log-reader.ts'
import { logStatus, presentEntry } from './present-log.ts'
import { ReadQueue } from './read-queue.ts'
import type { LogReaderDeps } from './store.ts'
import { type LogStreamRequest, streamTexts } from './stream-texts.ts'

const STREAMS_PER_PROJECT_MAX = 50
const STREAMS_MAX = 500
const POLL_MS = 1_000
const HEARTBEAT_MS = 15_000
/** Executions of a response without a stream. */
const PAGE_MAX = 200
const DAY_US = 86_400_000_000

export interface LogStreamOptions extends LogReaderDeps {
  log: Pick<Logger, 'debug'>
  now(): number
  /** Days for which executions are kept; 0: forever. */
  retentionDays: number
  /** Time between two reads. Default 1,000. */
  pollMs?: number | undefined
  /** Time between two checks of the access. Default 15,000. */
  heartbeatMs?: number | undefined
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
 * Streams of executions. What changed is read every second, once for all streams of a project: a notification for every
 * execution would make all calls wait for one lock of PostgreSQL, whether a stream is open or not.
 */
export function createLogStreams(options: LogStreamOptions) {
  const { pollMs = POLL_MS, heartbeatMs = HEARTBEAT_MS } = options
  const [streams, reads] = [new OpenStreams(), new ReadQueue()]
  const feeds = new LogFeeds({ ...options, pollMs, endsMs: heartbeatMs })
  return {
    /** Opens a stream of server-sent events without an end. @throws ApiError Log_TooManyStreams */
    open(request: LogStreamRequest): AsyncIterable<string | Buffer> {
      const stop = streams.register(request)
      const isMissed = isMissing(options, request.position)
      return streamTexts({ ...options, heartbeatMs, reads, feeds }, request, isMissed, stop.signal, () =>
        streams.end(stop),
      )
    },
    readNext: (request: LogStreamRequest) => readNext(options, request),
    /** Ends all streams. Their clients reconnect to another process. */
    close: () => streams.close(),
  }
}

/** Returns a page of the executions after a position, without waiting for new ones. */
async function readNext(
  options: LogStreamOptions,
  { projectId, fields, status, position }: LogStreamRequest,
) {
  const now = options.now() * 1_000
  if (position === undefined) return { items: [], last_event_id: String(now), missed: false }
  const { readAt, pass } = position
  const startedAt = pass?.startedAt ?? now
  const query = {
    ...{ where: whereEqual(fields), includesEnded: true, after: pass?.after, limit: PAGE_MAX },
    changedAfter: Math.max(readAt - MARGIN_US, 0),
  }
  const found = await changedLogs(options.db, projectId, query)
  const rows = found.length === 0 ? [] : await logRows(options, projectId, found)
  const last = found.at(-1)
  const next: LogPosition =
    last && found.length === PAGE_MAX
      ? { readAt, pass: { startedAt, after: { startedAt: last.started_at_us, id: last.id } } }
      : { readAt: startedAt, pass: undefined }
  return {
    items: rows.filter((row) => status === undefined || logStatus(row) === status).map(presentEntry),
    last_event_id: formatPosition(next),
    missed: isMissing(options, position),
  }
}

/** Whether the log has removed executions after a position. Position 0 means all that it has. */
const isMissing = ({ now, retentionDays }: LogStreamOptions, position: LogPosition | undefined): boolean =>
  position !== undefined &&
  position.readAt > 0 &&
  retentionDays > 0 &&
  position.readAt < now() * 1_000 - retentionDays * DAY_US

export type LogStreams = ReturnType<typeof createLogStreams>

import { ApiError } from '../../platform/http/api-error.ts'
import { runInSlices } from '../../platform/http/turns/run-in-slices.ts'
import type { Logger } from '../../platform/log.ts'
import { liveText, messageText, positionText, retryText } from '../../platform/sse.ts'
import { changedLogs, logRows } from './log-changes.ts'
import { formatPosition, type LogPosition } from './log-position.ts'
import type { LogQuery } from './log-query.ts'
import { type LogPortion, LogReader, type LogStatus, MARGIN_US } from './log-reader.ts'
import { logStatus, presentEntry } from './present-log.ts'
import { ReadQueue } from './read-queue.ts'
import type { LogReaderDeps } from './store.ts'

const STREAMS_PER_PROJECT_MAX = 50
const STREAMS_MAX = 500
const POLL_MS = 1_000
const HEARTBEAT_MS = 15_000
/** Sent to clients: the time before they reconnect. */
const RECONNECT_MS = 1_000
/** Executions of a response without a stream. */
const PAGE_MAX = 200
const DAY_US = 86_400_000_000

export interface LogStreamRequest {
  projectId: string
  /** Which executions, apart from their status. */
  where: LogQuery['where']
  status: LogStatus | undefined
  /** Undefined: only what changes from now on. */
  position: LogPosition | undefined
  /** Is aborted when the client disconnects. */
  signal: AbortSignal
  /** Runs at every heartbeat. The stream ends when it throws, such as after the API key was revoked. */
  checkAccess(): Promise<void>
}

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
 * Streams of executions. Each stream reads what changed every second: a notification for every execution would make all
 * calls wait for one lock of PostgreSQL, whether a stream is open or not.
 */
export function createLogStreams(options: LogStreamOptions) {
  const [streams, reads] = [new OpenStreams(), new ReadQueue()]
  return {
    /** Opens a stream of server-sent events without an end. @throws ApiError Log_TooManyStreams */
    open: (request: LogStreamRequest): AsyncIterable<string> =>
      streamTexts({ ...options, reads }, streams, request, streams.register(request)),
    readNext: (request: LogStreamRequest) => readNext(options, request),
    /** Ends all streams. Their clients reconnect to another process. */
    close: () => streams.close(),
  }
}

/** Returns a page of the executions after a position, without waiting for new ones. */
async function readNext(options: LogStreamOptions, { projectId, where, status, position }: LogStreamRequest) {
  const now = options.now() * 1_000
  if (position === undefined) return { items: [], last_event_id: String(now), missed: false }
  const { readAt, pass } = position
  const startedAt = pass?.startedAt ?? now
  const query = {
    ...{ where, includesEnded: true, after: pass?.after, limit: PAGE_MAX },
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

/** Tells a client that executions are missing at this place. Nobody counted them. */
const MISSED = JSON.stringify({ type: 'tool.execution.missed', count: null })

async function* streamTexts(
  options: LogStreamOptions & { readonly reads: ReadQueue },
  streams: OpenStreams,
  request: LogStreamRequest,
  stop: AbortController,
): AsyncGenerator<string> {
  const { log, now, pollMs = POLL_MS, heartbeatMs = HEARTBEAT_MS } = options
  const { position } = request
  const reader = new LogReader(options, { ...request, after: position?.readAt }, now)
  const heartbeats = createHeartbeats(request, heartbeatMs)
  try {
    yield retryText(RECONNECT_MS) + positionText(String(reader.position))
    if (isMissing(options, position)) yield liveText(MISSED)
    for (let endsReadAt = -Infinity; !stop.signal.aborted; await pause(pollMs, stop.signal)) {
      const includesEnded = performance.now() - endsReadAt >= heartbeatMs
      if (includesEnded) endsReadAt = performance.now()
      for await (const portion of reader.read(includesEnded)) {
        if (stop.signal.aborted) return
        const isDue = await heartbeats.isDue()
        if (portion.rows.length > 0) yield await runInSlices(portionText(portion))
        else if (isDue) yield positionText(String(portion.position))
      }
      if (await heartbeats.isDue()) yield positionText(String(reader.position))
    }
  } catch (error) {
    log.debug({ err: error }, 'a stream of logs ended')
  } finally {
    streams.end(stop)
  }
}

function* portionText({ rows, position }: LogPortion): Generator<void, string> {
  let text = ''
  for (const row of rows) {
    text += messageText(String(position), JSON.stringify(presentEntry(row)))
    yield
  }
  return text
}

/** Checks the access of a stream once in a while. `isDue` throws when the access has ended. */
function createHeartbeats({ checkAccess }: LogStreamRequest, intervalMs: number) {
  let checkedAt = performance.now()
  return {
    async isDue(): Promise<boolean> {
      if (performance.now() - checkedAt < intervalMs) return false
      await checkAccess()
      checkedAt = performance.now()
      return true
    },
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

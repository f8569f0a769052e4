import type { Logger } from '../../platform/log.ts'
import { runInSlices } from '../../platform/http/turns/run-in-slices.ts'
import { liveText, messageText, positionText, retryText } from '../../platform/sse.ts'
import type { FeedPortion, LogFeeds, LogSubscription } from './log-feed.ts'
import type { LogPosition } from './log-position.ts'
import { hasFields, type StreamFields, whereEqual } from './log-query.ts'
import { isKnown, type KnownLogs, LogReader, type LogStatus, MARGIN_US, type ReadLog } from './log-reader.ts'
import { logStatus, presentEntry } from './present-log.ts'
import type { ReadQueue } from './read-queue.ts'
import type { LogReaderDeps } from './store.ts'

/** Sent to clients: the time before they reconnect. */
const RECONNECT_MS = 1_000
/** Tells a client that executions are missing at this place. Nobody counted them. */
const MISSED = JSON.stringify({ type: 'tool.execution.missed', count: null })

export interface LogStreamRequest {
  projectId: string
  /** Which executions, apart from their status. */
  fields: StreamFields
  status: LogStatus | undefined
  /** Undefined: only what changes from now on. */
  position: LogPosition | undefined
  /** Is aborted when the client disconnects. */
  signal: AbortSignal
  /** Runs at every heartbeat. The stream ends when it throws, such as after the API key was revoked. */
  checkAccess(): Promise<void>
}

interface StreamDeps extends LogReaderDeps {
  log: Pick<Logger, 'debug'>
  now(): number
  heartbeatMs: number
  reads: ReadQueue
  feeds: LogFeeds
}

/**
 * Yields the messages of a stream. It first reads what changed after its position, then receives from the feed of its
 * project. When it is too far behind the feed, it reads again.
 * @param isMissed whether the log has removed executions after the position
 */
export async function* streamTexts(
  deps: StreamDeps,
  request: LogStreamRequest,
  isMissed: boolean,
  signal: AbortSignal,
  onEnd: () => void,
): AsyncGenerator<string | Buffer> {
  let stream: LogStream | undefined
  try {
    while (!signal.aborted) {
      const subscription = deps.feeds.subscribe(request.projectId, signal)
      try {
        await subscription.ready
        if (!stream) {
          stream = new LogStream(deps, request)
          yield retryText(RECONNECT_MS) + positionText(String(stream.position))
          if (isMissed) yield liveText(MISSED)
        }
        yield* stream.texts(subscription, signal)
      } finally {
        subscription.leave()
      }
    }
  } catch (error) {
    deps.log.debug({ err: error }, 'a stream of logs ended')
  } finally {
    onEnd()
  }
}

class LogStream {
  readonly #deps: StreamDeps
  readonly #request: LogStreamRequest
  readonly #heartbeats: ReturnType<typeof createHeartbeats>
  /** Executions that changed before this time are not sent. Times are microseconds since the epoch. */
  readonly #start: number
  /** What was sent before the stream reads. Undefined: there is nothing to read, only to receive. */
  #known: KnownLogs | undefined
  #position: number

  constructor(deps: StreamDeps, request: LogStreamRequest) {
    const { position } = request
    this.#deps = deps
    this.#request = request
    this.#heartbeats = createHeartbeats(request, deps.heartbeatMs)
    this.#position = position?.readAt ?? deps.now() * 1_000
    this.#start = position ? Math.max(position.readAt - MARGIN_US, 0) : this.#position
    this.#known = position && new Map()
  }

  get position(): number {
    return this.#position
  }

  /** Reads what the stream has not sent, then receives until it is aborted or too far behind. */
  async *texts(subscription: LogSubscription, signal: AbortSignal): AsyncGenerator<string | Buffer> {
    const reader = this.#known && this.#createReader(this.#known)
    if (reader) yield* this.#readTexts(reader, signal)
    yield* this.#receivedTexts(subscription)
    if (signal.aborted) return
    this.#known ??= new Map()
    subscription.copyReceived(this.#known)
  }

  async *#readTexts(reader: LogReader, signal: AbortSignal): AsyncGenerator<string> {
    for await (const { logs, position } of reader.read(true)) {
      if (signal.aborted) return
      const sent = logs.filter((log) => this.#isRequested(log))
      const isDue = await this.#heartbeats.isDue()
      if (sent.length > 0) yield await runInSlices(messagesOf(sent, position))
      else if (isDue) yield positionText(String(position))
    }
    this.#position = reader.position
  }

  async *#receivedTexts(subscription: LogSubscription): AsyncGenerator<string | Buffer> {
    const { completeReads } = subscription
    for await (const portion of subscription.portions()) {
      this.#position = Math.max(this.#position, portion.position)
      // Of the reads that end from now on, the second one begins after the stream has read its past. With it, the feed
      // has read everything that the stream has, and returns nothing of it again.
      if (portion.completeReads >= completeReads + 2) this.#known = undefined
      const isDue = await this.#heartbeats.isDue()
      const bytes = this.#bytesOf(portion)
      if (bytes.length > 0) yield bytes
      else if (isDue) yield positionText(String(this.#position))
    }
  }

  /** The messages of a portion that the stream sends. Streams that send all of them share the bytes. */
  #bytesOf({ logs, bytes }: FeedPortion): string | Buffer {
    const sent = logs.filter((log) => this.#isRequested(log) && !isKnown(this.#known, log.row))
    return sent.length === logs.length ? bytes : sent.map(({ text }) => text).join('')
  }

  #isRequested({ row, changedAt }: ReadLog): boolean {
    const { status, fields } = this.#request
    return (
      changedAt > this.#start && (status === undefined || logStatus(row) === status) && hasFields(row, fields)
    )
  }

  #createReader(known: KnownLogs): LogReader {
    const { projectId, fields } = this.#request
    const request = { projectId, where: whereEqual(fields), after: this.#position, known }
    return new LogReader(this.#deps, request, this.#deps.now)
  }
}

function* messagesOf(logs: readonly ReadLog[], position: number): Generator<void, string> {
  let text = ''
  for (const { row } of logs) {
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

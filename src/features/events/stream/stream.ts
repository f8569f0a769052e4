import type { StreamedEvent } from '../../../contract/events/index.ts'
import { batchCalls } from '../../../platform/db/batch.ts'
import type { Listener } from '../../../platform/db/notifications.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { Logger } from '../../../platform/log.ts'
import { messageText, positionText, retryText } from '../../../platform/sse.ts'
import type { EventDeps } from '../deps.ts'
import { isApproval, messageOf, type PublishedEvent } from '../message.ts'
import { decryptContent } from '../outbox.ts'
import {
  lastSequenceNumber,
  type NextEvents,
  readNextEvents,
  type StreamedEventRow,
  type StreamPosition,
} from './store.ts'

export interface EventStreamDeps extends EventDeps {
  log: Logger
  /**
   * Listens to events that any process publishes. `onPublished` receives their project; `onMissed` is called when
   * notifications may have been lost.
   */
  listen(onPublished: (projectId: string) => void, onMissed: () => void): Listener
  /** Time between two messages of an idle stream. Default 15,000. */
  heartbeatMs?: number | undefined
}

/** Which events a reader reads, and how much of them. */
export interface StreamReader {
  position: StreamPosition
  /** Whether the reader may see the arguments of calls that need an approval. */
  includeApprovals: boolean
}

export interface StreamRequest extends StreamReader {
  /** Is aborted when the client disconnects. */
  signal: AbortSignal
  /** Runs at every heartbeat. The stream ends when it throws, such as after the API key was revoked. */
  checkAccess(): Promise<void>
}

const STREAMS_MAX = 500
const STREAMS_PER_PROJECT_MAX = 50
const READERS_PER_STATEMENT = 10
const HEARTBEAT_MS = 15_000
/** A transaction of another project that blocks the sequence ends without a notification. */
const BLOCKED_RETRY_MS = 100
/** Sent to clients: the time before they reconnect. */
const RECONNECT_MS = 1_000

interface OpenStream {
  projectId: string
  wake: PromiseWithResolvers<void>
}

/**
 * Streams of events. Each stream reads on from its position when PostgreSQL notifies of new events of its project, so
 * that every process streams all events, whichever process published them. Streams share statements. The position is
 * the only state of a stream.
 */
export class EventStreams {
  readonly #deps: EventStreamDeps
  readonly #heartbeatMs: number
  readonly #streams = new Set<OpenStream>()
  readonly #read: (position: StreamPosition) => Promise<NextEvents>
  #listener: Listener | undefined
  #isClosed = false

  constructor(deps: EventStreamDeps) {
    this.#deps = deps
    this.#heartbeatMs = deps.heartbeatMs ?? HEARTBEAT_MS
    this.#read = batchCalls((positions) => readNextEvents(deps.db, positions), {
      max: READERS_PER_STATEMENT,
    })
  }

  /** Returns the events after a position, without waiting for new ones. */
  async readNext({
    position,
    includeApprovals,
  }: StreamReader): Promise<{ items: StreamedEvent[]; last_event_id: string }> {
    const { events, after } = await this.#read(position)
    return {
      items: events.map((event) => this.#present(event, includeApprovals)),
      last_event_id: String(after),
    }
  }

  /**
   * The position of a reader whose last event was `after`, or that starts now. A position that was never reached, such
   * as after a backup was restored, becomes the current one.
   */
  async positionOf(after: string | undefined): Promise<number> {
    const last = await lastSequenceNumber(this.#deps.db)
    return after === undefined ? last : Math.min(Number(after), last)
  }

  /** Opens a stream of server-sent events without an end. @throws ApiError Event_TooManyStreams */
  open(request: StreamRequest): AsyncIterable<string> {
    return this.#texts(request, this.#register(request))
  }

  /**
   * Opens a stream of events without an end, in the batches in which they are read.
   * @throws ApiError Event_TooManyStreams
   */
  openEvents(request: StreamRequest): AsyncIterable<readonly PublishedEvent[]> {
    return this.#published(request, this.#register(request))
  }

  /** Ends all streams. Their clients reconnect to another process. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#wake()
    await this.#listener?.close()
  }

  #register({ position: { projectId }, signal }: StreamRequest): OpenStream {
    this.#checkLimits(projectId)
    this.#listener ??= this.#deps.listen(
      (published) => this.#wake(published),
      () => this.#wake(),
    )
    const stream: OpenStream = { projectId, wake: Promise.withResolvers() }
    this.#streams.add(stream)
    const close = () => {
      this.#streams.delete(stream)
      stream.wake.resolve()
    }
    if (signal.aborted) close()
    else signal.addEventListener('abort', close, { once: true })
    return stream
  }

  async *#texts(request: StreamRequest, stream: OpenStream): AsyncGenerator<string> {
    yield retryText(RECONNECT_MS) + positionText(String(request.position.after))
    for await (const { events, after } of this.#batches(request, stream))
      yield events.length > 0
        ? events.map((event) => this.#message(event, request.includeApprovals)).join('')
        : positionText(String(after))
  }

  async *#published(request: StreamRequest, stream: OpenStream): AsyncGenerator<readonly PublishedEvent[]> {
    for await (const { events } of this.#batches(request, stream))
      if (events.length > 0) yield events.map((event) => this.#decrypt(event, request.includeApprovals))
  }

  /** Yields the next events, or an empty list at each heartbeat. */
  async *#batches(
    { position, signal, checkAccess }: StreamRequest,
    stream: OpenStream,
  ): AsyncGenerator<Pick<NextEvents, 'events' | 'after'>> {
    let { after } = position
    try {
      let checkedAt = performance.now()
      while (!signal.aborted && !this.#isClosed) {
        stream.wake = Promise.withResolvers()
        const next = await this.#read({ ...position, after })
        after = next.after
        if (next.events.length > 0) yield { events: next.events, after }
        else
          await waitFor(
            stream,
            next.isBlocked ? Math.min(BLOCKED_RETRY_MS, this.#heartbeatMs) : this.#heartbeatMs,
          )
        if (performance.now() - checkedAt < this.#heartbeatMs) continue
        await checkAccess()
        checkedAt = performance.now()
        yield { events: [], after }
      }
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'a stream of events ended')
    } finally {
      this.#streams.delete(stream)
    }
  }

  #message(event: StreamedEventRow, includeApprovals: boolean): string {
    return messageText(String(event.seq), JSON.stringify(this.#present(event, includeApprovals)))
  }

  #present(event: StreamedEventRow, includeApprovals: boolean): StreamedEvent {
    return {
      event_id: event.id,
      ordering_key: event.ordering_key,
      payload: messageOf(
        this.#decrypt(event, includeApprovals),
        'V3',
        this.#deps.brand.toWire,
      ) as StreamedEvent['payload'],
    }
  }

  #decrypt(event: StreamedEventRow, includeApprovals: boolean): PublishedEvent {
    const isHidden = !includeApprovals && isApproval(event.type)
    const { data, payload } = decryptContent(this.#deps.db, event)
    return { ...event, data, payload: isHidden ? undefined : payload }
  }

  #wake(projectId?: string): void {
    for (const stream of this.#streams)
      if (projectId === undefined || stream.projectId === projectId) stream.wake.resolve()
  }

  #checkLimits(projectId: string): void {
    const own = [...this.#streams].filter((stream) => stream.projectId === projectId).length
    if (own >= STREAMS_PER_PROJECT_MAX)
      throw new ApiError(
        'Event_TooManyStreams',
        `The project has ${own} open streams on this server already.`,
      )
    if (this.#streams.size >= STREAMS_MAX)
      throw new ApiError('Event_TooManyStreams', `This server has ${STREAMS_MAX} open streams already.`)
  }
}

async function waitFor(stream: OpenStream, milliseconds: number): Promise<void> {
  const { promise, resolve } = stream.wake
  const timer = setTimeout(resolve, milliseconds)
  await promise
  clearTimeout(timer)
}

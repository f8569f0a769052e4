import type { StreamedEvent } from '../../../contract/events/index.ts'
import { batchCalls } from '../../../platform/db/batch.ts'
import type { ChangeOn } from '../../../platform/change-bus.ts'
import type { Listener } from '../../../platform/db/notifications.ts'
import type { Logger } from '../../../platform/log.ts'
import { liveText, messageText, positionText, retryText } from '../../../platform/sse.ts'
import type { EventDeps } from '../deps.ts'
import { FollowReports } from '../executions/follow.ts'
import { executionMessage, missedMessage } from '../executions/message.ts'
import type { QueuedExecutions } from '../executions/queue.ts'
import { isApproval, messageOf, type PublishedEvent } from '../message.ts'
import { decryptContent } from '../outbox.ts'
import { type OpenStream, OpenStreams, waitForWake } from './open-streams.ts'
import {
  lastSequenceNumber,
  type NextEvents,
  readNextEvents,
  type StreamedEventRow,
  type StreamPosition,
} from './store.ts'

export interface EventStreamDeps extends EventDeps {
  log: Logger
  now(): number
  /**
   * Listens to events that any process publishes, and to executions that end in it. `onMissed` is called when
   * notifications may have been lost.
   */
  listen(onChange: (change: ChangeOn<'events'>) => void, onMissed: () => void): Listener
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
  /** Adds executions of tools as they end. Default: none. */
  executions?: StreamedExecutions | undefined
  /** Is aborted when the client disconnects. */
  signal: AbortSignal
  /** Runs at every heartbeat. The stream ends when it throws, such as after the API key was revoked. */
  checkAccess(): Promise<void>
}

export interface StreamedExecutions {
  organizationId: string
  /** Whether the reader had a stream before, and did not receive the executions since. */
  isContinued: boolean
}

const READERS_PER_STATEMENT = 10
const HEARTBEAT_MS = 15_000
/** A transaction of another project that blocks the sequence ends without a notification. */
const BLOCKED_RETRY_MS = 100
/** Sent to clients: the time before they reconnect. */
const RECONNECT_MS = 1_000

/** The next messages of a stream; none at a heartbeat. */
interface StreamBatch extends Pick<NextEvents, 'events' | 'after'> {
  live?: QueuedExecutions | undefined
}

/**
 * Streams of events. Each stream reads on from its position when PostgreSQL notifies of new events of its project, so
 * that every process streams all events, whichever process published them. Streams share statements. The position is
 * the only state of a stream, except for executions that its reader has not taken.
 */
export class EventStreams {
  readonly #deps: EventStreamDeps
  readonly #heartbeatMs: number
  readonly #streams = new OpenStreams()
  readonly #follow: FollowReports
  readonly #read: (position: StreamPosition) => Promise<NextEvents>
  #listener: Listener | undefined
  #isClosed = false

  constructor(deps: EventStreamDeps) {
    this.#deps = deps
    this.#heartbeatMs = deps.heartbeatMs ?? HEARTBEAT_MS
    this.#follow = new FollowReports({
      ...{ db: deps.db, log: deps.log },
      followedProjects: () => this.#streams.followedProjects(),
    })
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
    this.#follow.close()
    this.#streams.wake()
    await this.#listener?.close()
  }

  #register({ position: { projectId }, executions, signal }: StreamRequest): OpenStream {
    const stream = this.#streams.register(projectId, executions !== undefined, signal)
    this.#listener ??= this.#deps.listen(
      (change) =>
        change.kind === 'events_published'
          ? this.#streams.wake(change.projectId)
          : this.#streams.addExecutions(change.projectId, change.executions, change.missed),
      () => this.#streams.missNotifications(),
    )
    return stream
  }

  async *#texts(request: StreamRequest, stream: OpenStream): AsyncGenerator<string> {
    yield retryText(RECONNECT_MS)
    for await (const { events, after, live } of this.#batches(request, stream)) {
      if (live) yield this.#liveTexts(request, live)
      else if (events.length > 0)
        yield events.map((event) => this.#message(event, request.includeApprovals)).join('')
      else yield positionText(String(after))
    }
  }

  #liveTexts(
    { position: { projectId }, executions: options }: StreamRequest,
    live: QueuedExecutions,
  ): string {
    const owner = { projectId, organizationId: options?.organizationId ?? '' }
    const { brand, now } = this.#deps
    const messages = live.executions.map((execution) => executionMessage(execution, owner, brand))
    if (live.missed !== 0) messages.push(missedMessage(live.missed, owner, brand, now()))
    return messages.map((message) => liveText(JSON.stringify(message))).join('')
  }

  async *#published(request: StreamRequest, stream: OpenStream): AsyncGenerator<readonly PublishedEvent[]> {
    for await (const { events } of this.#batches(request, stream))
      if (events.length > 0) yield events.map((event) => this.#decrypt(event, request.includeApprovals))
  }

  /** Yields the next events and executions, and neither at the start and at each heartbeat. */
  async *#batches(request: StreamRequest, stream: OpenStream): AsyncGenerator<StreamBatch> {
    const { position, signal, checkAccess } = request
    let { after } = position
    try {
      await this.#startExecutions(request, stream)
      yield { events: [], after }
      let checkedAt = performance.now()
      let readAt = checkedAt
      while (!signal.aborted && !this.#isClosed) {
        stream.wake = Promise.withResolvers()
        const live = stream.executions?.take()
        if (live) yield { events: [], after, live }
        if (stream.hasEvents || performance.now() >= readAt) {
          stream.hasEvents = false
          const next = await this.#read({ ...position, after })
          after = next.after
          readAt = performance.now() + (next.isBlocked ? BLOCKED_RETRY_MS : this.#heartbeatMs)
          // There may be more than a batch.
          stream.hasEvents ||= next.events.length > 0
          if (next.events.length > 0) yield { events: next.events, after }
        }
        const endsAt = Math.min(readAt, checkedAt + this.#heartbeatMs)
        if (!stream.hasEvents) await waitForWake(stream, Math.max(endsAt - performance.now(), 0))
        if (performance.now() - checkedAt < this.#heartbeatMs) continue
        await checkAccess()
        checkedAt = performance.now()
        yield { events: [], after }
      }
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'a stream of events ended')
    } finally {
      this.#streams.remove(stream)
    }
  }

  /** Waits until every process announces the executions of the project, so that a client misses none after it. */
  async #startExecutions({ position, executions, signal }: StreamRequest, stream: OpenStream): Promise<void> {
    const queue = stream.executions
    if (!queue || !executions || !this.#listener) return
    const isConnected = await this.#follow.start(position.projectId, this.#listener, signal)
    // A new connection reports that notifications may be missing, also at its start.
    queue.take()
    if (executions.isContinued || !isConnected) queue.miss(null)
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
}

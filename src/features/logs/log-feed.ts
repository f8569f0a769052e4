import { runInProject } from '../../platform/db/project-scope.ts'
import { sql } from '../../platform/db/sql.ts'
import { runInSlices } from '../../platform/http/turns/run-in-slices.ts'
import { messageText } from '../../platform/sse.ts'
import { type KnownLogs, LogReader, type LogPortion, type ReadLog } from './log-reader.ts'
import { pause } from './pause.ts'
import { presentEntry } from './present-log.ts'
import { ReadQueue } from './read-queue.ts'
import type { LogReaderDeps } from './store.ts'

/** Executions that a stream may be behind its feed. They are in memory. */
const BEHIND_MAX = 2_000
const NO_BYTES = Buffer.alloc(0)

export interface LogFeedOptions extends LogReaderDeps {
  now(): number
  /** Time between two reads. */
  pollMs: number
  /** Time between two reads of calls of some minutes that ended. */
  endsMs: number
}

/** An execution with its message to clients. */
export interface FeedLog extends ReadLog {
  text: string
}

/** Executions that changed, as all streams of a project receive them. */
export interface FeedPortion {
  logs: readonly FeedLog[]
  /** The messages of all of them. */
  bytes: Buffer
  position: number
  /** Of the reader's portions, the number of this one. */
  number: number
  /** Executions of all portions until this one. */
  logCount: number
  /** Reads of everything that have ended before. */
  completeReads: number
}

/** The feeds of the projects that have open streams. */
export class LogFeeds {
  readonly #options: LogFeedOptions
  readonly #feeds = new Map<string, LogFeed>()

  constructor(options: LogFeedOptions) {
    this.#options = options
  }

  /** Subscribes a stream to the feed of its project, until the signal is aborted or the subscription is left. */
  subscribe(projectId: string, signal: AbortSignal): LogSubscription {
    let feed = this.#feeds.get(projectId)
    if (!feed) {
      const created = new LogFeed(this.#options, projectId, () => {
        if (this.#feeds.get(projectId) === created) this.#feeds.delete(projectId)
      })
      this.#feeds.set(projectId, created)
      feed = created
    }
    return feed.subscribe(signal)
  }
}

/**
 * Reads what changes in the log of a project once for all of its streams. A stream that is too slow leaves the feed, so
 * that it does not fill the memory.
 */
class LogFeed {
  /** Settles when everything that is stored later will be a part of the feed. */
  readonly ready: Promise<void>
  readonly #options: LogFeedOptions
  readonly #reader: LogReader
  readonly #subscriptions = new Set<LogSubscription>()
  readonly #stop = new AbortController()
  readonly #onEnd: () => void
  #latest: FeedPortion
  #logCount = 0
  #completeReads = 0

  constructor(options: LogFeedOptions, projectId: string, onEnd: () => void) {
    this.#options = options
    this.#onEnd = onEnd
    const request = { projectId, where: sql`true`, after: options.now() * 1_000 }
    this.#reader = new LogReader({ ...options, reads: new ReadQueue() }, request, options.now)
    this.#latest = this.#portion([], NO_BYTES, request.after)
    this.ready = runInProject(projectId, () => this.#reader.skipStored())
    this.ready.then(
      () => runInProject(projectId, () => this.#run()),
      (error: unknown) => this.#end(error),
    )
  }

  subscribe(signal: AbortSignal): LogSubscription {
    const subscription = new LogSubscription(this, this.#latest, signal)
    this.#subscriptions.add(subscription)
    return subscription
  }

  leave(subscription: LogSubscription): void {
    this.#subscriptions.delete(subscription)
    if (this.#subscriptions.size > 0) return
    this.#onEnd()
    this.#stop.abort()
  }

  /** Reads of everything that have ended. */
  get completeReads(): number {
    return this.#completeReads
  }

  /** Adds what came with the first `portions` portions to other known executions. */
  copyKnown(portions: number, target: KnownLogs): void {
    this.#reader.copyKnown(portions, target)
  }

  async #run(): Promise<void> {
    const { pollMs, endsMs } = this.#options
    try {
      for (let endsReadAt = -Infinity; !this.#stop.signal.aborted; await pause(pollMs, this.#stop.signal)) {
        const includesEnded = performance.now() - endsReadAt >= endsMs
        if (includesEnded) endsReadAt = performance.now()
        for await (const portion of this.#reader.read(includesEnded)) {
          if (this.#stop.signal.aborted) return
          if (portion.logs.length > 0) await this.#publish(portion)
        }
        if (includesEnded) this.#completeReads++
        // Streams that wait send heartbeats.
        this.#append(this.#portion([], NO_BYTES, this.#reader.position))
      }
    } catch (error) {
      this.#end(error)
    }
  }

  async #publish({ logs, position }: LogPortion): Promise<void> {
    const messages = await runInSlices(toMessages(logs, position))
    const bytes = Buffer.from(messages.map(({ text }) => text).join(''))
    this.#append(this.#portion(messages, bytes, position))
  }

  #portion(logs: readonly FeedLog[], bytes: Buffer, position: number): FeedPortion {
    this.#logCount += logs.length
    return {
      ...{ logs, bytes, position, number: this.#reader.portionCount },
      ...{ logCount: this.#logCount, completeReads: this.#completeReads },
    }
  }

  #append(portion: FeedPortion): void {
    this.#latest = portion
    for (const subscription of this.#subscriptions) subscription.add(portion)
  }

  #end(error: unknown): void {
    this.#onEnd()
    this.#stop.abort()
    for (const subscription of this.#subscriptions) subscription.fail(error)
  }
}

function* toMessages(logs: readonly ReadLog[], position: number): Generator<void, FeedLog[]> {
  const messages: FeedLog[] = []
  for (const log of logs) {
    messages.push({ ...log, text: messageText(String(position), JSON.stringify(presentEntry(log.row))) })
    yield
  }
  return messages
}

/** The place of one stream in the feed of its project. */
export class LogSubscription {
  /** Settles when everything that is stored later will be a part of the feed. */
  readonly ready: Promise<void>
  readonly #feed: LogFeed
  readonly #signal: AbortSignal
  /**
   * Portions that the stream has not received. In a chain of portions, V8 would keep all of them while the first is in
   * its old generation.
   */
  readonly #waiting: FeedPortion[] = []
  #isTooFarBehind = false
  #received: FeedPortion
  #failure: { error: unknown } | undefined
  #wake: (() => void) | undefined

  /** @param received the last portion before the stream began */
  constructor(feed: LogFeed, received: FeedPortion, signal: AbortSignal) {
    this.#feed = feed
    this.#received = received
    this.#signal = signal
    this.ready = feed.ready
    signal.addEventListener('abort', this.#onAbort)
  }

  /** Yields portions until the signal is aborted, or the stream is too far behind. @throws the error of a read */
  async *portions(): AsyncGenerator<FeedPortion> {
    for (;;) {
      if (this.#failure) throw this.#failure.error
      if (this.#signal.aborted || this.#isTooFarBehind) return
      const portion = this.#waiting.shift()
      if (portion) {
        this.#received = portion
        yield portion
      } else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }

  /** Reads of everything that have ended, also those whose portions the stream has not received. */
  get completeReads(): number {
    return this.#feed.completeReads
  }

  /** Adds what the stream has received to other known executions. */
  copyReceived(target: KnownLogs): void {
    this.#feed.copyKnown(this.#received.number, target)
  }

  leave(): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#feed.leave(this)
  }

  /** Adds a portion, unless the stream is too far behind: then its portions end. */
  add(portion: FeedPortion): void {
    this.#isTooFarBehind ||= portion.logCount - this.#received.logCount > BEHIND_MAX
    if (this.#isTooFarBehind) this.#waiting.length = 0
    else {
      // A portion without executions has only a position, and the next one has a later position.
      if (this.#waiting.at(-1)?.logs.length === 0) this.#waiting.pop()
      this.#waiting.push(portion)
    }
    this.#wake?.()
  }

  /** Ends the subscription after a read has failed. */
  fail(error: unknown): void {
    this.#failure = { error }
    this.#wake?.()
  }

  readonly #onAbort = () => this.#wake?.()
}

import type pg from 'pg'
import { removeItem } from '../remove-item.ts'
import { gatherCalls } from './batch.ts'

/**
 * How long a caller waits, also for a round trip that started before: it then reads for itself, on another connection.
 * The connection has more time.
 */
const WAIT_MS_MAX = 500

/**
 * A round trip without a statement: PostgreSQL responds to Sync with ReadyForQuery. Before that it sends the messages
 * of all transactions that had committed when it received Sync: a transaction signals the listeners before its client
 * learns of the commit, and a connection sends the messages it was signalled before it is ready again
 * (`ProcessNotifyInterrupt` in `PostgresMain`).
 */
class RoundTrip implements pg.Submittable {
  #onEnd: ((error: Error | null) => void) | undefined
  readonly #limitMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(limitMs: number, onEnd: (error: Error | null) => void) {
    this.#limitMs = limitMs
    this.#onEnd = onEnd
  }

  submit(connection: pg.Connection): void {
    this.#timer = setTimeout(expire, this.#limitMs, this)
    connection.sync()
  }

  handleReadyForQuery(): void {
    this.#end(null)
  }

  handleError(error: Error): void {
    this.#end(error)
  }

  #end(error: Error | null): void {
    clearTimeout(this.#timer)
    const onEnd = this.#onEnd
    this.#onEnd = undefined
    onEnd?.(error)
  }
}

function expire(trip: RoundTrip): void {
  trip.handleError(new Error('The connection did not respond in time.'))
}

/**
 * Round trips on a connection that listens, which prove that no message is on its way. A call of few callers starts one
 * immediately. Calls during it share the next, which starts after all of them.
 */
export class SharedRoundTrips {
  readonly #client: pg.ClientBase
  readonly #limitMs: number
  readonly #onEnd: (error: Error | null) => void
  /** An array, because V8 links each table that a Set has outgrown to the next one: an old one would keep all calls. */
  #waiting: ((isComplete: boolean) => void)[] = []
  #isPlanned = false
  /** The number of calls of the latest round trip. */
  #previous = 0
  #isClosed = false

  /**
   * @param limitMs how long the connection has for a round trip, before it counts as lost
   * @param onEnd is called after each round trip, before its callers continue
   */
  constructor(client: pg.ClientBase, limitMs: number, onEnd: (error: Error | null) => void) {
    this.#client = client
    this.#limitMs = limitMs
    this.#onEnd = onEnd
  }

  /**
   * Resolves true when all messages of transactions that had committed before the call have been handled; false if the
   * connection is lost, or does not respond within half a second.
   */
  confirm(): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.#isClosed) return resolve(false)
      const settle = (isComplete: boolean) => {
        clearTimeout(timer)
        resolve(isComplete)
      }
      const timer = setTimeout(() => {
        removeItem(this.#waiting, settle)
        resolve(false)
      }, WAIT_MS_MAX)
      this.#waiting.push(settle)
      if (this.#isPlanned) return
      this.#isPlanned = true
      if (this.#previous > 1) this.#plan(0)
      else this.#send()
    })
  }

  close(): void {
    this.#isClosed = true
    for (const settle of this.#waiting) settle(false)
  }

  #plan(previous: number): void {
    this.#isPlanned = true
    gatherCalls(
      previous,
      () => this.#waiting.length,
      () => this.#send(),
    )
  }

  #send(): void {
    if (this.#isClosed) return
    const calls = this.#waiting
    this.#waiting = []
    this.#previous = calls.length
    const trip = new RoundTrip(this.#limitMs, (error) => {
      if (!this.#isClosed) this.#onEnd(error)
      for (const settle of calls) settle(!error && !this.#isClosed)
      this.#isPlanned = false
      if (this.#waiting.length > 0) this.#plan(calls.length)
    })
    this.#client.query(trip)
  }
}

import { type Follower, type Followers, followersOf } from '../shared-signal.ts'
import { EgressError } from './errors.ts'

/** A request that can be stopped. */
export interface StoppableRequest {
  stop(error: EgressError): void
}

/**
 * Limits the time of one request, redirects included, with one timer and at most one listener; both are
 * removed by `end`. The timeouts of the HTTP library limit pauses only, and a server that sends a byte a
 * second makes none.
 */
export class RequestDeadline implements Follower {
  label: string
  position = -1
  #failure: EgressError | undefined
  #current: StoppableRequest | undefined
  readonly #timeoutMs: number
  readonly #timer: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined
  readonly #followers: Followers | undefined
  readonly #onAbort: (() => void) | undefined

  /** @throws EgressError `aborted` if the signal has fired */
  constructor(label: string, timeoutMs: number, signal: AbortSignal | undefined) {
    this.label = label
    // What setTimeout can hold; beyond it would fire at once.
    this.#timeoutMs = Math.min(Math.max(1, timeoutMs), 2 ** 31 - 1)
    if (signal?.aborted) throw aborted(label)
    this.#timer = setTimeout(expire, this.#timeoutMs, this)
    if (!signal) return
    this.#followers = followersOf(signal)
    if (this.#followers) {
      this.#followers.add(this)
      return
    }
    this.#signal = signal
    // Assigned to a property at once, the function and what it refers to would be in the old generation of V8.
    const onAbort = () => this.abort()
    this.#onAbort = onAbort
    signal.addEventListener('abort', onAbort, { once: true })
  }

  /** Sets the request that `stop` aborts. */
  follow(current: StoppableRequest): void {
    this.#current = current
    if (this.#failure) current.stop(this.#failure)
  }

  /** The caller gives up the request. */
  abort(): void {
    this.fail(aborted(this.label))
  }

  fail(error: EgressError): void {
    this.#failure ??= error
    this.#current?.stop(this.#failure)
  }

  /** @throws EgressError if the time is over or the caller has aborted */
  check(): void {
    if (this.#failure) throw this.#failure
  }

  timedOut(): EgressError {
    return new EgressError('timeout', `${this.label}: no complete answer within ${this.#timeoutMs} ms.`)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#followers?.remove(this)
    if (this.#onAbort) this.#signal!.removeEventListener('abort', this.#onAbort)
  }
}

function expire(watch: RequestDeadline): void {
  watch.fail(watch.timedOut())
}

function aborted(label: string): EgressError {
  return new EgressError('aborted', `${label}: the request was given up.`)
}

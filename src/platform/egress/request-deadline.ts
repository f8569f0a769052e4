import { EgressError } from './errors.ts'

/** What can be stopped: the request under way. */
export interface StoppableRequest {
  stop(error: EgressError): void
}

/**
 * Bounds one exchange, redirects included, with one timer and at most one listener, both gone after `end`. The HTTP
 * library's own timeouts watch pauses only, and a server that sends a byte a second makes none.
 */
export class RequestDeadline {
  label: string
  #failure: EgressError | undefined
  #current: StoppableRequest | undefined
  readonly #timeoutMs: number
  readonly #timer: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined
  readonly #onAbort: (() => void) | undefined

  /** @throws EgressError `aborted` when the signal has fired already. */
  constructor(label: string, timeoutMs: number, signal: AbortSignal | undefined) {
    this.label = label
    this.#timeoutMs = Math.min(Math.max(1, timeoutMs), 2 ** 31 - 1) // What setTimeout can hold; beyond it would fire at once.
    if (signal?.aborted) throw aborted(label)
    this.#timer = setTimeout(expire, this.#timeoutMs, this)
    if (!signal) return
    this.#signal = signal
    this.#onAbort = () => this.fail(aborted(this.label))
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** From now on `current` is what is stopped. */
  follow(current: StoppableRequest): void {
    this.#current = current
    if (this.#failure) current.stop(this.#failure)
  }

  fail(error: EgressError): void {
    this.#failure ??= error
    this.#current?.stop(this.#failure)
  }

  /** @throws EgressError when time is up or the caller has given up. */
  check(): void {
    if (this.#failure) throw this.#failure
  }

  timedOut(): EgressError {
    return new EgressError('timeout', `${this.label}: no complete answer within ${this.#timeoutMs} ms.`)
  }

  end(): void {
    clearTimeout(this.#timer)
    if (this.#onAbort) this.#signal!.removeEventListener('abort', this.#onAbort)
  }
}

function expire(watch: RequestDeadline): void {
  watch.fail(watch.timedOut())
}

function aborted(label: string): EgressError {
  return new EgressError('aborted', `${label}: the request was given up.`)
}

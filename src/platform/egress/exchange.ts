import type { Dispatcher } from 'undici'
import { currentTurn } from '../http/turns/request-turns.ts'
import { nextPortion } from '../http/turns/run-in-slices.ts'
import type { ByteLease } from './byte-budget.ts'
import { tooLarge } from './decompress.ts'
import { EgressError } from './errors.ts'
import { IncompleteBodies, SharedBody } from '../shared-body.ts'
import { toEgressError } from './translate-error.ts'
import type { OnBody } from './types.ts'
import type { StoppableRequest, RequestDeadline } from './request-deadline.ts'

export interface RawResponse {
  status: number
  headers: Record<string, string | string[]>
  body: Buffer
}

export const overBudget = (label: string): EgressError =>
  new EgressError(
    'over_budget',
    `${label}: the server has too many large responses in memory, and dropped this one.`,
  )

const empty = Buffer.alloc(0)
const incompleteResponses = new IncompleteBodies()

/**
 * Sends one request, and reads its response into memory, up to `bytesMax`, unless `onBody` reads it.
 * @throws EgressError
 */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: { bytesMax: number; watch: RequestDeadline; lease: ByteLease },
  take?: OnBody,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const reader = new RawResponseReader(options.method, limits, take, resolve, reject)
    limits.watch.follow(reader)
    try {
      dispatcher.dispatch(options, reader)
    } catch (error) {
      // The proxy agent throws, while pools report errors.
      reader.onResponseError(null, error)
    }
  })
}

/**
 * Handles the events of one request. A class for speed: this runs for every tool call, and undici.request
 * would create a stream, a signal listener and several promises that are not needed here.
 */
class RawResponseReader implements Dispatcher.DispatchHandler, StoppableRequest {
  readonly #method: string
  readonly #bytesMax: number
  readonly #label: string
  readonly #lease: ByteLease
  readonly #take: OnBody | undefined
  readonly #resolve: (answer: RawResponse) => void
  readonly #reject: (error: EgressError) => void
  #controller: Dispatcher.DispatchController | undefined
  #failure: EgressError | undefined
  #status = 0
  #headers: Record<string, string | string[]> = {}
  #first: Buffer | undefined
  #more: Buffer[] | undefined
  /** The body of a large JSON response, while it arrives. */
  #shared: SharedBody | undefined
  #bytes = 0
  #taker: ((chunk: Buffer) => boolean) | undefined
  #isDone = false
  readonly #turn = currentTurn()

  constructor(
    method: string,
    { bytesMax, watch, lease }: { bytesMax: number; watch: RequestDeadline; lease: ByteLease },
    take: OnBody | undefined,
    resolve: (answer: RawResponse) => void,
    reject: (error: EgressError) => void,
  ) {
    this.#method = method
    this.#bytesMax = bytesMax
    this.#label = watch.label
    this.#lease = lease
    this.#take = take
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Aborts the request. If it still waits for a connection, it is dropped unsent when its turn comes. */
  stop(error: EgressError): void {
    if (this.#failure || this.#isDone) return
    this.#failure = error
    this.#shared?.close()
    this.#reject(error)
    this.#controller?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#failure) controller.abort(this.#failure)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return // 100, 103: the response follows.
    this.#status = status
    this.#headers = headers as Record<string, string | string[]>
    const hasBody = this.#method !== 'HEAD' && status !== 304
    if (hasBody && Number(headers['content-length'] ?? 0) > this.#bytesMax)
      return this.stop(tooLarge(this.#label, this.#bytesMax))
    if (this.#take && status <= 299 && headers['content-encoding'] === undefined)
      this.#taker = this.#take(status, this.#headers)
    if (hasBody && !this.#taker) this.#shared = SharedBody.reserve(this.#headers, incompleteResponses)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isDone) return
    this.#bytes += chunk.length
    if (this.#bytes > this.#bytesMax) return this.stop(tooLarge(this.#label, this.#bytesMax))
    if (this.#taker) {
      if (!this.#taker(chunk)) return
      this.onResponseEnd()
      controller.abort(new Error('the rest of the response is not needed'))
      return
    }
    if (!this.#lease.add(chunk.length)) return this.stop(overBudget(this.#label))
    if (this.#shared) {
      this.#shared.add(chunk)
      if (!this.#shared.isComplete) this.#pause(controller)
    } else if (!this.#first) this.#first = chunk
    else (this.#more ??= [this.#first]).push(chunk)
  }

  /** Reads the next chunk of a large body when it is the turn of the project: a socket has up to 2 MB at once. */
  #pause(controller: Dispatcher.DispatchController): void {
    const portion = nextPortion(this.#turn)
    if (!portion) return
    controller.pause()
    void portion.then(() => controller.resume())
  }

  onResponseEnd(): void {
    if (this.#failure || this.#isDone) return
    this.#isDone = true
    const body =
      this.#shared?.close() ?? (this.#more ? Buffer.concat(this.#more, this.#bytes) : (this.#first ?? empty))
    this.#resolve({ status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    if (this.#failure || this.#isDone) return
    this.#failure = toEgressError(error, this.#label)
    this.#shared?.close()
    this.#reject(this.#failure)
  }
}

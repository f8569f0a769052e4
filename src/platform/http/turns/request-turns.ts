import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError } from '../api-error.ts'
import { ProjectQueue, type QueuedRequest, type TurnTimer } from './project-queue.ts'

/** The permission of one request to use the process and the database. */
export interface RequestTurn {
  /**
   * Ends the turn while `work` waits for another server, and starts another one afterwards.
   * @param costMs estimates the processor time that the result takes
   */
  whileWaiting<T>(work: Promise<T>, costMs: (result: T) => number): Promise<T>
  /** Counts processor time that the request has used for expensive work. */
  charge(ms: number): void
  /** Lets the next request start. Further calls do nothing. */
  end(): void
}

export interface TurnLimits {
  /** Requests of one project that run while other projects are active. 0 disables turns. */
  perProject: number
  /** Requests of one project that wait. More are rejected. */
  waitingMax: number
}

/** Receives how long a request waited for its turn, and which requests were rejected. */
export interface ObserveTurns {
  waited(seconds: number): void
  rejected(): void
}

export interface RequestTurns {
  /**
   * Starts a request of a project, at once if possible.
   * @param signal is called only if the request has to wait
   * @throws ApiError 429 if too many requests of the project wait, 503 if the wait takes too long
   */
  start(projectId: string, signal: () => AbortSignal, costMs: number): RequestTurn | Promise<RequestTurn>
  count(): { running: number; waiting: number }
}

const WAIT_MAX_MS = 30_000
/** A request that an application has answered must end, so it continues without a turn after this time. */
const RESUME_MAX_MS = 5_000
/** Processor time of one byte of a large request or response: read, checked, parsed, written. */
const COST_MS_PER_BYTE = 15 / (1024 * 1024)
const LARGE_BYTES = 64 * 1024

export const isLargeBody = (bytes: number): boolean => bytes >= LARGE_BYTES

/** Estimates the processor time that a body takes. Small ones count as nothing. */
export const bodyCostMs = (bytes: number): number => (isLargeBody(bytes) ? bytes * COST_MS_PER_BYTE : 0)

const systemTimer: TurnTimer = {
  now: () => performance.now(),
  every(ms, run) {
    const timer = setInterval(run, ms)
    return () => clearInterval(timer)
  },
}

const turns = new AsyncLocalStorage<RequestTurn>()

/** Runs the work of a request. Its waits for other servers end its turn. */
export const runInTurn = <T>(turn: RequestTurn, work: () => T): T => turns.run(turn, work)

/** Awaits the response of another server, without the turn of the running request. */
export function awaitWithoutTurn<T>(work: Promise<T>, costMs: (result: T) => number): Promise<T> {
  const turn = turns.getStore()
  return turn ? turn.whileWaiting(work, costMs) : work
}

/** Runs expensive synchronous work, and counts its processor time for the project of the running request. */
export function runCharged<T>(turn: RequestTurn | undefined, work: () => T): T {
  if (!turn) return work()
  const startedAt = performance.now()
  try {
    return work()
  } finally {
    turn.charge(performance.now() - startedAt)
  }
}

/** Returns the turn of the running request. */
export const currentTurn = (): RequestTurn | undefined => turns.getStore()

/**
 * Divides this process between projects. A project that is alone uses all of it. While several are active, each runs
 * a few requests at a time, and the others wait in turn.
 */
export function createRequestTurns(
  limits: TurnLimits,
  observe?: ObserveTurns,
  timer: TurnTimer = systemTimer,
): RequestTurns {
  const queue = new ProjectQueue(limits, timer)
  return {
    count: () => queue.count(),
    start(projectId, signal, costMs) {
      if (limits.perProject === 0) return UNLIMITED
      const turn = new QueuedTurn(queue, timer, projectId)
      if (queue.tryStart(turn, costMs)) return turn
      if (queue.isFull(projectId)) {
        observe?.rejected()
        throw tooManyWaiting(limits.waitingMax)
      }
      const startedAt = timer.now()
      return turn.waitForStart(signal(), costMs).then(() => {
        observe?.waited((timer.now() - startedAt) / 1_000)
        return turn
      })
    },
  }
}

/** The turn of a server without turns. */
const UNLIMITED: RequestTurn = { whileWaiting: (work) => work, charge: () => {}, end: () => {} }

const tooManyWaiting = (waitingMax: number): ApiError =>
  new ApiError(
    'HTTP_TooManyRequests',
    `${waitingMax} requests of this project already wait for their turn on this server.`,
    { headers: { 'retry-after': '1' } },
  )

class QueuedTurn implements RequestTurn, QueuedRequest {
  readonly projectId: string
  isRunning = false
  startedAt = 0
  #hasEnded = false
  /** Parallel work of one request continues in one turn. */
  #resumption: Promise<void> | undefined
  readonly #queue: ProjectQueue
  readonly #timer: TurnTimer

  constructor(queue: ProjectQueue, timer: TurnTimer, projectId: string) {
    this.#queue = queue
    this.#timer = timer
    this.projectId = projectId
  }

  charge(ms: number): void {
    this.#queue.charge(this.projectId, ms)
  }

  end(): void {
    this.#hasEnded = true
    this.#queue.end(this)
  }

  async whileWaiting<T>(work: Promise<T>, costMs: (result: T) => number): Promise<T> {
    this.#queue.end(this)
    const result = await work
    if (this.isRunning || this.#hasEnded) return result
    const cost = costMs(result)
    if (this.#resumption || !this.#queue.tryStart(this, cost)) await (this.#resumption ??= this.#resume(cost))
    return result
  }

  /** @throws ApiError 503, and 408 when the client disconnects */
  waitForStart(signal: AbortSignal, costMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (run: () => void) => {
        signal.removeEventListener('abort', cancel)
        run()
      }
      const cancel = () => {
        remove()
        settle(() => reject(disconnected()))
      }
      const remove = this.#queue.wait(
        {
          request: this,
          costMs,
          expiresAt: this.#timer.now() + WAIT_MAX_MS,
          start: () => settle(resolve),
          expire: () => settle(() => reject(waitedTooLong())),
        },
        false,
      )
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
    })
  }

  #resume(costMs: number): Promise<void> {
    return new Promise<void>((resolve) => {
      this.#queue.wait(
        {
          request: this,
          costMs,
          expiresAt: this.#timer.now() + RESUME_MAX_MS,
          start: resolve,
          expire: resolve,
        },
        true,
      )
    }).then(() => {
      this.#resumption = undefined
      if (this.#hasEnded) this.#queue.end(this)
    })
  }
}

/** No server error: its response reaches nobody, and it must not be logged as one. */
const disconnected = (): ApiError =>
  new ApiError('HTTP_RequestTimeout', 'The client disconnected while its request waited for its turn.')

const waitedTooLong = (): ApiError =>
  new ApiError(
    'HTTP_ServiceUnavailable',
    `The request waited ${WAIT_MAX_MS / 1_000} s for its turn: too many other requests of this project run.`,
  )

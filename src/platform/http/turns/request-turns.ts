import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError } from '../api-error.ts'
import { ProjectQueue } from './project-queue.ts'
import type { QueuedRequest } from './queued-request.ts'
import { systemTimer, type TurnTimer } from './turn-timer.ts'
import { UNLIMITED } from './unlimited-turn.ts'

/** The permission of one request to use the process and the database. */
export interface RequestTurn {
  readonly projectId: string
  /**
   * Ends the turn while `work` waits for another server, and starts another one afterwards.
   * @param costMs estimates the processor time that the result takes
   */
  whileWaiting<T>(work: Promise<T>, costMs: (result: T) => number): Promise<T>
  /** Whether a request of another project runs now, and not in slices. */
  hasNeighbour(): boolean
  /** Whether another project was active in the last second. */
  isShared(): boolean
  /** Marks the request as one that runs in slices, for which the slices of others need not wait. */
  startSlices(): void
  endSlices(): void
  /** The time in milliseconds, by which work is measured. */
  now(): number
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

/** Receives how long a request waited for its turn, which were rejected, and when projects share the process. */
export interface ObserveTurns {
  waited(seconds: number): void
  rejected(): void
  /** A project starts a request while another one is active. */
  shared?(): void
}

export interface RequestTurns {
  /**
   * Starts a request of a project, at once if possible.
   * @param signal is called only if the request has to wait
   * @param operation the requests of an operation are expected to cost what the latest ones of the project cost
   * @throws ApiError 429 if too many requests of the project wait, 503 if the wait takes too long
   */
  start(
    projectId: string,
    operation: string,
    signal: () => AbortSignal,
    costMs: number,
  ): RequestTurn | Promise<RequestTurn>
  count(): { running: number; waiting: number }
}

const WAIT_MAX_MS = 30_000
/** A request that an application has answered must end, so it continues without a turn after this time. */
const RESUME_MAX_MS = 5_000
/** Processor time of one byte of a large request or response: read, checked, parsed, written. */
const COST_MS_PER_BYTE = 15 / (1024 * 1024)
const LARGE_BYTES = 128 * 1024

export const isLargeBody = (bytes: number): boolean => bytes >= LARGE_BYTES

/** Estimates the processor time that a body takes. Small ones count as nothing. */
export const bodyCostMs = (bytes: number): number => (isLargeBody(bytes) ? bytes * COST_MS_PER_BYTE : 0)

const turns = new AsyncLocalStorage<RequestTurn>()

/** Runs the work of a request. Its waits for other servers end its turn. */
export const runInTurn = <T>(turn: RequestTurn, work: () => T): T => turns.run(turn, work)

/** Awaits the response of another server, without the turn of the running request. */
export function awaitWithoutTurn<T>(work: Promise<T>, costMs: (result: T) => number): Promise<T> {
  const turn = turns.getStore()
  return turn ? turn.whileWaiting(work, costMs) : work
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
  const queue = new ProjectQueue(limits, timer, observe?.shared)
  return {
    count: () => queue.count(),
    start(projectId, operation, signal, bodyCost) {
      if (limits.perProject === 0) return { ...UNLIMITED, projectId }
      const costMs = bodyCost + queue.expectedCost(projectId, operation)
      const turn = new QueuedTurn(queue, timer, { projectId, operation, costMs })
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

const tooManyWaiting = (waitingMax: number): ApiError =>
  new ApiError(
    'HTTP_TooManyRequests',
    `${waitingMax} requests of this project already wait for their turn on this server.`,
    { headers: { 'retry-after': '1' } },
  )

class QueuedTurn implements RequestTurn, QueuedRequest {
  readonly projectId: string
  readonly operation: string
  isRunning = false
  slicedWork = 0
  startedAt = 0
  #hasEnded = false
  /** Measured processor time, in milliseconds. */
  #usedMs = 0
  /** The part of it for which the project rests already, because it was expected. */
  #expectedMs: number
  /** Parallel work of one request continues in one turn. */
  #resumption: Promise<void> | undefined
  readonly #queue: ProjectQueue
  readonly #timer: TurnTimer

  constructor(
    queue: ProjectQueue,
    timer: TurnTimer,
    { projectId, operation, costMs }: { projectId: string; operation: string; costMs: number },
  ) {
    this.#queue = queue
    this.#timer = timer
    this.projectId = projectId
    this.operation = operation
    this.#expectedMs = costMs
  }

  hasNeighbour(): boolean {
    return this.#queue.hasRunningNeighbour(this.projectId)
  }

  isShared(): boolean {
    return this.#queue.hasActiveNeighbour(this.projectId)
  }

  startSlices(): void {
    this.slicedWork++
  }

  endSlices(): void {
    this.slicedWork--
  }

  now(): number {
    return this.#timer.now()
  }

  charge(ms: number): void {
    this.#usedMs += ms
    const excess = this.#usedMs - this.#expectedMs
    if (excess <= 0) return
    this.#expectedMs = this.#usedMs
    this.#queue.charge(this.projectId, excess)
  }

  end(): void {
    if (!this.#hasEnded) this.#queue.learnCost(this, this.#usedMs)
    this.#hasEnded = true
    this.#queue.end(this)
  }

  async whileWaiting<T>(work: Promise<T>, costMs: (result: T) => number): Promise<T> {
    this.#queue.end(this)
    const result = await work
    if (this.isRunning || this.#hasEnded) return result
    const cost = costMs(result)
    this.#expectedMs += cost
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

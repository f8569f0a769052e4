import type { ByteLease } from '../../platform/egress/index.ts'
import type { Clock } from '../../platform/clock.ts'

/**
 * The timed steps: choosing the account, reading a task with a model, refreshing the token before the call, and
 * the requests to the application.
 */
export type TimedStep = 'account' | 'model' | 'credentials' | 'application'

/** Counters of one call. This is the only object of a call that changes while it runs. */
export interface CallTrace {
  /** Milliseconds since the epoch. No two calls of a process have the same. */
  readonly startedAt: number
  /** From `performance.now()`. */
  readonly startedMs: number
  readonly timings: Partial<Record<TimedStep, number>>
  /** Requests to the application, retries included. */
  requests: number
  /** Whether a request may have reached the application. False while no connection was made. */
  wasSent: boolean
  /** Lengths of the bodies. */
  requestBytes: number
  responseBytes: number
  /** Idempotency keys that were made for the call. */
  idempotencyKeys: number
  /** Counts the responses of the call in the budget of the process, until the call ends. */
  lease: ByteLease | undefined
  /** Set when the log row before the first request is being written. */
  startRow: Promise<void> | undefined
}

/** One microsecond, the resolution of the log. */
const DISTINCT_MS = 0.001

/**
 * Returns a function that starts traces. Starts differ by at least a microsecond, so that the log has an order
 * and its pages have an end.
 */
export function createTraceStarter(clock: Clock): () => CallTrace {
  let last = 0
  return () => {
    last = Math.max(clock.now(), last + DISTINCT_MS)
    return newTrace(last)
  }
}

export const newTrace = (startedAt: number): CallTrace => ({
  startedAt,
  startedMs: performance.now(),
  timings: {},
  requests: 0,
  wasSent: false,
  requestBytes: 0,
  responseBytes: 0,
  idempotencyKeys: 0,
  lease: undefined,
  startRow: undefined,
})

export const elapsedMs = ({ startedMs }: CallTrace): number => Math.round(performance.now() - startedMs)

/** Awaits `work` and adds its time to a step. */
export async function timed<T>({ timings }: CallTrace, step: TimedStep, work: Promise<T>): Promise<T> {
  const startedMs = performance.now()
  try {
    return await work
  } finally {
    timings[step] = (timings[step] ?? 0) + performance.now() - startedMs
  }
}

import type { Clock } from '../../platform/clock.ts'
import type { Egress, EgressRequest } from '../../platform/egress/index.ts'

/** The steps that are timed: choosing the account, what a model took to read a task, fresh credentials, and what the application itself took. */
export type Step = 'account' | 'model' | 'credentials' | 'application'

/** What one execution did and how long it took, collected while it runs. */
export interface Trace {
  /** Milliseconds since the epoch; no two executions of a process have the same. */
  startedAt: number
  timings: Partial<Record<Step, number>>
  /** Sent to the application, repetitions included. */
  requests: number
  /** Of the bodies. */
  requestBytes: number
  responseBytes: number
  elapsedMs(): number
}

const DISTINCT_MS = 0.001

/** Makes traces. Starts are microseconds apart at least, so that the log has an order and a page of it an end. */
export function traces(clock: Clock): () => Trace {
  let last = 0
  return () => {
    last = Math.max(clock.now(), last + DISTINCT_MS)
    const began = performance.now()
    return {
      startedAt: last,
      timings: {},
      requests: 0,
      requestBytes: 0,
      responseBytes: 0,
      elapsedMs: () => Math.round(performance.now() - began),
    }
  }
}

/** Does a step and adds its time. */
export async function timed<T>({ timings }: Trace, step: Step, work: Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await work
  } finally {
    timings[step] = (timings[step] ?? 0) + performance.now() - began
  }
}

/**
 * The way out of one execution: every request of its tool is counted, however often steps or code repeat it. `beforeFirst` has ended before
 * anything is sent; if it fails, nothing is.
 */
export function traced(egress: Egress, trace: Trace, beforeFirst?: () => Promise<void>): Egress {
  let ready: Promise<void> | undefined
  return {
    ...egress,
    async send(request: EgressRequest) {
      if (beforeFirst) await (ready ??= beforeFirst())
      trace.requests++
      trace.requestBytes += request.body === undefined ? 0 : Buffer.byteLength(request.body)
      const answer = await timed(trace, 'application', egress.send(counted(request, trace)))
      trace.responseBytes += answer.body.length
      return answer
    },
  }
}

/** A body that is taken while it arrives is counted as it does. */
function counted(request: EgressRequest, trace: Trace): EgressRequest {
  const { take } = request
  if (!take) return request
  return {
    ...request,
    take(status, headers) {
      const taker = take(status, headers)
      return (
        taker &&
        ((chunk) => {
          trace.responseBytes += chunk.length
          return taker(chunk)
        })
      )
    },
  }
}

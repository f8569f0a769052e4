import { ApiError } from '../api-error.ts'
import { runCharged } from './charged-work.ts'
import { currentTurn, type RequestTurn } from './request-turns.ts'
import { SliceQueue } from './slice-queue.ts'

/** While a slice runs, every other request waits. Each of them waits for several slices until it ends. */
const SLICE_MS = 2

export interface SliceOptions {
  /** Stops the work before its next slice. Default: it runs to its end. */
  readonly signal?: AbortSignal
  /** Slices of the project that wait. Work that would start beyond them is rejected. Default: it is never rejected. */
  readonly waitingMax?: number
}

/** Runs work in slices. `work` yields wherever it may be interrupted. */
export type RunInSlices = <T>(work: Generator<void, T>, options?: SliceOptions) => Promise<T>

/** A process needs one queue, so that the slices of all its requests take turns. */
const slices = new SliceQueue()

/** Returns a function that runs work in slices of one queue. A process needs one queue: `runInSlices`. */
export function createSlices(queue = new SliceQueue()): RunInSlices {
  return async (work, { signal, waitingMax = Infinity } = {}) => {
    const turn = currentTurn()
    const projectId = turn?.projectId ?? ''
    if (queue.waiting(projectId) >= waitingMax) throw tooManyWaiting(waitingMax)
    const slice = () => {
      signal?.throwIfAborted()
      return runCharged(() => runSlice(work), turn)
    }
    turn?.startSlices()
    try {
      for (;;) {
        const step = await queue.run(turn, slice)
        if (step.done) return step.value
      }
    } finally {
      turn?.endSlices()
    }
  }
}

/**
 * Runs long synchronous work of a request in slices of two milliseconds, between which the process handles other
 * requests. Projects take turns, and the time is counted for the project of the running request.
 * @throws ApiError 503 when too much work of the project waits already; the reason of the signal when it was aborted
 */
export const runInSlices: RunInSlices = createSlices(slices)

/**
 * Waits for the next slice of the project, for a portion of work that starts after it. Other projects are served first,
 * as between slices. Returns undefined while no other project is active: portions then need not wait.
 */
export function nextPortion(turn: RequestTurn | undefined): Promise<void> | undefined {
  if (!turn?.isShared()) return undefined
  turn.startSlices()
  return slices.run(turn, () => turn.endSlices())
}

function runSlice<T>(work: Generator<void, T>): IteratorResult<void, T> {
  const end = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done || performance.now() >= end) return step
  }
}

const tooManyWaiting = (waitingMax: number): ApiError =>
  new ApiError(
    'HTTP_ServiceUnavailable',
    `The project already has ${waitingMax} requests of this kind waiting. Try again in a few seconds.`,
  )

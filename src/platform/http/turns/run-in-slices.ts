import { createFairTurns } from '../../fair-turns.ts'
import { runCharged } from './charged-work.ts'
import { currentTurn } from './request-turns.ts'

/** While a slice runs, every other request waits. Each of them waits for several slices until it ends. */
const SLICE_MS = 2
/** One queue for the slices of all requests of this process. Those of a project take turns with those of others. */
const takeTurn = createFairTurns(Infinity)
/** The work is bounded by its input and stores nothing, so it is never stopped. */
const { signal: NEVER } = new AbortController()

/**
 * Runs long synchronous work in slices of two milliseconds, between which the process handles other requests. The time
 * is counted for the project of the running request.
 * @param work yields wherever it may be interrupted
 */
export async function runInSlices<T>(work: Generator<void, T>): Promise<T> {
  const turn = currentTurn()
  for (;;) {
    const step = await takeTurn(turn?.projectId ?? '', NEVER, () => runCharged(() => runSlice(work), turn))
    if (step.done) return step.value
  }
}

function runSlice<T>(work: Generator<void, T>): IteratorResult<void, T> {
  const end = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done || performance.now() >= end) return step
  }
}

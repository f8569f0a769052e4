import { ProjectRoundRobin } from '../../project-round-robin.ts'
import { freeUnusedBuffers } from '../../unused-buffers.ts'
import type { RequestTurn } from './request-turns.ts'

/** How long a slice waits for requests of other projects. Slices get a sixth of the thread at least. */
const WAIT_MAX_MS = 10
const CHECK_EVERY_MS = 1

/** What a queue of slices needs, as a dependency that tests replace. */
export interface SliceTimer {
  now(): number
  /** Calls `run` in a later turn of the event loop, after the process has read from the network. */
  nextTurn(run: () => void): void
  /** Calls `run` after some milliseconds. */
  after(ms: number, run: () => void): void
  freeUnusedBuffers(): void
}

const systemSliceTimer: SliceTimer = {
  now: () => performance.now(),
  nextTurn: (run) => void setImmediate(run),
  after: (ms, run) => void setTimeout(run, ms),
  freeUnusedBuffers,
}

/** What a slice needs of the turn of its request. */
export type SliceTurn = Pick<RequestTurn, 'projectId' | 'hasNeighbour' | 'isShared'>

interface Slice {
  readonly turn: SliceTurn | undefined
  run(): void
}

/**
 * The slices of long synchronous work that wait, for all projects of a process. One runs in each turn of the event
 * loop, of each project in turn. Without this, work whose data arrives at the same time runs back to back, and every
 * other request of the process waits for all of it.
 *
 * While a request of another project runs, a slice waits for it, up to 10 ms: such a request needs about eight turns of
 * the event loop, and would wait for a slice in each of them.
 */
export class SliceQueue {
  readonly #slices = new ProjectRoundRobin<Slice>()
  readonly #timer: SliceTimer
  #isRunning = false

  constructor(timer = systemSliceTimer) {
    this.#timer = timer
  }

  /** Returns how many slices of a project wait. */
  waiting(projectId: string): number {
    return this.#slices.waiting(projectId)
  }

  /** Runs a slice of a project when it is its turn. Returns its result, or throws its error. */
  run<T>(turn: SliceTurn | undefined, slice: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = () => {
        try {
          resolve(slice())
        } catch (error) {
          reject(error as Error)
        }
      }
      this.#slices.add(turn?.projectId ?? '', { turn, run })
      if (this.#isRunning) return
      this.#isRunning = true
      this.#timer.nextTurn(() => this.#startNext())
    })
  }

  #startNext(): void {
    const slice = this.#slices.next()
    if (slice) this.#runAfterNeighbours(slice, this.#timer.now() + WAIT_MAX_MS)
    else this.#isRunning = false
  }

  #runAfterNeighbours(slice: Slice, latestAt: number): void {
    if (slice.turn?.hasNeighbour() && this.#timer.now() < latestAt)
      return this.#timer.after(CHECK_EVERY_MS, () => this.#runAfterNeighbours(slice, latestAt))
    slice.run()
    if (slice.turn?.isShared()) this.#timer.freeUnusedBuffers()
    this.#timer.nextTurn(() => this.#startNext())
  }
}

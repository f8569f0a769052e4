import { ProjectRoundRobin } from '../../project-round-robin.ts'

/** Timers have a resolution of a millisecond. */
const REST_MIN_MS = 0.5
/** A slice that the operating system interrupted is no reason to wait for long. */
const REST_MAX_MS = 4

/**
 * The slices of long synchronous work that wait, for all projects of a process. One runs in each turn of the event
 * loop, of each project in turn. Without this, work whose data arrives at the same time runs back to back, and every
 * other request of the process waits for all of it.
 */
export class SliceQueue {
  /** Each returns how long the queue rests after it, in milliseconds. */
  readonly #slices = new ProjectRoundRobin<() => number>()
  #isRunning = false

  /** Returns how many slices of a project wait. */
  waiting(projectId: string): number {
    return this.#slices.waiting(projectId)
  }

  /**
   * Runs a slice of a project when it is its turn. Returns its result, or throws its error.
   * @param hasNeighbour whether a request of another project runs. It needs several turns of the event loop, and would
   * wait for a slice in each of them: the next slice then waits as long as this one took.
   */
  run<T>(projectId: string, slice: () => T, hasNeighbour: () => boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#slices.add(projectId, () => {
        const startedAt = performance.now()
        try {
          resolve(slice())
        } catch (error) {
          reject(error as Error)
        }
        return hasNeighbour() ? performance.now() - startedAt : 0
      })
      if (this.#isRunning) return
      this.#isRunning = true
      setImmediate(() => this.#runNext())
    })
  }

  #runNext(): void {
    const slice = this.#slices.next()
    if (!slice) {
      this.#isRunning = false
      return
    }
    const restMs = slice()
    // The event loop reads from the network before it runs the next one.
    if (restMs < REST_MIN_MS) setImmediate(() => this.#runNext())
    else setTimeout(() => this.#runNext(), Math.min(restMs, REST_MAX_MS))
  }
}

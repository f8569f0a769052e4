import { ProjectRoundRobin } from '../../project-round-robin.ts'

/**
 * The slices of long synchronous work that wait, for all projects of a process. One runs in each turn of the event
 * loop, of each project in turn. Without this, work whose data arrives at the same time runs back to back, and every
 * other request of the process waits for all of it.
 */
export class SliceQueue {
  readonly #slices = new ProjectRoundRobin<() => void>()
  #isRunning = false

  /** Returns how many slices of a project wait. */
  waiting(projectId: string): number {
    return this.#slices.waiting(projectId)
  }

  /** Runs a slice of a project when it is its turn. Returns its result, or throws its error. */
  run<T>(projectId: string, slice: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#slices.add(projectId, () => {
        try {
          resolve(slice())
        } catch (error) {
          reject(error as Error)
        }
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
    slice()
    // The event loop reads from the network before it runs the next one.
    setImmediate(() => this.#runNext())
  }
}

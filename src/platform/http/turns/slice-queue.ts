type Slice = () => void

/**
 * The slices of long synchronous work that wait, for all projects of a process. One runs in each turn of the event
 * loop, of each project in turn. Without this, work whose data arrives at the same time runs back to back, and every
 * other request of the process waits for all of it.
 */
export class SliceQueue {
  /** In the order in which projects run their next slice. */
  readonly #queues = new Map<string, Slice[]>()
  #isRunning = false

  /** Returns how many slices of a project wait. */
  waiting(projectId: string): number {
    return this.#queues.get(projectId)?.length ?? 0
  }

  /** Runs a slice of a project when it is its turn. Returns its result, or throws its error. */
  run<T>(projectId: string, slice: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const slices = this.#queues.get(projectId) ?? []
      slices.push(() => {
        try {
          resolve(slice())
        } catch (error) {
          reject(error as Error)
        }
      })
      this.#queues.set(projectId, slices)
      if (this.#isRunning) return
      this.#isRunning = true
      setImmediate(() => this.#runNext())
    })
  }

  #runNext(): void {
    const [projectId, slices] = this.#queues.entries().next().value ?? []
    if (projectId === undefined || !slices) {
      this.#isRunning = false
      return
    }
    this.#queues.delete(projectId)
    const slice = slices.shift()
    if (slices.length > 0) this.#queues.set(projectId, slices)
    slice?.()
    // The event loop reads from the network before it runs the next one.
    setImmediate(() => this.#runNext())
  }
}

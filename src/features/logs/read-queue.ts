/**
 * The reads of the streams of each project, one after another. Fifty streams that read in the same second would send
 * fifty statements at once, and the process would handle all their rows in one turn of its event loop.
 */
export class ReadQueue {
  /** The latest read of each project, which never rejects. */
  readonly #latest = new Map<string, Promise<void>>()

  /** Runs a read when those of the project that were added before have ended. */
  run<T>(projectId: string, read: () => Promise<T>): Promise<T> {
    const result = (this.#latest.get(projectId) ?? Promise.resolve()).then(read)
    const ended: Promise<void> = result.then(
      () => this.#forget(projectId, ended),
      () => this.#forget(projectId, ended),
    )
    this.#latest.set(projectId, ended)
    return result
  }

  #forget(projectId: string, ended: Promise<void>): void {
    if (this.#latest.get(projectId) === ended) this.#latest.delete(projectId)
  }
}

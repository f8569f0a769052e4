/** Items that wait, for each project in their order. Projects take turns, whatever the number of their items is. */
export class ProjectRoundRobin<T> {
  /** In the order in which projects have their next turn. */
  readonly #queues = new Map<string, T[]>()

  /** Returns how many items of a project wait. */
  waiting(projectId: string): number {
    return this.#queues.get(projectId)?.length ?? 0
  }

  add(projectId: string, item: T): void {
    const items = this.#queues.get(projectId)
    if (items) items.push(item)
    else this.#queues.set(projectId, [item])
  }

  /** Removes and returns the first item of the project that has the next turn. */
  next(): T | undefined {
    const [projectId, items] = this.#queues.entries().next().value ?? []
    if (projectId === undefined || !items) return undefined
    this.#queues.delete(projectId)
    const item = items.shift()
    if (items.length > 0) this.#queues.set(projectId, items)
    return item
  }
}

import { ApiError } from './http/api-error.ts'

/** Work of one owner that waits. More is rejected, so that no caller waits for minutes. */
const WAITING_MAX = 256

type Task = () => void
/**
 * Runs a piece of synchronous work of an owner, such as a project, when it is its turn.
 * @throws ApiError 503 when the owner already has too much work waiting; the reason of the signal when it was aborted
 */
export type TakeTurn = <T>(owner: string, signal: AbortSignal, work: () => T) => Promise<T>

/**
 * Divides the processor time of this process between owners: one piece of work per turn of the event loop, of each
 * owner in turn. Without this, work whose data arrives at the same time runs back to back, and every other request of
 * the process waits for all of it.
 */
export function createFairTurns(waitingMax = WAITING_MAX): TakeTurn {
  /** In the order in which owners have their next turn. */
  const queues = new Map<string, Task[]>()
  let isRunning = false

  function runNext(): void {
    const [owner, tasks] = queues.entries().next().value ?? []
    if (owner === undefined || !tasks) {
      isRunning = false
      return
    }
    queues.delete(owner)
    const task = tasks.shift()
    if (tasks.length > 0) queues.set(owner, tasks)
    task?.()
    // The event loop reads from the network before it runs the next one.
    setImmediate(runNext)
  }

  return (owner, signal, work) =>
    new Promise((resolve, reject) => {
      const tasks = queues.get(owner) ?? []
      if (tasks.length >= waitingMax)
        throw new ApiError(
          'HTTP_ServiceUnavailable',
          `The project already has ${waitingMax} requests of this kind waiting. Try again in a few seconds.`,
        )
      tasks.push(() => {
        try {
          signal.throwIfAborted()
          resolve(work())
        } catch (error) {
          reject(error as Error)
        }
      })
      queues.set(owner, tasks)
      if (isRunning) return
      isRunning = true
      setImmediate(runNext)
    })
}

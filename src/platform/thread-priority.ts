import { setPriority } from 'node:os'

/** A third of the processor time of a thread with the usual priority, if both need all of it. */
const NICENESS = 5

/**
 * Lowers the priority of the calling worker thread, so that the thread that responds to requests does not wait for it.
 * A much lower priority would stop the worker on a busy machine. Only Linux has priorities of threads: elsewhere this
 * would change the priority of the process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICENESS)
  } catch {
    // A sandbox may forbid the call. The thread works with the usual priority.
  }
}

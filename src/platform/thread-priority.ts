import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** A third of the processor time of a thread with the usual priority, if both need all of it. */
const NICENESS = 5
const NICENESS_MAX = 19
const THREADS = '/proc/self/task'
/** The name of each thread with which V8 marks and collects its heap. */
const COLLECTOR = 'V8Worker'

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

/**
 * Lowers the priority of the threads of V8. On few processor cores, the thread that runs the program otherwise waits
 * for a core while four of them mark the heap; with a much lower one it would wait for them (decision 281). Returns
 * their number, which is 0 on systems other than Linux.
 */
export function lowerCollectorPriority(): number {
  const niceness = Math.min(getPriority() + NICENESS, NICENESS_MAX)
  let count = 0
  for (const id of collectorThreads())
    try {
      setPriority(id, niceness)
      count++
    } catch {
      // A sandbox may forbid the call. The thread works with the usual priority.
    }
  return count
}

/** Returns the ids of the threads of V8 in this process. */
export function collectorThreads(): number[] {
  try {
    return readdirSync(THREADS)
      .filter((id) => readFileSync(`${THREADS}/${id}/comm`, 'utf8').trim() === COLLECTOR)
      .map(Number)
  } catch {
    // Not Linux, or a thread ended meanwhile.
    return []
  }
}

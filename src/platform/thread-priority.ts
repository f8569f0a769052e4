import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** The share of processor time next to a thread with the usual priority, if both need all of it: a third, a tenth. */
const NICENESS = { third: 5, tenth: 10 } as const
const NICENESS_MAX = 19
const THREADS = '/proc/self/task'
/** The name of each thread with which V8 marks and collects its heap. */
const COLLECTOR = 'V8Worker'

/**
 * Lowers the priority of the calling worker thread, so that the thread that responds to requests does not wait for it.
 * Processes that it starts inherit the priority. Only Linux has priorities of threads: elsewhere this would change the
 * priority of the process.
 * @param share of a core that a thread with the usual priority needs too. With a much smaller one the worker would stop
 * on a busy machine.
 */
export function lowerThreadPriority(share: keyof typeof NICENESS = 'third'): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICENESS[share])
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
  const niceness = Math.min(getPriority() + NICENESS.third, NICENESS_MAX)
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

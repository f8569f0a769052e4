import { writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/** The highest value: the kernel of Linux ends such a process before all others (proc_pid_oom_score_adj(5)). */
const END_FIRST = '1000'

/** Returns the memory of this machine in bytes, or the limit of the container or control group if that is lower. */
export function machineMemoryBytes(): number {
  // 0 where the system has no such limit.
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/**
 * Makes the kernel of Linux end this process, and not the server, when the memory of the machine or container is used
 * up. Without it the kernel ends the largest process. Does nothing on other systems, and where it is not permitted.
 */
export function endFirstWithoutMemory(pid: number | undefined): void {
  if (process.platform !== 'linux' || pid === undefined) return
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, END_FIRST)
  } catch {
    // The process has just ended, or belongs to another user.
  }
}

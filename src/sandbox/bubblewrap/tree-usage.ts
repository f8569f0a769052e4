import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import { readUsage, type ProcessUsage } from '../watchdog.ts'

/** More processes than a sandbox may have. */
const PROCESSES_MAX = 1_000
/** File systems in memory that code can fill. */
const FOLDERS = ['home/user', 'mnt/files', 'dev/shm']

/**
 * Reads the usage of a process and all its descendants, and the number of files in their file systems. Undefined after
 * the process has ended.
 */
export function readTreeUsage(pid: number): ProcessUsage | undefined {
  const own = readUsage(pid)
  if (!own) return undefined
  const pids = listDescendants(pid)
  const all = pids.flatMap((one) => readUsage(one) ?? [])
  return {
    memoryBytes: all.reduce((sum, { memoryBytes }) => sum + memoryBytes, own.memoryBytes),
    cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, own.cpuSeconds),
    files: countFiles(pids[1] ?? pids[0]),
  }
}

/** Lists the descendants, children before grandchildren. The kernel lists the children of each thread. */
function listDescendants(pid: number): number[] {
  const found: number[] = []
  for (let open = [pid]; open.length && found.length < PROCESSES_MAX;) {
    open = open.flatMap(listChildren)
    found.push(...open)
  }
  return found
}

function listChildren(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    // The process or one of its threads has just ended.
    return []
  }
}

function countFiles(pid: number | undefined): number {
  return FOLDERS.reduce((sum, folder) => {
    try {
      const { files, ffree } = statfsSync(`/proc/${pid}/root/${folder}`)
      return sum + files - ffree
    } catch {
      return sum
    }
  }, 0)
}

import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { SharedMemory } from './shared-memory.ts'

export interface ProcessLimits {
  /** Resident memory. */
  readonly memoryBytesMax: number
  /** Processor time of the whole life of the process, in seconds. */
  readonly cpuSecondsMax: number
  /** Files, folders and links, where the system can count them. */
  readonly filesMax?: number
  /** The memory that it shares with other processes. */
  readonly sharedMemory?: SharedMemory | undefined
}

/** What a sandbox uses. `files`: where the system can count them. */
export interface ProcessUsage {
  readonly memoryBytes: number
  readonly cpuSeconds: number
  readonly files?: number
}

const INTERVAL_MS = 100
const CLOCK_TICKS_PER_SECOND = 100

/**
 * Watches the memory and the processor time of a process (with `read`, of its descendants too), on Linux from `/proc`.
 * Elsewhere only the limits of the process itself and the time limit of each run apply.
 */
export function watchProcess(
  child: ChildProcess,
  { memoryBytesMax, cpuSecondsMax, filesMax = Infinity, sharedMemory }: ProcessLimits,
  stop: (reason: string) => void,
  read: (pid: number) => ProcessUsage | undefined = readUsage,
): void {
  const user = { stop }
  const timer = setInterval(() => {
    const usage = child.pid === undefined ? undefined : read(child.pid)
    if (!usage) return
    if (usage.memoryBytes > memoryBytesMax)
      stop(`the memory limit of ${Math.round(memoryBytesMax / 1_000_000)} MB was exceeded`)
    else if (usage.cpuSeconds > cpuSecondsMax)
      stop(`the processor-time limit of ${cpuSecondsMax} s was exceeded`)
    else if ((usage.files ?? 0) > filesMax) stop(`the limit of ${filesMax} files was exceeded`)
    else sharedMemory?.report(user, usage.memoryBytes)
  }, INTERVAL_MS)
  timer.unref()
  child.once('close', () => {
    clearInterval(timer)
    sharedMemory?.remove(user)
  })
}

/**
 * Reads the usage of a process, with the processor time of its children that have ended, or undefined where the system
 * has no `/proc` or the process has ended.
 */
export function readUsage(pid: number, proc = '/proc'): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`${proc}/${pid}/stat`, 'latin1')
    const status = readFileSync(`${proc}/${pid}/status`, 'latin1')
    // The name of the program is in parentheses and may contain spaces (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, text) => sum + Number(text), 0)
    // `stat` counts pages, which have 4, 16 or 64 KiB on arm64. A process that has ended has no such line.
    const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
    return {
      memoryBytes: kibibytes * 1_024,
      cpuSeconds: ticks / CLOCK_TICKS_PER_SECOND,
    }
  } catch {
    return undefined
  }
}

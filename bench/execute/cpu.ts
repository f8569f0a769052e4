import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10 // USER_HZ is 100 on every Linux that Node runs on

/** Processor time of a process so far, in ms; Linux only, elsewhere 0. */
export function cpuMs(pid: number): number {
  const threads = threadsOf(pid)
  if (threads.length) return threads.reduce((sum, ns) => sum + ns, 0) / 1e6
  const stat = statOf(pid)
  return stat ? (Number(stat[11]) + Number(stat[12])) * TICK_MS : 0
}

/** Processor time of each running thread in ns, where the kernel has it: a tick would be too coarse for few calls. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
  } catch {
    return []
  }
}

/** Of a process and everything it started, still running or ended and waited for. */
export function treeCpuMs(pid: number): number {
  const stat = statOf(pid)
  if (!stat) return 0
  const ended = (Number(stat[13]) + Number(stat[14])) * TICK_MS
  return cpuMs(pid) + ended + childrenOf(pid).reduce((sum, child) => sum + treeCpuMs(child), 0)
}

export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(statOf(Number(name))?.[1]) === pid)
    .map(Number)
}

/** Resident memory of a process in MB; Linux only, elsewhere 0. */
export function residentMb(pid: number): number {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024)
  } catch {
    return 0
  }
}

/** Fields of /proc/<pid>/stat from the state on: the name before them may hold anything. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')
  } catch {
    return undefined
  }
}

import { readdirSync, readFileSync } from 'node:fs'

/** Lists the processes below one, on Linux. */
function descendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [child, ...descendants(child)])
}

/**
 * Megabytes of all processes below one: their proportional set size, which counts pages that processes share once
 * (proc_pid_smaps(5)).
 */
export function megabytesBelow(pid: number): number {
  const kilobytes = descendants(pid).map((one) => {
    const text = readFileSync(`/proc/${one}/smaps_rollup`, 'latin1')
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0)
  })
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1_000
}

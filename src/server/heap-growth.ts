import { PerformanceObserver } from 'node:perf_hooks'
import v8 from 'node:v8'

/**
 * Size of the young generation at which it stops growing: two halves of 16 MB, as in Node.js before version 24. V8
 * would let it grow to 128 MB, and keep them while the process is busy; executions are not faster with them.
 */
const YOUNG_BYTES_MAX = 32 * 2 ** 20

/**
 * Lets the young generation grow with the load, to a limit. The launcher limits it for the start: what a start reads
 * would make it grow, and an idle process would keep it.
 */
export function releaseHeap(): void {
  adjustGrowth()
  // V8 reads the largest size of the young generation before a program can set it, but the factor at each growth. It
  // grows after several collections at the earliest, and shrinks when the process is idle.
  new PerformanceObserver(adjustGrowth).observe({ entryTypes: ['gc'] })
}

let growthFactor = 1

function adjustGrowth(): void {
  const factor = youngGenerationBytes() < YOUNG_BYTES_MAX ? 2 : 1
  if (factor !== growthFactor) v8.setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  growthFactor = factor
}

const youngGenerationBytes = (): number =>
  v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0

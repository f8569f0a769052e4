import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Each read from a socket creates a buffer outside the heap, which is freed when V8 collects the young objects. V8 does
 * so when they fill the heap, which these buffers do not. After 64 MB of them it marks the whole heap instead, in steps
 * of 5 to 10 ms.
 */
const NEW_BYTES_MAX = 16 * 1_024 * 1_024

/** The memory of V8, as a dependency that tests replace. */
export interface BufferMemory {
  /** Bytes of buffers outside the heap, also of those that are not in use any more. */
  bytes(): number
  /** Whether V8 marks the whole heap, in steps. A collection of young objects would do the rest in one step. */
  isMarking(): boolean
  /** Calls `run` when `isMarking` knows of every marking that has started by now. */
  afterNotices(run: () => void): void
  /** Collects young objects that are not in use, and frees their buffers. */
  collect(): void
}

/** Returns a function that frees young buffers that are not in use if many bytes are new. */
export function createBufferCollector(memory: BufferMemory): () => void {
  let bytesMin = Infinity
  let isPlanned = false
  const collect = () => {
    isPlanned = false
    if (memory.isMarking()) return
    memory.collect()
    // V8 subtracts the freed bytes later. Those that stay must not cause another collection.
    bytesMin = memory.bytes()
  }
  return () => {
    const bytes = memory.bytes()
    bytesMin = Math.min(bytesMin, bytes)
    if (isPlanned || bytes - bytesMin < NEW_BYTES_MAX || memory.isMarking()) return
    isPlanned = true
    memory.afterNotices(collect)
  }
}

const { NODE_PERFORMANCE_GC_INCREMENTAL: MARKING_STARTED, NODE_PERFORMANCE_GC_MAJOR: MARKING_ENDED } =
  constants

/** Returns the memory of this process. */
export function openBufferMemory(): BufferMemory {
  setFlagsFromString('--expose-gc')
  // Only a new context has this function.
  const collectGarbage = runInNewContext('gc') as (options: { type: 'minor' }) => void
  let isMarking = false
  new PerformanceObserver((entries) => {
    for (const entry of entries.getEntries()) {
      const { kind } = (entry as PerformanceEntry & { detail: { kind: number } }).detail
      if (kind === MARKING_STARTED) isMarking = true
      else if (kind === MARKING_ENDED) isMarking = false
    }
  }).observe({ entryTypes: ['gc'] })
  return {
    bytes: () => getHeapStatistics().external_memory,
    isMarking: () => isMarking,
    // An observer is called in the second turn after what it observes.
    afterNotices: (run) => void setImmediate(() => setImmediate(run)),
    collect: () => collectGarbage({ type: 'minor' }),
  }
}

let collect: (() => void) | undefined

/** Frees buffers of this process that are not in use if many are new. Otherwise it takes a microsecond. */
export function freeUnusedBuffers(): void {
  collect ??= createBufferCollector(openBufferMemory())
  collect()
}

import { setFlagsFromString } from 'node:v8'

/** The settings of one project apply again when it has been alone for so long. */
const ALONE_MS = 60_000

/** What the switch needs, as a dependency that tests replace. */
export interface HeapRuntime {
  now(): number
  /** Calls `run` after some milliseconds. */
  after(ms: number, run: () => void): void
  /** Sets a flag of V8. */
  setFlag(flag: string): void
}

const systemRuntime: HeapRuntime = {
  now: () => performance.now(),
  after: (ms, run) => void setTimeout(run, ms).unref(),
  setFlag: setFlagsFromString,
}

interface HeapSetting {
  readonly shared: string
  readonly alone: string
}

const SETTINGS: readonly HeapSetting[] = [
  // Eight seconds after a large load, V8 collects garbage to return memory, and compacts the heap in one step of 7 to
  // 61 ms. Without the compaction, the step takes 6 to 10 ms.
  { shared: '--no-memory-reducer-favors-memory', alone: '--memory-reducer-favors-memory' },
  // V8 expects marking to be cheap and starts it again after 8 MB of new old objects and buffers: three times a second
  // during large request bodies, each time 10 ms in one step and 40 in others. 0 lets V8 choose.
  { shared: '--heap-growing-percent=100', alone: '--heap-growing-percent=0' },
]

/**
 * Decides how V8 collects garbage: with short interruptions for the requests of all projects while several are active,
 * otherwise with little memory.
 */
export class SharedHeap {
  #sharedAt = -Infinity
  #isShared = false
  readonly #runtime: HeapRuntime

  constructor(runtime = systemRuntime) {
    this.#runtime = runtime
  }

  /** Prefers short interruptions for a minute. To be called while several projects are active. */
  share(): void {
    this.#sharedAt = this.#runtime.now()
    if (this.#isShared) return
    this.#isShared = true
    for (const { shared } of SETTINGS) this.#runtime.setFlag(shared)
    this.#restoreAfter(ALONE_MS)
  }

  #restoreAfter(ms: number): void {
    this.#runtime.after(ms, () => {
      const remaining = this.#sharedAt + ALONE_MS - this.#runtime.now()
      if (remaining > 0) return this.#restoreAfter(remaining)
      this.#isShared = false
      for (const { alone } of SETTINGS) this.#runtime.setFlag(alone)
    })
  }
}

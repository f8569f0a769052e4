import { setFlagsFromString } from 'node:v8'

/** V8 compacts the heap again when one project has been alone for so long. */
const ALONE_MS = 60_000

/** What the switch needs, as a dependency that tests replace. */
export interface CompactionRuntime {
  now(): number
  /** Calls `run` after some milliseconds. */
  after(ms: number, run: () => void): void
  /** Sets a flag of V8. */
  setFlag(flag: string): void
}

const systemRuntime: CompactionRuntime = {
  now: () => performance.now(),
  after: (ms, run) => void setTimeout(run, ms).unref(),
  setFlag: setFlagsFromString,
}

/**
 * Decides whether V8 compacts the heap when little is allocated. Eight seconds after a large load it collects garbage
 * to return memory, and compacts the heap in one step of 7 to 61 ms, which interrupts the requests of all projects.
 * Without the compaction, the step takes 6 to 10 ms.
 */
export class CompactionSwitch {
  #sharedAt = -Infinity
  #isAvoided = false
  readonly #runtime: CompactionRuntime

  constructor(runtime = systemRuntime) {
    this.#runtime = runtime
  }

  /** Avoids compaction for a minute. To be called while several projects are active. */
  avoid(): void {
    this.#sharedAt = this.#runtime.now()
    if (this.#isAvoided) return
    this.#isAvoided = true
    this.#runtime.setFlag('--no-memory-reducer-favors-memory')
    this.#restoreAfter(ALONE_MS)
  }

  #restoreAfter(ms: number): void {
    this.#runtime.after(ms, () => {
      const remaining = this.#sharedAt + ALONE_MS - this.#runtime.now()
      if (remaining > 0) return this.#restoreAfter(remaining)
      this.#isAvoided = false
      this.#runtime.setFlag('--memory-reducer-favors-memory')
    })
  }
}

import type { JsonObject } from '../../../platform/json-object.ts'

/** Executions that wait for one reader. Processes share the objects between their readers. */
const QUEUE_MAX = 1_000

export interface QueuedExecutions {
  readonly executions: readonly JsonObject[]
  /** How many are missing after those of the list: 0 for none, null if nobody counted them. */
  readonly missed: number | null
}

/**
 * The executions that a reader has not taken yet. When it is full, further ones are counted, until the reader takes
 * those that wait: so the reader learns at which place of its stream how many are missing.
 */
export class ExecutionQueue {
  #executions: JsonObject[] = []
  #missed: number | null = 0

  /** Adds executions, and counts those of which the sender has only their number. */
  push(executions: readonly JsonObject[], missed: number): void {
    const capacity = this.#missed !== 0 ? 0 : QUEUE_MAX - this.#executions.length
    this.#executions.push(...executions.slice(0, capacity))
    const dropped = Math.max(executions.length - capacity, 0) + missed
    if (dropped > 0) this.miss(dropped)
  }

  /** Records that executions are missing; null: that any number of them may be. */
  miss(count: number | null): void {
    this.#missed = this.#missed === null || count === null ? null : this.#missed + count
  }

  /** Returns what the reader has not received, or undefined. */
  take(): QueuedExecutions | undefined {
    const [executions, missed] = [this.#executions, this.#missed]
    if (executions.length === 0 && missed === 0) return undefined
    this.#executions = []
    this.#missed = 0
    return { executions, missed }
  }
}

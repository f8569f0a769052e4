import { MEMORY_BYTES } from './sizes.ts'
import type { LocalDriverOptions, SandboxSize } from './types.ts'

/** What a sandbox needs before code runs in it. */
export const SANDBOX_BYTES_MIN = 250_000_000

/** A sandbox that uses memory. `stop` ends it, with the reason that its session reads. */
export interface MemoryUser {
  stop(reason: string): void
}

/**
 * The memory that all sandboxes of this process may use together. Without this limit, code of a few sessions would fill
 * the memory of the machine or container, and the kernel would end the server.
 */
export class SharedMemory {
  readonly bytesMax: number
  readonly #used = new Map<MemoryUser, number>()

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** The number of sandboxes for which there is memory: at least one. */
  get sandboxesMax(): number {
    return Math.max(1, Math.floor(this.bytesMax / SANDBOX_BYTES_MIN))
  }

  /** Records what a sandbox uses. Stops the largest one if all together use more than they may. */
  report(user: MemoryUser, bytes: number): void {
    this.#used.set(user, bytes)
    let sum = 0
    let largest: MemoryUser = user
    let largestBytes = 0
    for (const [one, used] of this.#used) {
      sum += used
      if (used > largestBytes) [largest, largestBytes] = [one, used]
    }
    if (sum <= this.bytesMax) return
    this.remove(largest)
    largest.stop(
      `all sandboxes of this server together exceeded ${Math.round(this.bytesMax / 1_000_000)} MB of memory, and ` +
        'this one used the most',
    )
  }

  /** A sandbox has ended. */
  remove(user: MemoryUser): void {
    this.#used.delete(user)
  }
}

/** Returns the memory limit of a sandbox of this size, in bytes. */
export const memoryLimit = ({ memory }: Pick<LocalDriverOptions, 'memory'>, size: SandboxSize): number =>
  Math.min(MEMORY_BYTES[size], memory?.bytesMax ?? Infinity)

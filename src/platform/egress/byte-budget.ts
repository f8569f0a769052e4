/** The bytes of one caller that count in a budget. */
export interface ByteLease {
  /** Counts bytes. Returns false, and counts nothing, if the budget has not enough. */
  add(bytes: number): boolean
  /** Gives all counted bytes back. May be called again. */
  release(): void
}

export interface ByteBudget {
  lease(): ByteLease
  /** Whether most of the budget is used: then nothing new may start. */
  isExhausted(): boolean
}

/** Above this part of the budget nothing new starts, so that responses that have begun can end. */
const FULL_AT = 0.75

/** Limits the bytes that all callers of a process have in memory at the same time. */
export function createByteBudget(bytesMax: number): ByteBudget {
  let used = 0
  return {
    isExhausted: () => used >= bytesMax * FULL_AT,
    lease() {
      let leased = 0
      return {
        add(bytes) {
          if (used + bytes > bytesMax) return false
          used += bytes
          leased += bytes
          return true
        },
        release() {
          used -= leased
          leased = 0
        },
      }
    },
  }
}

/** The time in milliseconds, as a dependency that tests replace. */
export interface TurnTimer {
  now(): number
  /** Calls `run` repeatedly until the returned function is called. */
  every(ms: number, run: () => void): () => void
}

export const systemTimer: TurnTimer = {
  now: () => performance.now(),
  every(ms, run) {
    const timer = setInterval(run, ms)
    return () => clearInterval(timer)
  },
}

import { setTimeout as sleep } from 'node:timers/promises'

/** The current time, as a dependency that tests replace. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

/** Waits. Rejects when the signal fires. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export const systemClock: Clock = { now: () => Date.now() }
export const systemWait: Wait = async (ms, signal) => {
  await sleep(ms, undefined, { signal })
}

import { setTimeout as sleep } from 'node:timers/promises'

/** Time as a dependency, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

/** Lets time pass. Rejects as soon as the signal fires. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export const systemClock: Clock = { now: () => Date.now() }
export const systemWait: Wait = async (ms, signal) => {
  await sleep(ms, undefined, { signal })
}

import type { Clock, Wait } from '../../platform/clock.ts'
import { createPauses, type Pauses } from './pauses.ts'
import { createSlots, type Slots } from './slots.ts'

export { TooManyWaiting } from './slots.ts'
export type { Pauses } from './pauses.ts'

/** What executions of a process share on their way to applications. */
export interface Traffic {
  pauses: Pauses
  slots: Slots
  wait: Wait
  /** From 0 up to 1, for jitter. */
  random(): number
}

export interface TrafficOptions {
  clock: Clock
  wait: Wait
  random?: () => number
  /** Servers that share the places of each account. Default: this one alone. */
  replicas?: () => number
  /** Tells the other replicas of a pause. */
  share(projectId: string, key: string, ms: number): void
}

export function createTraffic({
  clock,
  wait,
  random = Math.random,
  replicas,
  share,
}: TrafficOptions): Traffic {
  return { pauses: createPauses(clock, share), slots: createSlots(undefined, replicas), wait, random }
}

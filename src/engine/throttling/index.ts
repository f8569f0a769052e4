import type { Clock, Wait } from '../../platform/clock.ts'
import { type ConcurrencyLimiter, createConcurrencyLimiter } from './concurrency-limiter.ts'
import { type Cooldowns, createCooldowns } from './cooldowns.ts'

export { QueueFullError, type Turn } from './concurrency-limiter.ts'
export type { Cooldowns } from './cooldowns.ts'

/** Limits that all calls of a process share. */
export interface Throttling {
  cooldowns: Cooldowns
  limiter: ConcurrencyLimiter
  wait: Wait
  /** From 0 up to 1, for jitter. */
  random(): number
}

export interface ThrottlingOptions {
  clock: Clock
  wait: Wait
  random?: (() => number) | undefined
  /** The number of servers that divide the limit of each account. Default: 1. */
  replicas?: (() => number) | undefined
  /** Sends a cooldown to the other replicas. */
  share(projectId: string, key: string, ms: number): void
}

export function createThrottling({
  clock,
  wait,
  random = Math.random,
  replicas,
  share,
}: ThrottlingOptions): Throttling {
  return {
    cooldowns: createCooldowns(clock, share),
    limiter: createConcurrencyLimiter(undefined, replicas),
    wait,
    random,
  }
}

import type { JobLimiter } from '../../../platform/leased-queue/index.ts'
import type { AttemptResult } from './attempt.ts'
import type { ClaimedDelivery } from './claim.ts'

/** Requests in progress in this process. */
const RUNNING_MAX = 256
/** Deliveries that are claimed and not started, of all subscriptions and of one. */
const PREFETCHED_MAX = 512
const PREFETCHED_PER_SUBSCRIPTION_MAX = 128
/** With fewer deliveries than this, the next claim starts at once. */
const LOW_WATER_MARK = 256
/** A receiver that responds quickly gets so many more prefetched deliveries after each response, a slow one none. */
const PREFETCH_STEP = 4
const QUICK_MS = 500
/**
 * A claimed row is due again after a minute. One that waited for this long is released: its attempt might end
 * too late.
 */
const WAITING_MS_MAX = 30_000

interface SubscriptionLoad {
  running: number
  prefetch: number
  waiting: { delivery: ClaimedDelivery; since: number }[]
  runningMax: number
}

/** How many deliveries of each subscription are claimed, and how many more than may run at once may be claimed. */
export interface ClaimedPerSubscription {
  ids: string[]
  claimed: number[]
  prefetch: number[]
}

/**
 * Limits concurrent requests: for each subscription as many as it allows, and 256 in total. More deliveries are claimed
 * in advance for receivers that respond quickly.
 */
export class DeliveryLimiter implements JobLimiter<
  ClaimedDelivery,
  Pick<AttemptResult, 'delivered' | 'latency_ms'>
> {
  readonly #now: () => number
  readonly #subscriptions = new Map<string, SubscriptionLoad>()
  #running = 0
  #waiting = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  capacity(): number {
    return Math.max(0, RUNNING_MAX + PREFETCHED_MAX - this.#running - this.#waiting)
  }

  /** Whether no delivery runs or waits. */
  isIdle(): boolean {
    return this.#running + this.#waiting === 0
  }

  isLow(): boolean {
    return this.#running + this.#waiting < LOW_WATER_MARK
  }

  claimed(): ClaimedPerSubscription {
    const entries = [...this.#subscriptions]
    return {
      ids: entries.map(([id]) => id),
      claimed: entries.map(([, load]) => load.running + load.waiting.length),
      prefetch: entries.map(([, load]) => load.prefetch),
    }
  }

  add(delivery: ClaimedDelivery): void {
    const { subscription_id: id, max_at_once: runningMax } = delivery
    let load = this.#subscriptions.get(id)
    if (!load) this.#subscriptions.set(id, (load = { running: 0, prefetch: 0, waiting: [], runningMax }))
    load.runningMax = runningMax
    load.waiting.push({ delivery, since: this.#now() })
    this.#waiting++
  }

  next(): { start: ClaimedDelivery[]; expired: ClaimedDelivery[] } {
    const start: ClaimedDelivery[] = []
    const expired: ClaimedDelivery[] = []
    for (const load of this.#subscriptions.values()) {
      while (load.waiting.length > 0 && load.running < load.runningMax && this.#running < RUNNING_MAX) {
        const { delivery, since } = load.waiting.shift()!
        this.#waiting--
        if (this.#now() - since > WAITING_MS_MAX) {
          expired.push(delivery)
          continue
        }
        load.running++
        this.#running++
        start.push(delivery)
      }
    }
    return { start, expired }
  }

  done(
    { subscription_id: id }: Pick<ClaimedDelivery, 'subscription_id'>,
    result: Pick<AttemptResult, 'delivered' | 'latency_ms'> | undefined,
  ): void {
    const load = this.#subscriptions.get(id)
    if (!load) return
    load.running--
    this.#running--
    const isQuick = result?.delivered === true && result.latency_ms < QUICK_MS
    load.prefetch = isQuick ? Math.min(load.prefetch + PREFETCH_STEP, PREFETCHED_PER_SUBSCRIPTION_MAX) : 0
    if (load.running === 0 && load.waiting.length === 0) this.#subscriptions.delete(id)
  }

  clear(): ClaimedDelivery[] {
    this.#waiting = 0
    return [...this.#subscriptions.values()].flatMap((load) =>
      load.waiting.splice(0).map(({ delivery }) => delivery),
    )
  }
}

import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import {
  createBatchedWriter,
  type LeasedQueue,
  type QueueRunner,
  startQueue,
} from '../../../platform/leased-queue/index.ts'
import { runInProject } from '../../../platform/db/project-scope.ts'
import type { Logger } from '../../../platform/log.ts'
import { type Tracing, traced } from '../../../platform/telemetry/index.ts'
import { attemptDelivery, type AttemptDeps } from './attempt.ts'
import { type ClaimedDelivery, claimDeliveries, releaseDeliveries } from './claim.ts'
import { type EventMessage, EventMessages } from './event-message.ts'
import { DeliveryLimiter } from './limiter.ts'
import { createReceivers, type ReceiverOf } from './receivers.ts'
import { type DeliveryResult, storeResults } from './results.ts'
import { retryDelay } from './retry-schedule.ts'

export interface DeliveryWorkerDeps extends AttemptDeps {
  db: Pool
  encryptor: Encryptor
  log: Logger
  /** Seconds between attempts. Default `RETRY_SECONDS`. */
  retrySeconds?: readonly number[] | undefined
  metrics: DeliveryMetrics
  /** Records each attempt as a trace. */
  tracing?: Tracing | undefined
}

/** Measurements of a process. */
export interface DeliveryMetrics {
  delivered(outcome: 'delivered' | 'failed', latencyMs: number): void
}

/** Finds what no notification announced: retries of another process, and lost notifications. */
const POLL_MS = 5_000
const DRAIN_MS = 4_000
const RESULTS_PER_STATEMENT = 256
/** A retry that is due sooner is claimed on time, a later one by a poll. */
const RETRY_TIMER_SECONDS_MAX = 60
const RETRY_TIMER_MARGIN_MS = 50
const THROTTLE_MS_MIN = 20

/** Delivers due events until it is closed. */
export function startDeliveryWorker(deps: DeliveryWorkerDeps): QueueRunner {
  const limiter = new DeliveryLimiter()
  return startQueue(deliveryQueue(deps, limiter), limiter, { pollMs: POLL_MS, drainMs: DRAIN_MS }, deps.log)
}

function deliveryQueue(
  deps: DeliveryWorkerDeps,
  limiter: DeliveryLimiter,
): LeasedQueue<ClaimedDelivery, DeliveryResult> {
  const { db, log } = deps
  const receiverOf = createReceivers(deps)
  const messages = new EventMessages(deps)
  const write = createBatchedWriter(async (results: readonly DeliveryResult[]) => {
    for (const { id, project_id, disabled_reason } of await storeResults(deps, results))
      log.warn(
        { subscription_id: id, project_id, reason: disabled_reason },
        'a webhook subscription was disabled',
      )
    return results.map(() => undefined)
  }, RESULTS_PER_STATEMENT)
  return {
    name: 'deliveries',
    async claim(limit) {
      const jobs = await claimDeliveries(db, { limit, load: limiter.claimed() })
      // A claim also finds nothing while each subscription has as many requests as it allows.
      if (jobs.length === 0 && limiter.isIdle()) messages.clear()
      const rate = jobs.find(({ max_per_second }) => max_per_second !== null)?.max_per_second
      return { jobs, again: rate ? Math.max(THROTTLE_MS_MIN, 1_000 / rate) : undefined }
    },
    run: (delivery, signal) =>
      traced(deps.tracing, `deliver ${delivery.type}`, deliverySpan(delivery), async (span) => {
        const result = await runInProject(delivery.project_id, () =>
          deliver(deps, delivery, messages.of(delivery), receiverOf, signal),
        )
        span?.set({ 'patchbay.delivered': result.delivered })
        if (!result.delivered) span?.fail(String(result.status ?? 'no_response'))
        return result
      }),
    async write(_delivery, result) {
      await write(result)
      deps.metrics.delivered(result.delivered ? 'delivered' : 'failed', result.latency_ms)
      const isSoon = result.delay_s !== null && result.delay_s > 0 && result.delay_s < RETRY_TIMER_SECONDS_MAX
      return isSoon ? result.delay_s! * 1_000 + RETRY_TIMER_MARGIN_MS : undefined
    },
    release: (jobs) =>
      releaseDeliveries(
        db,
        jobs.map(({ id }) => id),
      ),
    describe: ({ id }) => ({ delivery_id: id }),
  }
}

const deliverySpan = (delivery: ClaimedDelivery) => ({
  isRoot: true,
  attributes: {
    'patchbay.project_id': delivery.project_id,
    'patchbay.delivery_id': delivery.id,
    'patchbay.event_id': delivery.event_id,
    'patchbay.subscription_id': delivery.subscription_id,
    'patchbay.attempt': delivery.attempts + 1,
  },
})

async function deliver(
  deps: DeliveryWorkerDeps,
  delivery: ClaimedDelivery,
  message: EventMessage,
  receiverOf: ReceiverOf,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const number = delivery.attempts + 1
  const { retry_after_s, ...result } = await attemptDelivery(
    deps,
    receiverOf(delivery),
    message,
    number,
    signal,
  )
  const gone = result.status === 410
  const delay =
    result.delivered || gone
      ? undefined
      : retryDelay(number - delivery.round_start, retry_after_s, Math.random, deps.retrySeconds)
  return { id: delivery.id, project_id: delivery.project_id, number, gone, delay_s: delay ?? null, ...result }
}

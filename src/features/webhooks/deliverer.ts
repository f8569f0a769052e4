import { setTimeout as wait } from 'node:timers/promises'
import type { Sealer } from '../../platform/crypto/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import type { Logger } from '../../platform/log.ts'
import { attempt, type AttemptDeps } from './attempt.ts'
import { openPayload } from './emit.ts'
import { type Due, giveBack, type Outcome, record, take } from './queue.ts'
import { nextDelay } from './schedule.ts'
import { openFormer, openSecret } from './secrets.ts'

export interface DelivererDeps extends AttemptDeps {
  db: Pool
  sealer: Sealer
  log: Logger
  /** Waits between attempts. Default `RETRY_SECONDS`. */
  retrySeconds?: readonly number[] | undefined
}

export interface Deliverer {
  /** There may be something to deliver. */
  wake(): void
  /** Takes nothing more; attempts under way may end for some seconds, then they are given back. */
  close(): Promise<void>
}

/** Requests under way in this process, and to one subscription. */
const TOTAL_MAX = 256
const EACH_MAX = 32
/** Retries are due without anybody saying so. */
const POLL_MS = 1_000
const RETRY_MS = 1_000
const DRAIN_MS = 4_000

/** Delivers what is due until it is closed. Attempts run side by side; how they ended is written down together, as many as ended while the statement before was under way. */
export function deliverer(deps: DelivererDeps): Deliverer {
  const { db, log } = deps
  const stopped = new AbortController()
  const cut = new AbortController()
  const under = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let alarm = Promise.withResolvers<void>()
  let outbox: Outcome[] = []
  let flushing: Promise<void> | undefined

  const wake = () => alarm.resolve()

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      alarm = Promise.withResolvers<void>()
      const limit = TOTAL_MAX - running.size
      const busy = new Map([...under].map(([id, count]) => [id, EACH_MAX - count]))
      try {
        const taken = limit > 0 ? await take(db, { limit, room: EACH_MAX, busy }) : []
        for (const due of taken) begin(due)
        if (taken.length > 0 && running.size < TOTAL_MAX) continue
      } catch (error) {
        log.debug({ err: error }, 'deliveries could not be taken; it is tried again')
        await wait(RETRY_MS, undefined, { signal: stopped.signal }).catch(() => {})
        continue
      }
      const timer = setTimeout(wake, POLL_MS)
      await alarm.promise
      clearTimeout(timer)
    }
  }

  function begin(due: Due): void {
    under.set(due.subscription_id, (under.get(due.subscription_id) ?? 0) + 1)
    const one = deliver(due).finally(() => {
      running.delete(one)
      const left = (under.get(due.subscription_id) ?? 1) - 1
      if (left > 0) under.set(due.subscription_id, left)
      else under.delete(due.subscription_id)
      wake()
    })
    running.add(one)
  }

  async function deliver(due: Due): Promise<void> {
    try {
      const outcome = await outcomeOf(deps, due, cut.signal)
      outbox.push(outcome) // Only now: meanwhile the outbox may have become another one.
      await (flushing ??= flush())
    } catch (error) {
      if (cut.signal.aborted) await giveBack(db, [due.id]).catch(() => {})
      else log.error({ err: error, deliveryId: due.id }, 'a delivery could not be made; it is tried again')
    }
  }

  async function flush(): Promise<void> {
    await Promise.resolve() // What ended in the same turn goes along.
    try {
      while (outbox.length > 0) {
        const batch = outbox
        outbox = []
        for (const { id, project_id, disabled_reason } of await record(db, batch)) {
          log.warn({ subscriptionId: id, projectId: project_id, reason: disabled_reason }, 'a webhook subscription was disabled')
        }
      }
    } finally {
      flushing = undefined
    }
  }

  const ended = loop()
  return {
    wake,
    async close() {
      stopped.abort()
      wake()
      await ended
      await Promise.race([Promise.all(running), wait(DRAIN_MS, undefined, { ref: false })])
      cut.abort()
      await Promise.all(running)
    },
  }
}

async function outcomeOf(deps: DelivererDeps, due: Due, signal: AbortSignal): Promise<Outcome> {
  const { sealer } = deps
  const number = due.attempts + 1
  const secrets = [openSecret(sealer, { id: due.subscription_id, secret: due.secret }), ...due.former_secret ? [openFormer(sealer, due.subscription_id, due.former_secret)] : []]
  const payload = due.sealed ? openPayload(sealer, due.event_id, due.sealed) : undefined
  const { retry_after_s, ...answered } = await attempt(deps, { webhook_url: due.webhook_url, version: due.version, secrets }, { ...due, id: due.event_id, payload }, number, signal)
  const gone = answered.status === 410
  const delay = answered.delivered || gone ? undefined : nextDelay(number - due.round_start, retry_after_s, Math.random, deps.retrySeconds)
  return { id: due.id, number, gone, delay_s: delay ?? null, ...answered }
}

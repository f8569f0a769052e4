import { setTimeout as wait } from 'node:timers/promises'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { coalesce } from '../../platform/db/batch.ts'
import type { Pool } from '../../platform/db/sql.ts'
import type { Logger } from '../../platform/log.ts'
import { attempt, type AttemptDeps } from './attempt.ts'
import { openPayload } from '../events/outbox.ts'
import { lanes } from './lanes.ts'
import { type Due, giveBack, type Outcome, record, take } from './queue.ts'
import { type ReceiverOf, receivers } from './receivers.ts'
import { nextDelay } from './schedule.ts'

export interface DelivererDeps extends AttemptDeps {
  db: Pool
  encryptor: Encryptor
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

/** For what nobody announced: retries of another process, and announcements that were lost. */
const POLL_MS = 5_000
const RETRY_MS = 1_000
const DRAIN_MS = 4_000
/** Outcomes that a statement writes down. */
const RECORDED_MAX = 256
/** Answers that wait to be written down: with more, nothing new is sent. */
const UNWRITTEN_MAX = 1_024

/**
 * Delivers what is due until it is closed. What a subscription may have under way is a lane; some more is taken ahead for receivers that are quick. How attempts ended is written down together, as
 * many as ended while the statement before was under way.
 */
export function deliverer(deps: DelivererDeps): Deliverer {
  const { db, log } = deps
  const stopped = new AbortController()
  const cut = new AbortController()
  const running = new Set<Promise<void>>()
  const timers = new Set<NodeJS.Timeout>()
  const receiverOf = receivers(deps.encryptor)
  const ways = lanes()
  let alarm = Promise.withResolvers<void>()

  const wake = () => alarm.resolve()
  const wakeIn = (ms: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      wake()
    }, ms)
    timers.add(timer)
  }
  const write = coalesce<Outcome, undefined>(async (outcomes) => {
    for (const { id, project_id, disabled_reason } of await record(db, outcomes)) {
      log.warn(
        { subscriptionId: id, projectId: project_id, reason: disabled_reason },
        'a webhook subscription was disabled',
      )
    }
    return outcomes.map(() => undefined)
  }, RECORDED_MAX)

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      alarm = Promise.withResolvers<void>()
      const limit = running.size < UNWRITTEN_MAX ? ways.room() : 0
      try {
        const taken = limit > 0 ? await take(db, { limit, lanes: ways.taken() }) : []
        for (const due of taken) ways.add(due)
        send()
        const paced = taken.find(({ max_per_second: rate }) => rate !== null)
        if (paced) wakeIn(Math.max(20, 1_000 / (paced.max_per_second as number)))
        if (taken.length > 0 && ways.room() > 0) continue
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

  function send(): void {
    if (stopped.signal.aborted) return
    const { now, late } = ways.next()
    if (late.length > 0)
      void giveBack(
        db,
        late.map(({ id }) => id),
      ).catch(() => {})
    for (const due of now) {
      const one = deliver(due).finally(() => {
        running.delete(one)
        wake()
      })
      running.add(one)
    }
  }

  async function deliver(due: Due): Promise<void> {
    let outcome: Outcome | undefined
    try {
      outcome = await outcomeOf(deps, due, receiverOf, cut.signal)
    } catch (error) {
      if (!cut.signal.aborted)
        log.error({ err: error, deliveryId: due.id }, 'a delivery could not be made; it is tried again')
    }
    // The place is free now; what is written down holds nobody up.
    ways.done(due, outcome)
    send()
    if (ways.isLow()) wake()
    try {
      if (outcome) await write(outcome)
      else if (cut.signal.aborted) await giveBack(db, [due.id])
      if (outcome?.delay_s && outcome.delay_s < 60) wakeIn(outcome.delay_s * 1_000 + 50)
    } catch (error) {
      log.error({ err: error, deliveryId: due.id }, 'an attempt could not be written down; it is made again')
    }
  }

  const ended = loop()
  return {
    wake,
    async close() {
      stopped.abort()
      wake()
      await ended
      const unsent = ways.empty()
      if (unsent.length > 0)
        await giveBack(
          db,
          unsent.map(({ id }) => id),
        ).catch(() => {})
      await Promise.race([Promise.all(running), wait(DRAIN_MS, undefined, { ref: false })])
      cut.abort()
      await Promise.all(running)
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

async function outcomeOf(
  deps: DelivererDeps,
  due: Due,
  receiverOf: ReceiverOf,
  signal: AbortSignal,
): Promise<Outcome> {
  const number = due.attempts + 1
  const payload = due.encrypted_payload ? openPayload(deps.encryptor, due.event_id, due.encrypted_payload) : undefined
  const { retry_after_s, ...answered } = await attempt(
    deps,
    receiverOf(due),
    { ...due, id: due.event_id, payload },
    number,
    signal,
  )
  const gone = answered.status === 410
  const delay =
    answered.delivered || gone
      ? undefined
      : nextDelay(number - due.round_start, retry_after_s, Math.random, deps.retrySeconds)
  return { id: due.id, number, gone, delay_s: delay ?? null, ...answered }
}

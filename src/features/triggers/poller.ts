import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from '../../platform/db/sql.ts'
import type { Logger } from '../../platform/log.ts'
import { type Ended, type PollDeps, pollDue } from './poll-due.ts'
import { type Due, giveBack, giveUp, type Outcome, record, standing, take } from './poll-store.ts'
import { tell } from './tell.ts'

/** What a process measures of its polls. */
export interface PollMetrics {
  polled(toolkit: string, outcome: 'ok' | 'failed', lagSeconds: number): void
  standing(now: { stalled: number; lag_s: number }): void
}

export interface PollerDeps extends PollDeps {
  db: Pool
  log: Logger
  metrics: PollMetrics
}

export interface Poller {
  /** Takes nothing more; polls under way may end for some seconds, then they are given back. */
  close(): Promise<void>
}

/** Polls under way in this process, and of one project. */
const TOTAL_MAX = 256
const EACH_MAX = 128
/** Of one project in one go, so that none waits for all of another's. */
const ROOM = 32
const LOOK_MS = 500
const RETRY_MS = 1_000
const DRAIN_MS = 4_000
const STANDING_MS = 30_000
const LATE_S = 60

/** Somebody else has taken the instance meanwhile, or it was disabled: what came of this poll is nobody's any more. */
class Lost extends Error {}

/** Makes the polls that are due until it is closed. They run side by side; those that found nothing are written down together, as many as ended while the statement before was under way. */
export function poller(deps: PollerDeps): Poller {
  const { db, log, metrics, encryptor } = deps
  const stopped = new AbortController()
  const cut = new AbortController()
  const under = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let alarm = Promise.withResolvers<void>()
  let outbox: Outcome[] = []
  let flushing: Promise<void> | undefined
  let lookedAt = -Infinity

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      alarm = Promise.withResolvers<void>()
      const limit = TOTAL_MAX - running.size
      const busy = new Map([...under].map(([id, count]) => [id, Math.max(0, EACH_MAX - count)]))
      try {
        const taken = limit > 0 ? await take(db, { limit, room: ROOM, busy }) : []
        for (const due of taken) start(due)
        await look()
        if (taken.length > 0 && running.size < TOTAL_MAX) continue
      } catch (error) {
        log.debug({ err: error }, 'due polls could not be taken; it is tried again')
        await wait(RETRY_MS, undefined, { signal: stopped.signal }).catch(() => {})
        continue
      }
      const timer = setTimeout(alarm.resolve, LOOK_MS)
      await alarm.promise
      clearTimeout(timer)
    }
  }

  /** How polling stands, from time to time. */
  async function look(): Promise<void> {
    if (performance.now() - lookedAt < STANDING_MS) return
    lookedAt = performance.now()
    const now = await standing(db)
    metrics.standing(now)
    if (now.lag_s >= LATE_S)
      log.warn(now, 'triggers are polled late; another process with ROLE=work takes a share')
  }

  function start(due: Due): void {
    under.set(due.project_id, (under.get(due.project_id) ?? 0) + 1)
    const one = poll(due).finally(() => {
      running.delete(one)
      const left = (under.get(due.project_id) ?? 1) - 1
      if (left > 0) under.set(due.project_id, left)
      else under.delete(due.project_id)
      // Only who could take nothing has waited for this.
      if (running.size === TOTAL_MAX - 1) alarm.resolve()
    })
    running.add(one)
  }

  async function poll(due: Due): Promise<void> {
    try {
      const ended = await pollDue(deps, due, cut.signal)
      await write(due, ended)
      metrics.polled(due.toolkit_slug, ended.outcome.ok ? 'ok' : 'failed', due.lag_s)
    } catch (error) {
      if (cut.signal.aborted) await giveBack(db, [due]).catch(() => {})
      else if (!(error instanceof Lost))
        log.error({ err: error, triggerId: due.id }, 'a trigger could not be polled; it is tried again')
    }
  }

  /** Cursor and events are one transaction, and only of who still holds the instance. */
  async function write(due: Due, { outcome, events, hopeless }: Ended): Promise<void> {
    if (hopeless) {
      if ((await giveUp(db, due, outcome.log?.message ?? '')) > 0)
        log.warn(
          { triggerId: due.id, projectId: due.project_id },
          'a trigger was disabled: polling it has failed for too long',
        )
      return
    }
    if (events.length === 0) {
      outbox.push(outcome)
      await (flushing ??= flush())
      return
    }
    await db.begin(async (tx) => {
      if (!(await record(tx, [outcome])).includes(due.id)) throw new Lost()
      await tell(tx, encryptor, due, events)
    })
  }

  async function flush(): Promise<void> {
    await Promise.resolve() // What ended in the same turn goes along.
    try {
      while (outbox.length > 0) {
        const batch = outbox
        outbox = []
        await record(db, batch)
      }
    } finally {
      flushing = undefined
    }
  }

  const ended = loop()
  return {
    async close() {
      stopped.abort()
      alarm.resolve()
      await ended
      await Promise.race([Promise.all(running), wait(DRAIN_MS, undefined, { ref: false })])
      cut.abort()
      await Promise.all(running)
    },
  }
}

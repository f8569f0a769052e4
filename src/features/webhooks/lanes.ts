import type { Due } from './queue.ts'

/** Requests under way in this process. */
const RUNNING_MAX = 256
/** What is taken and not sent yet, of all subscriptions and of one. */
const AHEAD_MAX = 512
const AHEAD_EACH_MAX = 128
/** With less than this in hand, more is taken. */
const LOW = 256
/** More for every quick answer, nothing after a slow one. */
const STEP = 4
const QUICK_MS = 500
/** A taken row is due again for others after a minute: what has waited for this long is given back, because its attempt might end too late. */
const WAITED_MAX_MS = 30_000

interface Lane {
  running: number
  ahead: number
  waiting: { due: Due; since: number }[]
  max: number
}

/** How many deliveries of each subscription are taken, and how many may be taken beyond those that may run. */
export interface Taken {
  ids: string[]
  taken: number[]
  ahead: number[]
}

/** Who is under way to which subscription, and who waits for a place: as many as the subscription allows, and 256 altogether. */
export function lanes(now: () => number = () => performance.now()) {
  const all = new Map<string, Lane>()
  let running = 0
  let waiting = 0

  return {
    /** How many more may be taken. */
    room: (): number => Math.max(0, RUNNING_MAX + AHEAD_MAX - running - waiting),
    isLow: (): boolean => running + waiting < LOW,
    taken(): Taken {
      const lanes = [...all]
      return {
        ids: lanes.map(([id]) => id),
        taken: lanes.map(([, lane]) => lane.running + lane.waiting.length),
        ahead: lanes.map(([, lane]) => lane.ahead),
      }
    },
    add(due: Due): void {
      let lane = all.get(due.subscription_id)
      if (!lane)
        all.set(due.subscription_id, (lane = { running: 0, ahead: 0, waiting: [], max: due.max_at_once }))
      lane.max = due.max_at_once
      lane.waiting.push({ due, since: now() })
      waiting++
    },
    /** Who may be sent now, oldest first in each lane, and who has waited for too long. */
    next(): { now: Due[]; late: Due[] } {
      const [chosen, late]: [Due[], Due[]] = [[], []]
      for (const lane of all.values()) {
        while (lane.waiting.length > 0 && lane.running < lane.max && running < RUNNING_MAX) {
          const { due, since } = lane.waiting.shift()!
          waiting--
          if (now() - since > WAITED_MAX_MS) {
            late.push(due)
            continue
          }
          lane.running++
          running++
          chosen.push(due)
        }
      }
      return { now: chosen, late }
    },
    done(
      { subscription_id: id }: Due,
      outcome: { delivered: boolean; latency_ms: number } | undefined,
    ): void {
      const lane = all.get(id)
      if (!lane) return
      lane.running--
      running--
      lane.ahead =
        outcome?.delivered && outcome.latency_ms < QUICK_MS ? Math.min(lane.ahead + STEP, AHEAD_EACH_MAX) : 0
      if (lane.running === 0 && lane.waiting.length === 0) all.delete(id)
    },
    /** Nothing waits any more. */
    empty(): Due[] {
      waiting = 0
      return [...all.values()].flatMap((lane) => lane.waiting.splice(0).map(({ due }) => due))
    },
  }
}

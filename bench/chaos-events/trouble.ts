import { setTimeout as wait } from 'node:timers/promises'
import type { Server } from '../chaos-refresh/server.ts'
import type { Application } from './application.ts'
import type { Receiver } from './receiver.ts'
import type { Feeds } from './set-up.ts'

const TICK_MS = 100
const LOOK_MS = 1_000
const TOLD_EVERY_MS = 15_000

/** Returns a function that emits an event of each feed in turn. */
export function emitterOf(application: Application, { polled, pushed }: Feeds): () => void {
  const emitters = [
    ...polled.map((feed) => () => application.add(feed)),
    ...pushed.map((feed) => () => application.deliver(feed)),
  ]
  let count = 0
  return () => emitters[count++ % emitters.length]?.()
}

/** Spreads events evenly over the time and the feeds. */
export async function emitAll(
  application: Application,
  feeds: Feeds,
  { events, seconds }: { events: number; seconds: number },
): Promise<void> {
  const emitNext = emitterOf(application, feeds)
  const startedAt = performance.now()
  for (let done = 0; done < events;) {
    const due = Math.min(events, Math.ceil(((performance.now() - startedAt) / (seconds * 1_000)) * events))
    for (; done < due; done++) emitNext()
    await wait(TICK_MS)
  }
}

/**
 * Kills a process now and then, and restarts PostgreSQL so many times, evenly over the time. One of each kind
 * stays up.
 */
export async function harm(
  processes: readonly Server[],
  { everySeconds, seconds, random }: { everySeconds: number; seconds: number; random: () => number },
  database: { times: number; restart(): Promise<void> },
): Promise<{ kills: number; restarts: number }> {
  const untilMs = performance.now() + seconds * 1_000
  let [kills, restarts] = [0, 0]
  async function killing(): Promise<void> {
    for (;;) {
      await wait(everySeconds * 2_000 * random())
      if (performance.now() > untilMs) return
      const victim = processes[Math.floor(random() * processes.length)]
      if (victim?.url === undefined) continue
      victim.kill()
      kills++
    }
  }
  async function restarting(): Promise<void> {
    for (let n = 0; n < database.times; n++) {
      await wait((seconds * 1_000) / (database.times + 1))
      await database.restart()
      restarts++
    }
  }
  await Promise.all([killing(), restarting()])
  await Promise.all(processes.map((one) => one.ready()))
  return { kills, restarts }
}

/** Waits until every receiver has every event. */
export async function settled(
  application: Application,
  receivers: readonly Receiver[],
  seconds: number,
  progress: (left: number) => void,
): Promise<boolean> {
  const untilMs = performance.now() + seconds * 1_000
  const all = [...application.counts().values()].reduce((sum, count) => sum + count, 0)
  for (let toldAt = performance.now(); performance.now() < untilMs; await wait(LOOK_MS)) {
    const left = receivers.reduce((sum, { seen }) => sum + all - seen.received, 0)
    if (left === 0) return true
    if (performance.now() - toldAt < TOLD_EVERY_MS) continue
    toldAt = performance.now()
    progress(left)
  }
  return false
}

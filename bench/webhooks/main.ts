import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from '../../src/platform/db/sql.ts'
import { cpuMs, residentMb, treeCpuMs } from '../execute/cpu.ts'
import { describeMachine, median, quantile } from '../figures.ts'
import { raise, type Stage } from './stage.ts'

// How many webhooks one process delivers in comparison with a bare undici loop that posts to the same
// receiver, how long an event takes to its receiver, and what a backlog costs in memory.
//
//   npm run bench:webhooks                            deliveries a second, then latency at 500 events a second
//   npm run bench:webhooks -- --quick                 the same with fewer deliveries, in about a minute
//   npm run bench:webhooks -- --warm-up 100000        with so many deliveries of each process before the measured ones
//   npm run bench:webhooks -- --backlog 500000        and the memory of the process with so many deliveries waiting

const { values: flags } = parseArgs({
  options: {
    deliveries: { type: 'string' },
    'warm-up': { type: 'string' },
    rounds: { type: 'string' },
    subscriptions: { type: 'string', default: '4' },
    seconds: { type: 'string' },
    'per-second': { type: 'string', default: '500' },
    backlog: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
/** A new process costs the same for each delivery after about 40,000 of them: until then, V8 compiles. */
const FULL = { deliveries: '20000', 'warm-up': '40000', rounds: '5', seconds: '20', backlog: '50000' }
/** Without the memory of a backlog, which takes most of the time. */
const QUICK = { deliveries: '4000', 'warm-up': '2000', rounds: '3', seconds: '5', backlog: '0' }
const options = { ...(flags.quick ? QUICK : FULL), ...flags }
const TARGETS = { ratio: 0.5, us: 130, postgresUs: 80, p50Ms: 20, p99Ms: 100, growthMb: 60 }
const EACH_MAX = 32
const PER_SECOND = Number(options['per-second'])
const SAMPLE_MS = 500

const say = (text: string) => {
  if (!options.json) process.stdout.write(`${text}\n`)
}
const mark = (fits: boolean) => (fits ? 'met' : 'missed')
const settled = async ({ db }: Stage) => {
  while (await db.one(sql`select 1 from webhook_deliveries where status = 'pending' limit 1`)) await wait(200)
}

interface Round {
  bare: { perSecond: number; us: number }
  ours: { perSecond: number; us: number; postgresUs: number }
  ratio: number
}

/** Posts `count` requests with the bare loop. */
async function postBare({ bare, receiver }: Stage, count: number): Promise<Round['bare']> {
  const before = cpuMs(bare.pid)
  await receiver.ask({ expect: count })
  const ended = receiver.next<{ ms: number }>()
  await bare.ask({ count })
  return {
    perSecond: (count / (await ended).ms) * 1_000,
    us: ((cpuMs(bare.pid) - before) / count) * 1_000,
  }
}

/** Delivers a backlog with a new process. What it delivers until it is warm is not counted. */
async function deliverBacklog(stage: Stage, subscriptions: number, count: number): Promise<Round['ours']> {
  const warmUp = Number(options['warm-up'])
  const events = Math.ceil((warmUp + count) / subscriptions)
  const total = events * subscriptions
  const measured = total - warmUp
  await stage.publish(events)
  await stage.receiver.ask({ expect: total, warmUp })
  const warm = stage.receiver.next<object>()
  const worker = await stage.worker()
  await warm
  const ended = stage.receiver.next<{ ms: number }>()
  const [started, postgres] = [cpuMs(worker.pid), treeCpuMs(stage.postgresPid)]
  const { ms } = await ended
  await settled(stage)
  const ours = {
    perSecond: (measured / ms) * 1_000,
    us: ((cpuMs(worker.pid) - started) / measured) * 1_000,
    postgresUs: ((treeCpuMs(stage.postgresPid) - postgres) / measured) * 1_000,
  }
  await worker.stop()
  return ours
}

/**
 * Rounds of the bare loop and of the deliverer in turns: a backlog is there before the process that delivers
 * it starts.
 */
async function throughput(stage: Stage, subscriptions: number) {
  const count = Number(options.deliveries)
  await postBare(stage, count)
  const rounds: Round[] = []
  for (let round = 0; round < Number(options.rounds); round++) {
    const bare = await postBare(stage, count)
    const ours = await deliverBacklog(stage, subscriptions, count)
    rounds.push({ bare, ours, ratio: ours.perSecond / bare.perSecond })
    sayRound(`round ${round + 1}`, { bare, ours, ratio: ours.perSecond / bare.perSecond })
  }
  const medianOf = (read: (round: Round) => number) => median(rounds.map(read))
  const ratio = medianOf((one) => one.ratio)
  sayRound('medians', {
    bare: { perSecond: medianOf(({ bare }) => bare.perSecond), us: medianOf(({ bare }) => bare.us) },
    ours: {
      perSecond: medianOf(({ ours }) => ours.perSecond),
      us: medianOf(({ ours }) => ours.us),
      postgresUs: medianOf(({ ours }) => ours.postgresUs),
    },
    ratio,
  })
  const us = Math.min(...rounds.map(({ ours }) => ours.us))
  const postgresUs = Math.min(...rounds.map(({ ours }) => ours.postgresUs))
  say(
    `\n  deliveries / bare loop             ${ratio.toFixed(2)}   (target ≥ ${TARGETS.ratio}: ` +
      `${mark(ratio >= TARGETS.ratio)})\n  processor time of a delivery, minimum of the rounds: ` +
      `${us.toFixed(0)} µs (target ≤ ${TARGETS.us}: ${mark(us <= TARGETS.us)}) + PostgreSQL ` +
      `${postgresUs.toFixed(0)} µs (target ≤ ${TARGETS.postgresUs}: ${mark(postgresUs <= TARGETS.postgresUs)})\n`,
  )
  return { ratio, us, postgresUs, rounds }
}

const sayRound = (name: string, { bare, ours, ratio }: Round) =>
  say(
    `  ${name}   bare ${bare.perSecond.toFixed(0)}/s (${bare.us.toFixed(0)} µs)   delivered ` +
      `${ours.perSecond.toFixed(0)}/s (${ours.us.toFixed(0)} µs, PostgreSQL ` +
      `${ours.postgresUs.toFixed(0)} µs)   ${ratio.toFixed(2)}`,
  )

/**
 * Events are published one a transaction, at an even rate, for one subscription. The receiver compares its
 * clock with the time in the event.
 */
async function latency(stage: Stage) {
  const others = sql`update webhook_subscriptions set disabled_reason = 'gone', disabled_at = now()
      where id <> (select min(id) from webhook_subscriptions)`
  await stage.db.run(others)
  const worker = await stage.worker()
  try {
    for (let n = 0; n < PER_SECOND; n++) await stage.publish(1)
    await settled(stage)
    await stage.receiver.ask({ expect: Infinity })
    const startedAt = performance.now()
    const under = new Set<Promise<void>>()
    for (let n = 0; n < Number(options.seconds) * PER_SECOND; n++) {
      const early = startedAt + (n * 1_000) / PER_SECOND - performance.now()
      if (early > 1) await wait(early)
      const one: Promise<void> = stage.publish(1, true).finally(() => under.delete(one))
      under.add(one)
    }
    await Promise.all(under)
    const elapsedMs = performance.now() - startedAt
    await settled(stage)
    const { latencies } = await stage.receiver.ask<{ latencies: number[] }>({ latencies: true })
    const figures = {
      perSecond: ((Number(options.seconds) * PER_SECOND) / elapsedMs) * 1_000,
      deliveries: latencies.length,
      p50Ms: median(latencies),
      p99Ms: quantile(latencies, 0.99),
    }
    say(
      `  event to delivery, ${figures.perSecond.toFixed(0)} events/s   p50 ${figures.p50Ms.toFixed(1)} ` +
        `ms (target ≤ ${TARGETS.p50Ms}: ${mark(figures.p50Ms <= TARGETS.p50Ms)})   p99 ` +
        `${figures.p99Ms.toFixed(1)} ms (target ≤ ${TARGETS.p99Ms}: ` +
        `${mark(figures.p99Ms <= TARGETS.p99Ms)})\n`,
    )
    return figures
  } finally {
    await worker.stop()
    await stage.db.run(sql`update webhook_subscriptions set disabled_reason = null, disabled_at = null`)
  }
}

/** Resident memory of the process that delivers a backlog, compared with one that has none. */
async function memory(stage: Stage, subscriptions: number) {
  const idle = await stage.worker()
  await wait(SAMPLE_MS * 4)
  const before = residentMb(idle.pid)
  await idle.stop()
  await stage.publish(Math.ceil(Number(options.backlog) / subscriptions))
  const count = Math.ceil(Number(options.backlog) / subscriptions) * subscriptions
  await stage.receiver.ask({ expect: count })
  let done = false
  const ended = stage.receiver.next<{ ms: number }>().then(({ ms }) => {
    done = true
    return ms
  })
  const worker = await stage.worker()
  const seen: number[] = []
  while (!done) {
    await wait(SAMPLE_MS)
    seen.push(residentMb(worker.pid))
  }
  const ms = await ended
  await settled(stage)
  const after = residentMb(worker.pid)
  await worker.stop()
  // A process that has just begun to work grows until its collector has seen some of it: a tenth of the way in, it has.
  const warm = seen[Math.floor(seen.length / 10)] ?? before
  const growth = Math.max(after, seen.at(-1) ?? 0) - warm
  say(
    `  backlog of ${count}: ${((count / ms) * 1_000).toFixed(0)}/s; resident ${before} MB idle, ${warm} ` +
      `MB after a tenth of it, ${Math.max(...seen)} MB at most, ${after} MB at the end (growth ≤ ` +
      `${TARGETS.growthMb} MB: ${mark(growth <= TARGETS.growthMb)})\n`,
  )
  return {
    count,
    perSecond: (count / ms) * 1_000,
    beforeMb: before,
    warmMb: warm,
    mostMb: Math.max(...seen),
    afterMb: after,
    growthMb: growth,
  }
}

const subscriptions = Number(options.subscriptions)
say(
  `\n  webhooks of one process compared with a bare undici loop, ${subscriptions * EACH_MAX} requests at ` +
    `once\n  ${describeMachine()}\n`,
)
const stage = await raise(subscriptions, subscriptions * EACH_MAX)
try {
  const delivered = Number(options.rounds) > 0 ? await throughput(stage, subscriptions) : undefined
  const late = Number(options.seconds) > 0 ? await latency(stage) : undefined
  const backlog = Number(options.backlog) > 0 ? await memory(stage, subscriptions) : undefined
  say(
    `  load of the machine ${loadavg()
      .map((one) => one.toFixed(1))
      .join(' ')}\n`,
  )
  if (options.json)
    process.stdout.write(
      `${JSON.stringify({ cores: availableParallelism(), load: loadavg()[0], delivered, latency: late, backlog })}\n`,
    )
  const fits =
    (delivered?.ratio ?? 1) >= TARGETS.ratio &&
    (late?.p50Ms ?? 0) <= TARGETS.p50Ms &&
    (late?.p99Ms ?? 0) <= TARGETS.p99Ms &&
    (backlog?.growthMb ?? 0) <= TARGETS.growthMb
  process.exitCode = fits ? 0 : 1
} finally {
  await stage.stop()
}

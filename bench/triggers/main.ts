import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { cpuMs, residentMb, treeCpuMs } from '../execute/cpu.ts'
import { startPart, startProduct } from '../execute/processes.ts'

// Ten thousand triggers on one process, polled every minute against an application that answers at once: does
// it fall behind?
//
//   npm run bench:triggers
//   npm run bench:triggers -- --instances 2000 --minutes 2

const { values: options } = parseArgs({
  options: { instances: { type: 'string', default: '10000' }, minutes: { type: 'string', default: '3' } },
})
const [INSTANCES, MINUTES] = [Number(options.instances), Number(options.minutes)]
const NAMES = 20
const AT_ONCE = 32
const LAG_MAX_S = 5
const say = (text: string) => process.stdout.write(`${text}\n`)

const upstream = await startPart('../triggers/upstream.ts', '5000', String(NAMES))
const product = await startProduct({})
try {
  const call = async <T>(path: string, body?: unknown): Promise<T> => {
    const reply = await fetch(`${product.url}/api/v3.1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': product.key, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as T
  }
  const { auth_config: config } = await call<{ auth_config: { id: string } }>('/auth_configs', {
    toolkit: { slug: 'nodered' },
    auth_config: { type: 'use_custom_auth', authScheme: 'BEARER_TOKEN', credentials: {} },
  })
  const startedAt = performance.now()
  const users = Array.from({ length: Math.ceil(INSTANCES / NAMES) }, (_, n) => n)
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let user = users.pop(); user !== undefined; user = users.pop()) {
        const { id } = await call<{ id: string }>('/connected_accounts', {
          auth_config: { id: config.id },
          connection: {
            user_id: `u-${user}`,
            state: {
              authScheme: 'BEARER_TOKEN',
              val: { token: 'token-of-the-bench', server_url: upstream.url },
            },
          },
        })
        for (let name = 0; name < NAMES; name++)
          await call('/trigger_instances/NODERED_FLOW_ADDED/upsert', {
            connected_account_id: id,
            trigger_config: { interval: 1, flow_name: `Flow ${name}` },
          })
      }
    }),
  )
  say(
    `\n  ${INSTANCES} triggers made in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s (each ` +
      `after one request to the application), ${residentMb(product.pid)} MB resident`,
  )
  await wait(60_000)
  const look = async () => ({
    at: performance.now(),
    cpu: cpuMs(product.pid),
    postgres: treeCpuMs(product.postgresPid),
    asked: ((await (await fetch(`${upstream.url}/asked`)).json()) as { asked: number }).asked,
    metrics: await (await fetch(`${product.url}/metrics`)).text(),
  })
  let [before, peak] = [await look(), 0]
  for (let minute = 1; minute <= MINUTES; minute++) {
    const from = before
    for (let second = 0; second < 60; second += 5) {
      await wait(5_000)
      peak = Math.max(peak, residentMb(product.pid))
    }
    const to = await look()
    const seconds = (to.at - from.at) / 1_000
    const polls = counted(to.metrics) - counted(from.metrics)
    say(
      `  minute ${minute}: ${(polls / seconds).toFixed(0)} polls/s of ${(INSTANCES / 60).toFixed(0)} ` +
        `due, lag p50 ${quantile(from.metrics, to.metrics, 0.5)} s, p99 ` +
        `${quantile(from.metrics, to.metrics, 0.99)} s, processor time of a poll ` +
        `${((to.cpu - from.cpu) / polls).toFixed(2)} ms + ` +
        `${((to.postgres - from.postgres) / polls).toFixed(2)} ms in PostgreSQL, ` +
        `${residentMb(product.pid)} MB`,
    )
    before = to
  }
  const { total_items: events } = await call<{ total_items: number }>('/events?limit=1')
  const [item] = (
    await call<{ items: { state: { lag_seconds: number } }[] }>('/trigger_instances/active?limit=1')
  ).items
  const behind = Number(/^patchbay_trigger_lag_seconds ([\d.e+-]+)$/m.exec(before.metrics)?.[1])
  const met = behind <= LAG_MAX_S
  say(
    `  ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}; ${events} events told; at most ` +
      `${peak} MB; the latest is late by ${behind.toFixed(1)} s, one of them by ${item?.state.lag_seconds} ` +
      `s   (target: not falling behind, ≤ ${LAG_MAX_S} s: ${met ? 'met' : 'missed'})\n`,
  )
  process.exitCode = met ? 0 : 1
} finally {
  await product.stop()
  upstream.stop()
}

function counted(metrics: string): number {
  return [...metrics.matchAll(/^patchbay_trigger_polls_total\{[^}]*\} (\d+)$/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  )
}

/** From the buckets of the histogram: no more than so many seconds. */
function quantile(before: string, after: string, share: number): string {
  const buckets = (text: string) =>
    new Map(
      [...text.matchAll(/^patchbay_trigger_poll_lag_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm)].map(
        ([, le, n]) => [le as string, Number(n)],
      ),
    )
  const [from, to] = [buckets(before), buckets(after)]
  const total = (to.get('+Inf') ?? 0) - (from.get('+Inf') ?? 0)
  for (const [le, n] of to) if (n - (from.get(le) ?? 0) >= share * total) return `≤ ${le}`
  return '?'
}

import { setTimeout as wait } from 'node:timers/promises'
import { Agent } from 'undici'
import { queryOnce } from '../../src/platform/db/check.ts'
import { runningUrl } from '../../src/platform/db/embedded/index.ts'
import type { Application } from '../chaos-events/application.ts'
import type { Receiver } from '../chaos-events/receiver.ts'
import type { Feeds } from '../chaos-events/set-up.ts'
import { settled } from '../chaos-events/trouble.ts'
import { execute } from '../chaos-refresh/callers.ts'
import { cpuMs, treeCpuMs } from '../execute/cpu.ts'
import type { Product } from '../execute/processes.ts'

/** Processor time of one operation, in microseconds. */
export interface Cost {
  server_us: number
  postgres_us: number
}

export interface Figures {
  date: string
  machine: string
  node: string
  /** Load of the machine, over the last minute. */
  load: number
  costs: { execution: Cost; token_refresh: Cost; event_and_delivery: Cost; poll: Cost }
  /** Bytes of one row with its part of the indexes. */
  row_bytes: Record<string, number>
}

export interface Subject {
  product: Product
  application: Application
  receiver: Receiver
  users: readonly string[]
  addFeeds(): Promise<Feeds>
  counts: { executions: number; events: number }
}

const CALLERS = 16
const IDLE_MS = 20_000
const POLLING_MS = 60_000
const SETTLE_SECONDS = 300
const EVENTS_PER_TICK = 50
const TICK_MS = 50
const TABLES = [
  'connected_accounts',
  'provider_requests',
  'tool_executions',
  'trigger_instances',
  'trigger_polls',
  'trigger_logs',
  'events',
  'webhook_deliveries',
  'webhook_attempts',
]

interface Snapshot {
  server: number
  postgres: number
}

export async function measureAll(subject: Subject): Promise<Pick<Figures, 'costs' | 'row_bytes'>> {
  const { product, users, counts } = subject
  const dispatcher = new Agent({ connections: CALLERS })
  const executeAll = async (times: number) => {
    let next = 0
    const caller = async () => {
      for (let n = next++; n < times; n = next++) {
        const why = await execute(dispatcher, product.url, product.key, users[n % users.length] ?? '')
        if (why) throw new Error(`A call failed: ${why}`)
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, caller))
  }
  // Warms up the code with half of the accounts; the other half still has expired tokens.
  const half = Math.floor(users.length / 2)
  await executeAll(half)
  const withRefresh = await costOf(product, half, async () => {
    const rest = users.slice(half)
    await Promise.all(
      Array.from({ length: CALLERS }, async (_, caller) => {
        for (let n = caller; n < rest.length; n += CALLERS)
          await execute(dispatcher, product.url, product.key, rest[n] ?? '')
      }),
    )
  })
  await executeAll(counts.executions / 4)
  const execution = await costOf(product, counts.executions, () => executeAll(counts.executions))
  await dispatcher.close()
  const { poll, event_and_delivery } = await measureEvents(subject)
  const token_refresh = minus(withRefresh, execution)
  return {
    costs: { execution, token_refresh, event_and_delivery, poll },
    row_bytes: await rowBytes(await runningUrl(product.directory)),
  }
}

async function measureEvents(subject: Subject): Promise<{ poll: Cost; event_and_delivery: Cost }> {
  const { product, application, receiver, counts } = subject
  const idle = await perMillisecond(product, IDLE_MS)
  const feeds = await subject.addFeeds()
  const polling = await perMillisecond(product, POLLING_MS)
  // Each feed is polled once a minute.
  const polls = (feeds.polled.length * POLLING_MS) / 60_000
  const poll = {
    server_us: microseconds((polling.server - idle.server) * POLLING_MS, polls),
    postgres_us: microseconds((polling.postgres - idle.postgres) * POLLING_MS, polls),
  }
  const startedAt = performance.now()
  const before = snapshot(product)
  for (let sent = 0; sent < counts.events; sent++) {
    application.deliver(feeds.pushed[sent % feeds.pushed.length] ?? '')
    if (sent % EVENTS_PER_TICK === 0) await wait(TICK_MS)
  }
  if (!(await settled(application, [receiver], SETTLE_SECONDS, () => {})))
    throw new Error(`The events were not delivered within ${SETTLE_SECONDS} s.`)
  const ms = performance.now() - startedAt
  const after = snapshot(product)
  const event_and_delivery = {
    server_us: microseconds(after.server - before.server - polling.server * ms, counts.events),
    postgres_us: microseconds(after.postgres - before.postgres - polling.postgres * ms, counts.events),
  }
  return { poll, event_and_delivery }
}

async function costOf(product: Product, count: number, work: () => Promise<void>): Promise<Cost> {
  const before = snapshot(product)
  await work()
  const after = snapshot(product)
  return {
    server_us: microseconds(after.server - before.server, count),
    postgres_us: microseconds(after.postgres - before.postgres, count),
  }
}

/** Processor time that the server and PostgreSQL use per millisecond. */
async function perMillisecond(product: Product, ms: number): Promise<Snapshot> {
  const [startedAt, before] = [performance.now(), snapshot(product)]
  await wait(ms)
  const [passed, after] = [performance.now() - startedAt, snapshot(product)]
  return {
    server: (after.server - before.server) / passed,
    postgres: (after.postgres - before.postgres) / passed,
  }
}

const snapshot = ({ pid, postgresPid }: Product): Snapshot => ({
  server: cpuMs(pid),
  postgres: treeCpuMs(postgresPid),
})

const microseconds = (ms: number, count: number): number => Math.max(0, Math.round((ms * 1_000) / count))

const minus = (a: Cost, b: Cost): Cost => ({
  server_us: Math.max(0, a.server_us - b.server_us),
  postgres_us: Math.max(0, a.postgres_us - b.postgres_us),
})

async function rowBytes(url: string): Promise<Record<string, number>> {
  const bytes: Record<string, number> = {}
  for (const table of TABLES) {
    const [row] = await queryOnce<{ bytes: number | null }>(
      url,
      // The function has no rows for a table that is not partitioned.
      `select (coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree('${table}')),
        pg_total_relation_size('${table}')) / nullif(count(*), 0))::int as bytes from ${table}`,
      60_000,
    )
    if (row?.bytes) bytes[table] = row.bytes
  }
  return bytes
}

import { setTimeout as wait } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { PatroniNode } from './patroni-node.ts'

const LOOK_MS = 50
const PRIMARY_MS = 90_000

export type FaultKind = 'switchover' | 'kill'

/** One change of the primary. */
export interface Fault {
  kind: FaultKind
  from: string
  to: string
  /** When it began, and when another node said that it is the primary; of the clock `performance`. */
  atMs: number
  primaryAtMs: number
}

/**
 * Changes the primary so many times, by a switchover and by SIGKILL in turn. Each time the cluster is healthy before,
 * and the load has run for some seconds.
 */
export async function injectFaults(
  cluster: Cluster,
  { faults, betweenSeconds, downSeconds }: { faults: number; betweenSeconds: number; downSeconds: number },
  report: (fault: Fault) => void,
): Promise<Fault[]> {
  const done: Fault[] = []
  for (let n = 0; n < faults; n++) {
    await cluster.healthy()
    await wait(betweenSeconds * 1_000)
    const from = await cluster.primary()
    if (!from) throw new Error('The cluster has no primary although nothing happened to it.')
    const fault = await (n % 2 === 0 ? switchOver(cluster, from) : kill(cluster, from, downSeconds))
    done.push(fault)
    report(fault)
  }
  await cluster.healthy()
  await wait(betweenSeconds * 1_000)
  return done
}

async function switchOver(cluster: Cluster, from: PatroniNode): Promise<Fault> {
  const atMs = performance.now()
  // Patroni responds once the switchover has ended; the new primary works before that.
  const response = cluster.switchOver(from)
  const [to] = await Promise.all([waitForOther(cluster, from), response])
  return { kind: 'switchover', from: from.name, to: to.name, atMs, primaryAtMs: to.atMs }
}

async function kill(cluster: Cluster, from: PatroniNode, downSeconds: number): Promise<Fault> {
  const atMs = performance.now()
  await from.kill()
  const to = await waitForOther(cluster, from)
  await wait(downSeconds * 1_000)
  from.start()
  return { kind: 'kill', from: from.name, to: to.name, atMs, primaryAtMs: to.atMs }
}

async function waitForOther(cluster: Cluster, from: PatroniNode): Promise<{ name: string; atMs: number }> {
  const untilMs = performance.now() + PRIMARY_MS
  for (; performance.now() < untilMs; await wait(LOOK_MS)) {
    const primary = await cluster.primary()
    if (primary && primary !== from) return { name: primary.name, atMs: performance.now() }
  }
  throw new Error(`No other node was the primary within ${PRIMARY_MS / 1_000} s.`)
}

import { getCACertificates } from 'node:tls'
import type { buildConnector as Connectors } from 'undici'
import { deniedAddressError, type AddressGuard } from './address-guard.ts'
import { portOf } from './request-url.ts'
import type { EgressStats } from './types.ts'
import { loadUndici, type Pool } from './undici.ts'

export interface PoolOptions {
  connectTimeoutMs: number
  maxConnectionsPerOrigin: number
  ca: string | undefined
}

export interface Pools {
  /** Returns the connections to the origin of a URL. */
  poolFor(target: URL): Pool
  close(): Promise<void>
  stats(): EgressStats
}

const originsMax = 512
const keepAliveMs = 4_000
const keepAliveMaxMs = 60_000 // Limits what a server offers.
// How long each address of a name is tried before the next one. Node's default of 250 ms is too short for
// distant hosts.
const addressTimeoutMs = 1_000

/**
 * Keeps one pool for each origin: HTTP/1.1, one request at a time on a connection. Every connection passes
 * the guard. Above 512 origins, the least recently used idle pools are closed.
 */
export function createPools(guard: AddressGuard, options: PoolOptions): Pools {
  const entries = new Map<string, { pool: Pool; used: number }>()
  let clock = 0 // Counts uses: cheaper than the time, and only the order matters.
  return {
    poolFor(target) {
      const origin = target.origin
      let entry = entries.get(origin)
      if (!entry) {
        if (entries.size >= originsMax) evict(entries)
        entries.set(origin, (entry = { pool: makePool(target, guard, options), used: 0 }))
      }
      entry.used = ++clock
      return entry.pool
    },
    async close() {
      await Promise.all([...entries.values()].map(({ pool }) => pool.close()))
    },
    stats() {
      const total = { origins: entries.size, connections: 0, running: 0, waiting: 0 }
      for (const {
        pool: { stats },
      } of entries.values()) {
        total.connections += stats.connected
        total.running += stats.running
        total.waiting += stats.pending
      }
      return total
    },
  }
}

function makePool(target: URL, guard: AddressGuard, options: PoolOptions): Pool {
  const undici = loadUndici()
  return new undici.Pool(target.origin, {
    connections: options.maxConnectionsPerOrigin,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMaxMs,
    connect: guardedConnector(target, guard, options),
  })
}

/**
 * Connects to one origin, to allowed addresses only. An IP address in a URL is never looked up, hence the
 * second check.
 */
function guardedConnector(target: URL, guard: AddressGuard, options: PoolOptions): Connectors.connector {
  const { hostname } = target
  const port = portOf(target)
  const connect = loadUndici().buildConnector(connectOptions(guard, hostname, port, options))
  if (!guard.deniesLiteral(hostname, port)) return connect
  return (_options, callback) => {
    process.nextTick(callback, deniedAddressError(), null)
  }
}

/** Returns the options for undici, `net.connect` and `tls.connect`. */
export function connectOptions(
  guard: AddressGuard,
  hostname: string,
  port: number,
  options: PoolOptions,
): Connectors.BuildOptions {
  return {
    allowH2: false,
    timeout: options.connectTimeoutMs,
    lookup: guard.lookupFor(hostname, port),
    autoSelectFamilyAttemptTimeout: addressTimeoutMs,
    ...(options.ca === undefined ? {} : { ca: [...getCACertificates('default'), options.ca] }),
  } as Connectors.BuildOptions
}

function evict(entries: Map<string, { pool: Pool; used: number }>): void {
  let oldest: string | undefined
  let oldestUse = Infinity
  for (const [origin, { pool, used }] of entries) {
    if (used < oldestUse && pool.stats.size === 0) {
      oldest = origin
      oldestUse = used
    }
  }
  if (oldest === undefined) return
  void entries.get(oldest)!.pool.close()
  entries.delete(oldest)
}

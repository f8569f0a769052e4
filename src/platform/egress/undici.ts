import { createRequire } from 'node:module'
import type * as undici from 'undici'

// The parts of undici that requests need, by their files. Its index loads all others too (fetch, WebSocket, caches,
// mocks): 0.8 MB of sources in every process. The version is pinned, and requests fail if a file has another name.
const load = createRequire(import.meta.url)

export type Pool = undici.Pool
export type ProxyAgent = undici.ProxyAgent

type Library = Pick<typeof undici, 'Pool' | 'ProxyAgent' | 'buildConnector'>
let library: Library | undefined

/** Returns the library of outgoing requests, loaded by the first one or after the start: 34 modules, in 15 ms. */
export const loadUndici = (): Library => (library ??= loadParts())

function loadParts(): Library {
  // As its index does: the agent of proxies uses `connect` of this interface.
  const { prototype } = load('undici/lib/dispatcher/dispatcher.js') as typeof undici.Dispatcher
  Object.assign(prototype, load('undici/lib/api/index.js'))
  return {
    Pool: load('undici/lib/dispatcher/pool.js') as typeof undici.Pool,
    ProxyAgent: load('undici/lib/dispatcher/proxy-agent.js') as typeof undici.ProxyAgent,
    buildConnector: load('undici/lib/core/connect.js') as typeof undici.buildConnector,
  }
}

import { createRequire } from 'node:module'
import type * as undici from 'undici'

// The parts of undici that requests need, by their files. Its index loads all others too (fetch, WebSocket, caches,
// mocks): 0.8 MB of sources in every process. The version is pinned, and a start fails if a file has another name.
const load = createRequire(import.meta.url)

// As its index does: the agent of proxies uses `connect` of this interface.
const { prototype } = load('undici/lib/dispatcher/dispatcher.js') as typeof undici.Dispatcher
Object.assign(prototype, load('undici/lib/api/index.js'))

export const Pool = load('undici/lib/dispatcher/pool.js') as typeof undici.Pool
export const ProxyAgent = load('undici/lib/dispatcher/proxy-agent.js') as typeof undici.ProxyAgent
export const buildConnector = load('undici/lib/core/connect.js') as typeof undici.buildConnector

export type Pool = undici.Pool
export type ProxyAgent = undici.ProxyAgent

import type { Dispatcher } from 'undici'
import { deniedAddressError, type AddressGuard } from './address-guard.ts'
import { connectOptions, type PoolOptions } from './pools.ts'
import { portOf, parseRequestUrl } from './request-url.ts'
import type { EgressProxy } from './types.ts'
import { loadUndici, type ProxyAgent } from './undici.ts'

export interface Proxies {
  /** @throws EgressError, or the error of a denied address, if the proxy or the target must not be reached */
  agentFor(proxy: EgressProxy, target: URL): Dispatcher
  count(): number
  close(): Promise<void>
}

const proxiesMax = 64

/**
 * Keeps one agent for each proxy and key. The address of the proxy passes the guard. Only the proxy knows
 * what the name of a target resolves to; a target that is itself a denied address is rejected in any case.
 */
export function createProxies(guard: AddressGuard, options: PoolOptions): Proxies {
  const agents = new Map<string, ProxyAgent>()
  return {
    agentFor(proxy, target) {
      if (guard.deniesLiteral(target.hostname, portOf(target))) throw deniedAddressError()
      const key = `${proxy.url}\n${proxy.authKey ?? ''}`
      const agent = agents.get(key) ?? makeAgent(proxy, guard, options)
      agents.delete(key) // Moves it to the end: the first entry is the least recently used.
      agents.set(key, agent)
      if (agents.size > proxiesMax) closeFirst(agents)
      return agent
    },
    count: () => agents.size,
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.close()))
    },
  }
}

function makeAgent(proxy: EgressProxy, guard: AddressGuard, options: PoolOptions): ProxyAgent {
  const { url, token } = proxyOf(proxy)
  const port = portOf(url)
  if (guard.deniesLiteral(url.hostname, port)) throw deniedAddressError()
  const proxyTls = connectOptions(guard, url.hostname, port, options)
  const { lookup: _lookup, ...requestTls } = proxyTls as { lookup?: unknown } // The tunnel exists already.
  const undici = loadUndici()
  return new undici.ProxyAgent({
    uri: url.href,
    ...(token === undefined ? {} : { token }),
    connections: options.maxConnectionsPerOrigin,
    connectTimeout: options.connectTimeoutMs,
    pipelining: 1,
    allowH2: false,
    proxyTls,
    // A proxy that accepts a connection and then sends nothing would otherwise hold the tunnel for five
    // minutes.
    clientFactory: (origin, poolOptions) =>
      new undici.Pool(origin, { ...poolOptions, headersTimeout: options.connectTimeoutMs }),
    requestTls: requestTls as typeof proxyTls,
  })
}

/** @throws EgressError `refused_url` if it is not an http or https URL */
function proxyOf({ url, authKey }: EgressProxy): { url: URL; token: string | undefined } {
  const parsed = URL.parse(url)
  const { username = '', password = '' } = parsed ?? {}
  // Credentials are allowed in the URL of a proxy, and are removed from it here.
  if (parsed) parsed.username = parsed.password = ''
  const clean = parseRequestUrl(parsed ?? '', 'the proxy')
  if (authKey) return { url: clean, token: authKey.includes(' ') ? authKey : `Bearer ${authKey}` }
  if (username === '' && password === '') return { url: clean, token: undefined }
  return {
    url: clean,
    token: `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // The password contains a bare %.
  }
}

/** Closes the least recently used agent after its requests have ended. */
function closeFirst(agents: Map<string, ProxyAgent>): void {
  const [key, agent] = agents.entries().next().value!
  agents.delete(key)
  void agent.close()
}

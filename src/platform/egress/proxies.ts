import { Pool, ProxyAgent, type Dispatcher } from 'undici'
import { deniedAddressError, type AddressGuard } from './address-guard.ts'
import { connectOptions, type PoolOptions } from './pools.ts'
import { portOf, parseRequestUrl } from './request-url.ts'
import type { EgressProxy } from './types.ts'

export interface Proxies {
  /** @throws EgressError or a guard's refusal, when the proxy or the target may not be reached. */
  agentFor(proxy: EgressProxy, target: URL): Dispatcher
  count(): number
  close(): Promise<void>
}

const proxiesMax = 64

/**
 * One agent a proxy and key. The proxy's own address passes the guard. What a target's name resolves to, only the proxy
 * knows; targets that name a closed address themselves are refused all the same, whatever the proxy would do.
 */
export function createProxies(guard: AddressGuard, options: PoolOptions): Proxies {
  const agents = new Map<string, ProxyAgent>()
  return {
    agentFor(proxy, target) {
      if (guard.deniesLiteral(target.hostname, portOf(target))) throw deniedAddressError()
      const key = `${proxy.url}\n${proxy.authKey ?? ''}`
      const agent = agents.get(key) ?? makeAgent(proxy, guard, options)
      agents.delete(key) // To the end of the map: the first one is the least recently used.
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
  const { lookup: _lookup, ...requestTls } = proxyTls as { lookup?: unknown } // The tunnel is there already.
  return new ProxyAgent({
    uri: url.href,
    ...(token === undefined ? {} : { token }),
    connections: options.maxConnectionsPerOrigin,
    connectTimeout: options.connectTimeoutMs,
    pipelining: 1,
    allowH2: false,
    proxyTls,
    // A proxy that accepts a connection and then says nothing would otherwise hold the tunnel for five minutes.
    clientFactory: (origin, poolOptions) =>
      new Pool(origin, { ...poolOptions, headersTimeout: options.connectTimeoutMs }),
    requestTls: requestTls as typeof proxyTls,
  })
}

/** @throws EgressError `refused_url` for what is not an http or https URL. */
function proxyOf({ url, authKey }: EgressProxy): { url: URL; token: string | undefined } {
  const parsed = URL.parse(url)
  const { username = '', password = '' } = parsed ?? {}
  if (parsed) parsed.username = parsed.password = '' // Of a proxy's URL they are allowed, and kept out of it from here on.
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
    return text // A bare % in a password.
  }
}

/** Requests under way on it are let finish. */
function closeFirst(agents: Map<string, ProxyAgent>): void {
  const [key, agent] = agents.entries().next().value!
  agents.delete(key)
  void agent.close()
}

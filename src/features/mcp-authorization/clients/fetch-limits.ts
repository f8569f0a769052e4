import { createCache } from '../../../platform/cache.ts'
import { OAuthRequestError } from '../oauth-error.ts'

const RUNNING_MAX = 20
const RUNNING_PER_HOST_MAX = 4
/** Fetches within a minute that callers of one network may cause. Documents in the cache do not count. */
const FETCHES_PER_NETWORK_MAX = 10
/** Fetches within a minute from one host, for all networks: anyone can name URLs of a host that they want to burden. */
const FETCHES_PER_HOST_MAX = 120
const WINDOW_MS = 60_000
const WINDOWS_MAX = 10_000

export type FetchLimits = ReturnType<typeof createFetchLimits>

/** Limits the fetches of documents that clients name: at once, by host, and by the network that causes them. */
export function createFetchLimits() {
  const networks = createCounter(FETCHES_PER_NETWORK_MAX)
  const hosts = createCounter(FETCHES_PER_HOST_MAX)
  const running = new Map<string, number>()
  let total = 0

  function start(host: string, network: string): void {
    if (total >= RUNNING_MAX || (running.get(host) ?? 0) >= RUNNING_PER_HOST_MAX)
      throw new OAuthRequestError(
        'temporarily_unavailable',
        'The server is looking up too many clients at once. Try again in a few seconds.',
      )
    if (networks.isFull(network))
      throw new OAuthRequestError(
        'slow_down',
        'Too many unknown programs were looked up from this network. Try again in a minute.',
      )
    if (hosts.isFull(host))
      throw new OAuthRequestError(
        'slow_down',
        'Too many documents of the host of this program were looked up. Try again in a minute.',
      )
    networks.count(network)
    hosts.count(host)
    total++
    running.set(host, (running.get(host) ?? 0) + 1)
  }

  function end(host: string): void {
    total--
    const others = (running.get(host) ?? 1) - 1
    if (others > 0) running.set(host, others)
    else running.delete(host)
  }

  return {
    /** Runs a fetch of a URL. @throws OAuthRequestError if a limit is reached; nothing runs then */
    async run<T>(url: string, network: string, task: () => Promise<T>): Promise<T> {
      const { host } = new URL(url)
      start(host, network)
      try {
        return await task()
      } finally {
        end(host)
      }
    },
  }
}

/** Counts events by key, in windows of a minute from the first one. */
function createCounter(max: number) {
  const windows = createCache<string, { count: number }>({
    max: WINDOWS_MAX,
    ttl: WINDOW_MS,
    ttlResolution: 0,
  })
  return {
    isFull: (key: string): boolean => (windows.get(key)?.count ?? 0) >= max,
    count(key: string): void {
      const window = windows.get(key)
      if (window) window.count++
      else windows.set(key, { count: 1 })
    },
  }
}

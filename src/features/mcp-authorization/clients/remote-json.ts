import { parseBoundedJson } from '../../../platform/bounded-json.ts'
import { createCache } from '../../../platform/cache.ts'
import { type Egress, EgressError } from '../../../platform/egress/index.ts'
import { OAuthRequestError } from '../oauth-error.ts'

const HEADER_CHARACTERS_MAX = 1_024
const BYTES_MAX = 20_000
const TIMEOUT_MS = 5_000
const CACHED_MAX = 500
const CACHE_DEFAULT_S = 300
const CACHE_MAX_S = 86_400
/** A document that cannot be read is not fetched again for this long. */
const FAILURE_CACHE_S = 30
/** Shortest time between two fetches of a document that lacks something: anyone can ask for what it lacks. */
const REFETCH_MS = 60_000
const CONCURRENT_MAX = 20
/** Fetches that callers of one network may cause within a minute. Documents in the cache do not count. */
const FETCHES_PER_NETWORK_MAX = 10
const FETCH_WINDOW_MS = 60_000
const NETWORKS_MAX = 10_000

export interface RemoteDocument<T> {
  /** Names the document in errors, such as `metadata document`. */
  name: string
  /** @throws OAuthRequestError for a document that cannot be used */
  parse(url: string, json: unknown): T
}

interface Cached<T> {
  readonly value: { readonly document: T } | { readonly failure: OAuthRequestError }
  /** By `performance.now()`. */
  readonly fetchedAt: number
}

/**
 * Reads documents that clients publish. They are fetched through the egress guard, without redirects, and limited in
 * size, time and number. `Cache-Control` decides how long one is cached, up to a day.
 */
export function createRemoteDocuments<T>(egress: Egress, remote: RemoteDocument<T>) {
  const cache = createCache<string, Cached<T>>({ max: CACHED_MAX })
  const fetches = createCache<string, { count: number }>({ max: NETWORKS_MAX, ttl: FETCH_WINDOW_MS })
  let running = 0

  function countFetch(network: string): void {
    const window = fetches.get(network)
    if (!window) return void fetches.set(network, { count: 1 })
    if (window.count >= FETCHES_PER_NETWORK_MAX)
      throw new OAuthRequestError(
        'slow_down',
        'Too many unknown programs were looked up from this network. Try again in a minute.',
      )
    window.count++
  }

  async function fetchAndCache(url: string, network: string): Promise<T> {
    if (running >= CONCURRENT_MAX)
      throw new OAuthRequestError(
        'temporarily_unavailable',
        'The server is looking up too many clients at once. Try again in a few seconds.',
      )
    countFetch(network)
    running++
    const keep = (value: Cached<T>['value'], seconds: number) =>
      seconds > 0 && cache.set(url, { value, fetchedAt: performance.now() }, { ttl: seconds * 1_000 })
    try {
      const { json, seconds } = await fetchJson(egress, url, remote.name)
      const document = remote.parse(url, json)
      keep({ document }, seconds)
      return document
    } catch (error) {
      if (error instanceof OAuthRequestError) keep({ failure: error }, FAILURE_CACHE_S)
      throw error
    } finally {
      running--
    }
  }

  return {
    /**
     * Reads a document. One in the cache that is not sufficient is fetched again after a minute.
     * @param network the network of the caller, whose fetches are limited
     * @throws OAuthRequestError
     */
    async read(
      url: string,
      network: string,
      isSufficient: (document: T) => boolean = () => true,
    ): Promise<T> {
      const cached = cache.get(url)
      if (!cached) return fetchAndCache(url, network)
      if ('failure' in cached.value) throw cached.value.failure
      const { document } = cached.value
      const mayRefetch = performance.now() - cached.fetchedAt > REFETCH_MS
      return isSufficient(document) || !mayRefetch ? document : fetchAndCache(url, network)
    },
  }
}

/** @throws OAuthRequestError */
async function fetchJson(
  egress: Egress,
  url: string,
  name: string,
): Promise<{ json: unknown; seconds: number }> {
  const cannotBeFetched = () =>
    new OAuthRequestError('invalid_client', `The ${name} of the client cannot be fetched.`)
  const reply = await egress
    .send({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      bytesMax: BYTES_MAX,
      maxRedirects: 0,
    })
    .catch((error: unknown) => {
      throw error instanceof EgressError ? cannotBeFetched() : error
    })
  // The status is not disclosed: anyone can name any URL here.
  if (reply.status !== 200) throw cannotBeFetched()
  return {
    json: parseDocument(reply.body.toString('utf8'), name),
    seconds: cacheSeconds(reply.headers['cache-control']),
  }
}

/** @throws OAuthRequestError */
export function parseDocument(text: string, name: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch {
    throw new OAuthRequestError('invalid_client', `The ${name} of the client is not JSON.`)
  }
}

/** Returns how many seconds a document may be cached (RFC 9111 §5.2). */
export function cacheSeconds(header: string | string[] | undefined): number {
  const text = [header ?? ''].flat().join(',').slice(0, HEADER_CHARACTERS_MAX).toLowerCase()
  if (/\bno-(store|cache)\b/.test(text)) return 0
  const age = /\bmax-age\s*=\s*"?(\d{1,9})/.exec(text)?.[1]
  return age === undefined ? CACHE_DEFAULT_S : Math.min(Number(age), CACHE_MAX_S)
}

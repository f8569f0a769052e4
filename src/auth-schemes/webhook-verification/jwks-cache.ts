import type { JSONWebKeySet } from 'jose'
import type { SchemeDeps } from '../scheme.ts'
import { ProviderUnavailable } from '../scheme.ts'
import { isObject } from '../../platform/json-object.ts'
import { sendRequest } from '../provider-requests/send-request.ts'
import type { JwksFetcher } from './jwt.ts'

const CACHE_MS = 3_600_000
/** Shortest time between two requests for an unknown key ID: anyone can send one. */
const REFETCH_MS = 60_000
const ENTRIES_MAX = 100

/** Caches the public keys of applications for an hour. Concurrent callers share one request. */
export function jwksCache(deps: Pick<SchemeDeps, 'egress' | 'now'>): JwksFetcher {
  const cache = new Map<string, { at: number; keys: Promise<JSONWebKeySet> }>()

  function refetch(url: string): Promise<JSONWebKeySet> {
    const keys = fetchKeys(url)
    if (cache.size >= ENTRIES_MAX) cache.delete(cache.keys().next().value as string)
    cache.set(url, { at: deps.now(), keys })
    keys.catch(() => {
      if (cache.get(url)?.keys === keys) cache.delete(url)
    })
    return keys
  }

  async function fetchKeys(url: string): Promise<JSONWebKeySet> {
    const { status, body } = await sendRequest(deps, undefined, { method: 'GET', url, timeoutMs: 3_000 })
    if (status !== 200 || !isObject(body) || !Array.isArray(body['keys']))
      throw new ProviderUnavailable(
        `Could not read the public keys of the provider: ${new URL(url).host} returned status ${status}.`,
      )
    return body as unknown as JSONWebKeySet
  }

  return async (url, hasKey) => {
    const cached = cache.get(url)
    const age = cached ? deps.now() - cached.at : Infinity
    if (!cached || age > CACHE_MS) return refetch(url)
    const keys = await cached.keys
    return age > REFETCH_MS && hasKey && !hasKey(keys) ? refetch(url) : keys
  }
}

import { parseBoundedJson } from '../../../platform/bounded-json.ts'
import { createCache } from '../../../platform/cache.ts'
import { type Egress, EgressError } from '../../../platform/egress/index.ts'
import { type ClientMetadata, readClientMetadata } from './client-metadata.ts'
import { OAuthRequestError } from '../oauth-error.ts'

const CHARACTERS_MAX = 1_024
const BYTES_MAX = 20_000
const TIMEOUT_MS = 5_000
const CACHED_MAX = 500
const CACHE_DEFAULT_S = 300
const CACHE_MAX_S = 86_400
/** A document that cannot be read is not fetched again for this long. */
const FAILURE_CACHE_S = 30
const CANNOT_BE_FETCHED = 'The metadata document of the client cannot be fetched.'
const CONCURRENT_MAX = 20
/** Fetches that visitors of one network may cause within a minute. Documents in the cache do not count. */
const FETCHES_PER_NETWORK_MAX = 10
const FETCH_WINDOW_MS = 60_000
const NETWORKS_MAX = 10_000

/** Whether a client id is the URL of a client metadata document: https, with a path, in normalized form. */
export function isMetadataDocumentUrl(id: string): boolean {
  const url = id.length <= CHARACTERS_MAX && id.startsWith('https://') ? URL.parse(id) : null
  return (
    url !== null &&
    url.href === id &&
    url.pathname !== '/' &&
    !id.includes('#') &&
    !url.username &&
    !url.password
  )
}

/**
 * Reads clients whose id is the URL of their metadata document (OAuth Client ID Metadata Document). The document is
 * fetched through the egress guard, without redirects. Its `Cache-Control` decides how long it is cached, up to a day.
 */
export function createClientDocuments(egress: Egress) {
  const cache = createCache<string, { client: ClientMetadata } | { failure: OAuthRequestError }>({
    max: CACHED_MAX,
  })
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

  return {
    /**
     * Reads a client. @param network the network of the visitor, whose fetches are limited
     * @throws OAuthRequestError
     */
    async read(id: string, network: string): Promise<ClientMetadata> {
      const cached = cache.get(id)
      if (cached) {
        if ('failure' in cached) throw cached.failure
        return cached.client
      }
      if (running >= CONCURRENT_MAX)
        throw new OAuthRequestError(
          'temporarily_unavailable',
          'The server is looking up too many clients at once. Try again in a few seconds.',
        )
      countFetch(network)
      running++
      try {
        const { client, seconds } = await fetchDocument(egress, id)
        if (seconds > 0) cache.set(id, { client }, { ttl: seconds * 1_000 })
        return client
      } catch (error) {
        if (error instanceof OAuthRequestError)
          cache.set(id, { failure: error }, { ttl: FAILURE_CACHE_S * 1_000 })
        throw error
      } finally {
        running--
      }
    },
  }
}

/** @throws OAuthRequestError */
async function fetchDocument(
  egress: Egress,
  id: string,
): Promise<{ client: ClientMetadata; seconds: number }> {
  const reply = await egress
    .send({
      method: 'GET',
      url: id,
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      bytesMax: BYTES_MAX,
      maxRedirects: 0,
    })
    .catch((error: unknown) => {
      if (error instanceof EgressError) throw new OAuthRequestError('invalid_client', CANNOT_BE_FETCHED)
      throw error
    })
  // The status is not disclosed: anyone can name any URL here.
  if (reply.status !== 200) throw new OAuthRequestError('invalid_client', CANNOT_BE_FETCHED)
  return {
    client: parseClientDocument(id, reply.body.toString('utf8')),
    seconds: cacheSeconds(reply.headers['cache-control']),
  }
}

/**
 * Parses the metadata document of a client. Rejects a document with another client id, or with a secret, because anyone
 * can read the document.
 * @throws OAuthRequestError
 */
export function parseClientDocument(id: string, text: string): ClientMetadata {
  let json: unknown
  try {
    json = parseBoundedJson(text)
  } catch {
    throw new OAuthRequestError('invalid_client', 'The metadata document of the client is not JSON.')
  }
  const client = readClientMetadata(json, 'none')
  const { client_id: clientId, client_secret: secret } = json as Record<string, unknown>
  if (clientId !== id)
    throw new OAuthRequestError(
      'invalid_client',
      'The client_id in the metadata document must be the URL of the document.',
    )
  if (client.authMethod !== 'none' || secret !== undefined)
    throw new OAuthRequestError(
      'invalid_client',
      'A client with a metadata document cannot have a secret. Set token_endpoint_auth_method to none.',
    )
  return client
}

/** Returns how many seconds a document may be cached (RFC 9111 §5.2). */
export function cacheSeconds(header: string | string[] | undefined): number {
  const text = [header ?? ''].flat().join(',').slice(0, CHARACTERS_MAX).toLowerCase()
  if (/\bno-(store|cache)\b/.test(text)) return 0
  const age = /\bmax-age\s*=\s*"?(\d{1,9})/.exec(text)?.[1]
  return age === undefined ? CACHE_DEFAULT_S : Math.min(Number(age), CACHE_MAX_S)
}

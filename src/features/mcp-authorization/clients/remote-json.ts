import { parseBoundedJson } from '../../../platform/bounded-json.ts'
import { createCache } from '../../../platform/cache.ts'
import { type Egress, EgressError, type EgressErrorKind } from '../../../platform/egress/index.ts'
import { OAuthRequestError } from '../oauth-error.ts'
import { createFetchLimits, type FetchLimits } from './fetch-limits.ts'

const HEADER_CHARACTERS_MAX = 1_024
const BYTES_MAX = 20_000
const TIMEOUT_MS = 5_000
const CACHED_MAX = 500
const CACHE_DEFAULT_S = 300
const CACHE_MAX_S = 86_400
/** A document that cannot be read is not fetched again for this long. */
const FAILURE_CACHE_MS = 30_000
/** How long a document is used after it expired, while it cannot be fetched again. Its keys may have been withdrawn. */
const LAST_GOOD_MS = 3_600_000
/** Shortest time between two fetches of a document that lacks something: anyone can ask for what it lacks. */
const REFETCH_MS = 60_000
/** Reasons for which the document is not to blame. */
const OWN_REASONS: ReadonlySet<EgressErrorKind> = new Set(['busy', 'over_budget', 'aborted'])

export interface RemoteDocument<T> {
  /** Names the document in errors, such as `metadata document`. */
  name: string
  /** @throws OAuthRequestError for a document that cannot be used */
  parse(url: string, json: unknown): T
}

/** The last document of a URL that could be used. Times are those of `performance.now()`. */
interface Cached<T> {
  readonly document: T
  readonly fetchedAt: number
  readonly expiresAt: number
  /** When it could not be fetched again. */
  failedAt: number
}

/**
 * Reads documents that clients publish. They are fetched through the egress guard, without redirects, and limited in
 * size, time and number; callers that need one at the same time share a fetch. `Cache-Control` decides how long one is
 * cached, up to a day. One that cannot be fetched again is used for another hour.
 */
export function createRemoteDocuments<T>(
  egress: Egress,
  remote: RemoteDocument<T>,
  limits: FetchLimits = createFetchLimits(),
) {
  const cache = createCache<string, Cached<T>>({ max: CACHED_MAX, ttlResolution: 0 })
  const failures = createCache<string, OAuthRequestError>({
    max: CACHED_MAX,
    ttl: FAILURE_CACHE_MS,
    ttlResolution: 0,
  })
  const sharedFetch = createSharedFetch(async (url, network) => {
    const { json, seconds } = await limits.run(url, network, () => fetchJson(egress, url, remote.name))
    const document = remote.parse(url, json)
    if (seconds !== undefined) store(cache, url, document, seconds * 1_000)
    return document
  })

  async function fetchFirst(url: string, network: string): Promise<T> {
    const failure = failures.get(url)
    if (failure) throw failure
    try {
      return await sharedFetch(url, network)
    } catch (error) {
      if (isFailure(error)) failures.set(url, error)
      throw error
    }
  }

  async function fetchAgain(url: string, network: string, cached: Cached<T>): Promise<T> {
    try {
      return await sharedFetch(url, network)
    } catch (error) {
      if (!(error instanceof OAuthRequestError)) throw error
      if (isFailure(error)) cached.failedAt = performance.now()
      return cached.document
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
      if (!cached) return fetchFirst(url, network)
      return isDue(cached, isSufficient) ? fetchAgain(url, network, cached) : cached.document
    },
  }
}

function store<T>(
  cache: ReturnType<typeof createCache<string, Cached<T>>>,
  url: string,
  document: T,
  freshMs: number,
): void {
  const now = performance.now()
  const entry = { document, fetchedAt: now, expiresAt: now + freshMs, failedAt: -Infinity }
  cache.set(url, entry, { ttl: freshMs + LAST_GOOD_MS })
}

/** Returns a function that joins the fetch of a URL that is running, or starts one. */
function createSharedFetch<T>(start: (url: string, network: string) => Promise<T>): typeof start {
  const running = new Map<string, Promise<T>>()
  return (url, network) => {
    const started = running.get(url)
    if (started) return started
    const promise = start(url, network).finally(() => running.delete(url))
    running.set(url, promise)
    return promise
  }
}

/** Whether a document is to be fetched again: it has expired, or lacks something for a minute. */
function isDue<T>(
  { document, fetchedAt, expiresAt, failedAt }: Cached<T>,
  isSufficient: (document: T) => boolean,
): boolean {
  const now = performance.now()
  return now < expiresAt
    ? now > Math.max(fetchedAt, failedAt) + REFETCH_MS && !isSufficient(document)
    : now > failedAt + FAILURE_CACHE_MS
}

/** Whether the document is to blame for an error, and not a limit of this server. */
const isFailure = (error: unknown): error is OAuthRequestError =>
  error instanceof OAuthRequestError &&
  error.error !== 'slow_down' &&
  error.error !== 'temporarily_unavailable'

/** `seconds`: how long it may be cached; undefined if it must not be stored. @throws OAuthRequestError */
async function fetchJson(
  egress: Egress,
  url: string,
  name: string,
): Promise<{ json: unknown; seconds: number | undefined }> {
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
      if (!(error instanceof EgressError)) throw error
      throw OWN_REASONS.has(error.kind) ? serverIsBusy() : cannotBeFetched()
    })
  // The status is not disclosed: anyone can name any URL here.
  if (reply.status !== 200) throw cannotBeFetched()
  const { 'cache-control': control, age } = reply.headers
  return {
    json: parseDocument(reply.body.toString('utf8'), name),
    seconds: mayBeStored(control) ? Math.max(0, cacheSeconds(control) - ageSeconds(age)) : undefined,
  }
}

const serverIsBusy = (): OAuthRequestError =>
  new OAuthRequestError('temporarily_unavailable', 'The server is busy. Try again in a few seconds.')

/** @throws OAuthRequestError */
export function parseDocument(text: string, name: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch {
    throw new OAuthRequestError('invalid_client', `The ${name} of the client is not JSON.`)
  }
}

const textOf = (header: string | string[] | undefined): string =>
  [header ?? ''].flat().join(',').slice(0, HEADER_CHARACTERS_MAX).toLowerCase()

const mayBeStored = (control: string | string[] | undefined): boolean => !/\bno-store\b/.test(textOf(control))

/** Returns how long caches before this one stored a document (RFC 9111 §5.1). */
const ageSeconds = (header: string | string[] | undefined): number =>
  Number(/^\s*(\d{1,9})\s*$/.exec(textOf(header))?.[1] ?? 0)

/** Returns how many seconds a document may be cached (RFC 9111 §5.2). */
export function cacheSeconds(header: string | string[] | undefined): number {
  const text = textOf(header)
  if (/\bno-(store|cache)\b/.test(text)) return 0
  const age = /\bmax-age\s*=\s*"?(\d{1,9})/.exec(text)?.[1]
  return age === undefined ? CACHE_DEFAULT_S : Math.min(Number(age), CACHE_MAX_S)
}

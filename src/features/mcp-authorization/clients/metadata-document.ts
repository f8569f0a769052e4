import { LRUCache } from 'lru-cache'
import { type Egress, EgressError } from '../../../platform/egress/index.ts'
import { type ClientMetadata, readClientMetadata } from './client-metadata.ts'
import { OAuthFailure } from '../oauth-error.ts'

const LONG = 1_024
const BYTES_MAX = 20_000
const TIMEOUT_MS = 5_000
const KNOWN_MAX = 500
const KEPT_S = 300
const KEPT_MAX_S = 86_400
/** One that cannot be read is not asked for again at once. */
const FAILED_S = 30
const AT_ONCE_MAX = 20

/** Whether a client id is the address of a client's own metadata document: https, with a path, written as URLs are. */
export function isDocumentAddress(id: string): boolean {
  const url = id.length <= LONG && id.startsWith('https://') ? URL.parse(id) : null
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
 * Clients that are known by a document at their own address (OAuth Client ID Metadata Document). It is fetched through the guard of all outgoing requests, without
 * redirects, and kept as long as it says, between nothing and a day.
 */
export function clientDocuments(egress: Egress) {
  const known = new LRUCache<string, { client: ClientMetadata } | { failure: OAuthFailure }>({
    max: KNOWN_MAX,
  })
  let running = 0

  async function fetched(id: string): Promise<{ client: ClientMetadata; seconds: number }> {
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
        if (error instanceof EgressError)
          throw new OAuthFailure('invalid_client', 'The metadata document of the client cannot be fetched.')
        throw error
      })
    if (reply.status !== 200)
      throw new OAuthFailure('invalid_client', `The metadata document of the client answers ${reply.status}.`)
    return {
      client: readDocument(id, reply.body.toString('utf8')),
      seconds: secondsIn(reply.headers['cache-control']),
    }
  }

  return {
    /** @throws OAuthFailure */
    async read(id: string): Promise<ClientMetadata> {
      const found = known.get(id)
      if (found) {
        if ('failure' in found) throw found.failure
        return found.client
      }
      if (running >= AT_ONCE_MAX)
        throw new OAuthFailure(
          'temporarily_unavailable',
          'Too many clients are being looked up; try again in a moment.',
        )
      running++
      try {
        const { client, seconds } = await fetched(id)
        if (seconds > 0) known.set(id, { client }, { ttl: seconds * 1_000 })
        return client
      } catch (error) {
        if (error instanceof OAuthFailure) known.set(id, { failure: error }, { ttl: FAILED_S * 1_000 })
        throw error
      } finally {
        running--
      }
    },
  }
}

/** The document of a client; one that speaks for another address, or holds a secret that everybody can read, is refused. @throws OAuthFailure */
export function readDocument(id: string, text: string): ClientMetadata {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new OAuthFailure('invalid_client', 'The metadata document of the client is not JSON.')
  }
  const client = readClientMetadata(given, 'none')
  const { client_id: named, client_secret: secret } = given as Record<string, unknown>
  if (named !== id)
    throw new OAuthFailure(
      'invalid_client',
      'The metadata document names another client_id than its own address.',
    )
  if (client.authMethod !== 'none' || secret !== undefined)
    throw new OAuthFailure(
      'invalid_client',
      'A client that is known by a document has no secret; its token_endpoint_auth_method is none.',
    )
  return client
}

/** For how long a document may be kept (RFC 9111 §5.2). */
export function secondsIn(header: string | string[] | undefined): number {
  const text = [header ?? ''].flat().join(',').slice(0, LONG).toLowerCase()
  if (/\bno-(store|cache)\b/.test(text)) return 0
  const age = /\bmax-age\s*=\s*"?(\d{1,9})/.exec(text)?.[1]
  return age === undefined ? KEPT_S : Math.min(Number(age), KEPT_MAX_S)
}

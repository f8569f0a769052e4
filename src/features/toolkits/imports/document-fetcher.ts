import { BOUNDS, type FetchText, Unreachable } from '../../../catalog/importers/worker/index.ts'
import { type Egress, EgressError, type EgressResponse } from '../../../platform/egress/index.ts'

const TIMEOUT_MS = 20_000
const MB = 1024 * 1024
/** Limit for all documents of an import together. */
const BYTES_MAX = BOUNDS.jsonCharacters * 2
const ACCEPT = 'application/json, application/yaml, application/vnd.oai.openapi+json, text/*;q=0.9, */*;q=0.5'

/**
 * Fetches the documents of one import through the egress guard. The import process caches them. `headers` are sent only
 * to the origin of the given URL, because other URLs come from a document.
 * @throws Unreachable
 */
export function documentFetcher(
  egress: Egress,
  address: string | undefined,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): FetchText {
  const home = address === undefined ? undefined : new URL(address).origin
  let left = BYTES_MAX

  return async (url, json) => {
    const own = URL.canParse(url) && new URL(url).origin === home ? headers : {}
    const { status, body } = await sent(egress, {
      method: json === undefined ? 'GET' : 'POST',
      url,
      timeoutMs: TIMEOUT_MS,
      bytesMax: Math.min(BOUNDS.jsonCharacters, Math.max(left, 1)),
      sensitiveHeaders: Object.keys(headers),
      ...(signal && { signal }),
      headers: {
        accept: ACCEPT,
        'user-agent': 'Patchbay',
        ...own,
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: json }),
    })
    left -= body.length
    const text = body.toString('utf8')
    // A GraphQL server may return the reason for a rejected introspection with status 400.
    if ((status >= 200 && status < 300) || (json !== undefined && /^\s*\{/.test(text))) return text
    throw new Unreachable(
      `${new URL(url).host} returned status ` +
        `${status}${status === 401 || status === 403 ? '; send the required header in `headers`' : ''}.`,
    )
  }
}

async function sent(egress: Egress, request: Parameters<Egress['send']>[0]): Promise<EgressResponse> {
  try {
    return await egress.send(request)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new Unreachable(
      error.kind === 'too_large'
        ? `The document at ${new URL(request.url).host} has more than ${Math.floor(request.bytesMax! / MB)} MB.`
        : error.message,
    )
  }
}

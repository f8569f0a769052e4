import { isLoopbackHttp } from '../../../platform/oauth/issuer-url.ts'
import { type PageText, text } from '../../connected-accounts/index.ts'

const CHARACTERS_MAX = 2_048
/** RFC 3986 §2, and square brackets. Parsers differ on others: to some, a backslash ends the host. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/
const PRIVATE_USE_SCHEME = /^[a-z][a-z0-9+.-]{1,63}:$/
/** Schemes that a browser runs, reads or opens itself. */
const FORBIDDEN_SCHEMES = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'filesystem:',
  'blob:',
  'about:',
  'view-source:',
  'ftp:',
  'ws:',
  'wss:',
  'mailto:',
  'tel:',
  'sms:',
  'intent:',
  'chrome:',
  'edge:',
  'ms-msdt:',
  'search-ms:',
  'urn:',
])

/** Whether codes may be sent to a URI: https, http on the user's machine, or a private-use scheme (RFC 8252 §7). */
export function isAllowedRedirectUri(text: unknown): text is string {
  const url =
    typeof text === 'string' &&
    text.length <= CHARACTERS_MAX &&
    URI_CHARACTERS.test(text) &&
    !text.includes('#')
      ? URL.parse(text)
      : null
  if (!url || url.username || url.password || url.host.includes('*')) return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return isLoopbackHttp(url)
  return PRIVATE_USE_SCHEME.test(url.protocol) && !FORBIDDEN_SCHEMES.has(url.protocol)
}

/**
 * Whether a redirect URI is exactly one of the registered ones. On the user's machine the port may differ, because the
 * program uses any free port (RFC 8252 §7.3).
 */
export function isRegisteredRedirectUri(registered: readonly string[], requested: string): boolean {
  if (registered.includes(requested)) return true
  const url = isAllowedRedirectUri(requested) ? new URL(requested) : undefined
  if (url?.protocol !== 'http:') return false
  return registered.some((uri) => withoutPort(uri) === withoutPort(requested))
}

function withoutPort(text: string): string {
  const url = new URL(text)
  if (url.protocol === 'http:') url.port = ''
  return url.href
}

/** Describes a redirect URI for people, and as a source for the `form-action` policy of a page. */
export function redirectDestination(redirectUri: string): { words: PageText; source: string } {
  const url = new URL(redirectUri)
  const { protocol, host, origin } = url
  if (isLoopbackHttp(url)) return { words: text('program.local'), source: origin }
  return protocol === 'https:'
    ? { words: host, source: origin }
    : { words: text('program.scheme', { scheme: protocol }), source: protocol }
}

/** Adds parameters to the query of a redirect URI. */
export function withParameters(
  redirectUri: string,
  parameters: Readonly<Record<string, string | null | undefined>>,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== undefined) url.searchParams.set(name, value)
  return url.href
}

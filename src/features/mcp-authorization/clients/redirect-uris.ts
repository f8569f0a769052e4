const LONG = 2_048
const SCHEME = /^[a-z][a-z0-9+.-]{1,63}:$/
/** What a browser would run, read or open by itself; a program's own scheme is none of these. */
const NEVER = new Set([
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
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Whether codes may be sent there: https, http of the user's own machine, or a scheme of a program's own (RFC 8252 §7). */
export function isRedirect(text: unknown): text is string {
  const url =
    typeof text === 'string' && text.length <= LONG && /^[\x21-\x7e]+$/.test(text) && !text.includes('#')
      ? URL.parse(text)
      : null
  if (!url || url.username || url.password) return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname)
  return SCHEME.test(url.protocol) && !NEVER.has(url.protocol)
}

/** Exactly as registered; of a program on the user's machine the port may be another, as it takes the one that is free (RFC 8252 §7.3). */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true
  const url = isRedirect(asked) ? new URL(asked) : undefined
  if (url?.protocol !== 'http:') return false
  return registered.some((one) => withoutPort(one) === withoutPort(asked))
}

function withoutPort(text: string): string {
  const url = new URL(text)
  if (url.protocol === 'http:') url.port = ''
  return url.href
}

/** Where an answer goes, in words for people, and as a source that a page's policy may let its form lead to. */
export function destinationOf(redirectUri: string): { words: string; source: string } {
  const { protocol, hostname, host, origin } = new URL(redirectUri)
  if (LOOPBACK.has(hostname) && protocol === 'http:')
    return { words: 'a program on this computer', source: origin }
  return protocol === 'https:'
    ? { words: host, source: origin }
    : { words: `the program on this computer that opens ${protocol} addresses`, source: protocol }
}

/** The redirect address with parameters beside its own. */
export function withAnswer(
  redirectUri: string,
  answer: Readonly<Record<string, string | null | undefined>>,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer))
    if (value !== null && value !== undefined) url.searchParams.set(name, value)
  return url.href
}

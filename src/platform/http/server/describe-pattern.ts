const SLUG = 'must have only letters, digits, hyphens and underscores'
const MEDIA_TYPE = 'must be a media type such as text/plain'
const EVENT_ID = 'must be the id of an event of this stream'
const PRINTABLE = 'must have only printable ASCII characters'

/** Patterns of the contract, and what they require. */
const REQUIREMENTS: ReadonlyMap<string, string> = new Map([
  ['^[A-Za-z0-9_-]+$', SLUG],
  ['^[a-zA-Z0-9_-]+$', SLUG],
  ['^[a-z0-9_]+$', 'must have only lower-case letters, digits and underscores'],
  ['^[a-zA-Z0-9- ]+$', 'must have only letters, digits, spaces and hyphens'],
  ['^[A-Za-z0-9_.:/-]+$', 'must have only letters, digits and _ . : / -'],
  ['^(latest|\\d{8}_\\d{2})$', 'must be latest or a version such as 20261121_00'],
  ['^\\d{8}_\\d{2}$', 'must be a version such as 20261121_00'],
  ['^[0-9a-fA-F]{32}$', 'must have 32 hexadecimal digits'],
  ['^#[0-9A-Fa-f]{6}$', 'must be a color such as #1f5fd0'],
  ['^(auth_configs|connected_accounts):[A-Za-z0-9_-]{0,64}$', 'must be a cursor of this operation'],
  ['^[A-Za-z0-9+/]+={0,2}$', 'must be base64'],
  ["^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", 'must be the name of a header or parameter'],
  ['^[\\x20-\\x7e]+$', PRINTABLE],
  ['^[\\x21-\\x7e ]+$', PRINTABLE],
  ['^[\\x21-\\x7e]+$', `${PRINTABLE}, and no space`],
  ['^[^\\u0000-\\u001f\\u007f]+$', 'must have no control characters'],
  ['\\S', 'must have a character that is not a space'],
  ['^[\\x20-\\x7e]+/[\\x20-\\x7e]+$', MEDIA_TYPE],
  ['^[\\x21-\\x7e]+/[\\x20-\\x7e]+$', MEDIA_TYPE],
  [
    '^([\\x21\\x23-\\x5b\\x5d-\\x7e]+ )*openid( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$',
    'must be scopes with spaces between them, one of which is openid',
  ],
  ['^[a-z0-9.-]{1,253}$', 'must be a domain in lower case, such as example.com'],
  ['^\\d{1,16}(\\.\\d{1,16}\\.\\d{1,16}\\.[A-Za-z0-9_-]{1,64})?$', EVENT_ID],
  ['^\\d{1,15}$', EVENT_ID],
  ['^\\d{1,20}\\.\\d{1,20}$', 'must be the socket_id of a connection'],
])
/** The start of `MIME_TYPE` of the contract. */
const MEDIA_TYPE_START = '^[\\w!#$&^.+-]{1,127}/'
/** `Id` of the contract. */
const ID = /^\^\(([a-z|]+)\)_\[A-Za-z0-9_-\]\{1,64\}\$$/
/** `AnyCase` of the contract. */
const ANY_CASE = /^\^\(((?:\[[a-z][A-Z]\]|[0-9_|])+)\)\$$/

/**
 * Returns what a pattern requires in words, because a client that shows the error to a person cannot show a regular
 * expression; undefined for a pattern that has no words.
 */
export function describePattern(pattern: string): string | undefined {
  const prefixes = ID.exec(pattern)?.[1]
  if (prefixes !== undefined) return `must be an id that starts with ${prefixes.split('|').join('_ or ')}_`
  const values = ANY_CASE.exec(pattern)?.[1]
  if (values === undefined)
    return pattern.startsWith(MEDIA_TYPE_START) ? MEDIA_TYPE : REQUIREMENTS.get(pattern)
  return `must be one of ${values
    .replaceAll(/\[[a-z]([A-Z])\]/g, '$1')
    .split('|')
    .join(', ')}, in any letter case`
}

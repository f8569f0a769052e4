import { sign as signBytes } from 'node:crypto'
import { type Lookup, MissingValue, type SignOf } from '../../catalog/index.ts'
import { privateKey, UnusableKey } from '../keys.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { fillText } from '../texts.ts'
import { type Moment, sha256, type Signed } from './parts.ts'

/** Components that are made of the request line (RFC 9421 §2.2). */
const DERIVED: Readonly<Record<string, (url: URL, method: string) => string>> = {
  '@method': (_url, method) => method,
  '@target-uri': (url) => url.href,
  '@authority': (url) => url.host,
  '@scheme': (url) => url.protocol.slice(0, -1),
  '@request-target': (url) => url.pathname + url.search,
  '@path': (url) => url.pathname,
  '@query': (url) => url.search || '?',
}

/** HTTP message signature (RFC 9421) with Ed25519. */
export function httpMessageSignature(
  sign: SignOf<'http_message_signature'>,
  lookup: Lookup,
  request: OutgoingRequest,
  { now }: Moment,
): Signed {
  const present = headersOf(request)
  const made = madeHeaders(sign.components, present, request, now)
  const label = sign.label ?? 'sig1'
  const url = new URL(request.url)
  const names = sign.components.map((name) => `"${name}"`).join(' ')
  const parameters = `(${names});created=${Math.floor(now / 1_000)};keyid="${quoted(fillText(sign.key_id, lookup))}"${sign.send_algorithm ? `;alg="${sign.algorithm}"` : ''}`
  const lines = sign.components.map(
    (name) => `"${name}": ${componentOf(name, url, request.method, { ...present, ...made })}`,
  )
  const key = privateKey(fillText(sign.key, lookup))
  if (key.asymmetricKeyType !== sign.algorithm) throw new UnusableKey(`does not fit ${sign.algorithm}`)
  const signature = signBytes(
    null,
    Buffer.from([...lines, `"@signature-params": ${parameters}`].join('\n')),
    key,
  )
  const { 'content-length': _ours, ...sent } = made
  return {
    url: request.url,
    headers: {
      ...sent,
      'signature-input': `${label}=${parameters}`,
      signature: `${label}=:${signature.toString('base64')}:`,
    },
  }
}

const headersOf = ({ headers }: OutgoingRequest) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value.trim().replaceAll(/\s*\n\s*/g, ' '),
    ]),
  )

/** Headers that are signed although nobody set them. */
function madeHeaders(
  components: readonly string[],
  present: Readonly<Record<string, string>>,
  { body = '' }: OutgoingRequest,
  now: number,
): Record<string, string> {
  const makers: Readonly<Record<string, () => string>> = {
    'content-digest': () => `sha-256=:${sha256(body, 'base64')}:`, // RFC 9530
    'content-length': () => String(Buffer.byteLength(body)),
    date: () => new Date(now).toUTCString(),
  }
  return Object.fromEntries(
    components
      .filter((name) => Object.hasOwn(makers, name) && !Object.hasOwn(present, name))
      .map((name) => [name, makers[name]!()]),
  )
}

function componentOf(
  name: string,
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
): string {
  const derive = Object.hasOwn(DERIVED, name) ? DERIVED[name] : undefined
  if (derive) return derive(url, method)
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  if (value === undefined) throw new MissingValue(name)
  return value
}

/** RFC 8941 §3.3.3. */
const quoted = (text: string) => text.replaceAll(/["\\]/g, (char) => `\\${char}`)

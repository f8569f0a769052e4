import { sign as signBytes } from 'node:crypto'
import { type Lookup, MissingValue, type SignOf } from '../../catalog/index.ts'
import { parsePrivateKey, UnusableKey } from './private-key.ts'
import type { OutgoingRequest } from '../scheme.ts'
import { fillTemplate } from '../credentials/templates.ts'
import { type SignatureContext, sha256, type SignedRequest } from './signature-context.ts'

/** Components derived from the request line (RFC 9421 §2.2). */
const DERIVED_COMPONENTS: Readonly<Record<string, (url: URL, method: string) => string>> = {
  '@method': (_url, method) => method,
  '@target-uri': (url) => url.href,
  '@authority': (url) => url.host,
  '@scheme': (url) => url.protocol.slice(0, -1),
  '@request-target': (url) => url.pathname + url.search,
  '@path': (url) => url.pathname,
  '@query': (url) => url.search || '?',
}

/** Signs with an HTTP message signature (RFC 9421) and Ed25519. */
export function httpMessageSignature(
  sign: SignOf<'http_message_signature'>,
  lookup: Lookup,
  request: OutgoingRequest,
  { now }: SignatureContext,
): SignedRequest {
  const requestHeaders = normalizeHeaders(request)
  const addedHeaders = missingHeaders(sign.components, requestHeaders, request, now)
  const label = sign.label ?? 'sig1'
  const url = new URL(request.url)
  const names = sign.components.map((name) => `"${name}"`).join(' ')
  const keyId = escapeQuoted(fillTemplate(sign.key_id, lookup))
  const algorithm = sign.send_algorithm ? `;alg="${sign.algorithm}"` : ''
  const parameters = `(${names});created=${Math.floor(now / 1_000)};keyid="${keyId}"${algorithm}`
  const lines = sign.components.map(
    (name) =>
      `"${name}": ${componentValue(name, url, request.method, { ...requestHeaders, ...addedHeaders })}`,
  )
  const key = parsePrivateKey(fillTemplate(sign.key, lookup))
  if (key.asymmetricKeyType !== sign.algorithm) throw new UnusableKey(`does not fit ${sign.algorithm}`)
  const signature = signBytes(
    null,
    Buffer.from([...lines, `"@signature-params": ${parameters}`].join('\n')),
    key,
  )
  const { 'content-length': _ours, ...sent } = addedHeaders
  return {
    url: request.url,
    headers: {
      ...sent,
      'signature-input': `${label}=${parameters}`,
      signature: `${label}=:${signature.toString('base64')}:`,
    },
  }
}

const normalizeHeaders = ({ headers }: OutgoingRequest) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value.trim().replaceAll(/\s*\n\s*/g, ' '),
    ]),
  )

/** Signed headers that the request does not have yet. */
function missingHeaders(
  components: readonly string[],
  requestHeaders: Readonly<Record<string, string>>,
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
      .filter((name) => Object.hasOwn(makers, name) && !Object.hasOwn(requestHeaders, name))
      .map((name) => [name, makers[name]!()]),
  )
}

function componentValue(
  name: string,
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
): string {
  const derive = Object.hasOwn(DERIVED_COMPONENTS, name) ? DERIVED_COMPONENTS[name] : undefined
  if (derive) return derive(url, method)
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  if (value === undefined) throw new MissingValue(name)
  return value
}

/** Escapes a quoted string (RFC 8941 §3.3.3). */
const escapeQuoted = (text: string) => text.replaceAll(/["\\]/g, (char) => `\\${char}`)

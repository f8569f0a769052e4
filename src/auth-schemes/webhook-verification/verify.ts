import { createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import {
  type IncomingDelivery,
  type Lookup,
  MissingValue,
  parseTimestampMs,
  UnsafeValue,
  type VerifyManifest,
  type VerifyOf,
} from '../../catalog/index.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import { fillTemplateBytes, fillTemplate } from '../credentials/templates.ts'
import { computeHmac } from './hmac.ts'
import { verifyJwt, type JwksFetcher } from './jwt.ts'
import { readPath, entriesAt, plainText } from './delivery-values.ts'

/** Inputs for the verification of a delivery. */
export interface VerificationContext {
  /** Secrets and other values that the templates of the manifest use. */
  lookup: Lookup
  /** Milliseconds since the epoch. */
  now: number
  fetchJwks: JwksFetcher
  /** Events of the delivery; read only if each of them must contain the token. */
  readEvents(): readonly object[]
}

/**
 * Verifies a delivery as its manifest declares. Returns false for missing, malformed or unconfigured values.
 * Compares
 * secrets in constant time.
 * @throws ProviderUnavailable if the public keys of the application cannot be read
 */
export async function verifyDelivery(
  verify: VerifyManifest,
  delivery: IncomingDelivery,
  context: VerificationContext,
): Promise<boolean> {
  try {
    return await VERIFIERS[verify.kind](verify as never, delivery, context)
  } catch (error) {
    if (error instanceof MissingValue || error instanceof UnsafeValue) return false
    throw error
  }
}

type Verifier<K extends VerifyManifest['kind']> = (
  verify: VerifyOf<K>,
  delivery: IncomingDelivery,
  context: VerificationContext,
) => boolean | Promise<boolean>

const VERIFIERS: { readonly [K in VerifyManifest['kind']]: Verifier<K> } = {
  hmac(verify, delivery, { lookup, now }) {
    const message = signedMessage(verify, delivery, now)
    const expected = message && computeHmac(verify, lookup, message)
    const { encoding = 'hex' } = verify.signature
    return (
      expected !== undefined &&
      readSignatures(verify, delivery).some((signature) =>
        timingSafeEqualText(signature, expected.toString(encoding)),
      )
    )
  },
  public_key(verify, delivery, { lookup, now }) {
    const message = signedMessage(verify, delivery, now)
    const key = message && parsePublicKey(verify, fillTemplate(verify.key, lookup))
    if (!message || !key) return false
    const { encoding = 'hex' } = verify.signature
    return readSignatures(verify, delivery).some((signature) => {
      const bytes = decodeStrictly(signature, encoding)
      return bytes !== undefined && verifySignature(HASHES[verify.algorithm], message, key, bytes)
    })
  },
  token(verify, delivery, { lookup, readEvents }) {
    const text = fillTemplate(verify.equals, lookup)
    if (text === '') return false
    const expected = verify.encoding ? Buffer.from(text).toString(verify.encoding) : text
    const containsToken = (source: object) =>
      entriesAt(verify, source).some((token) => timingSafeEqualText(token, expected))
    if (!verify.each) return containsToken(delivery)
    const events = readEvents()
    return events.length > 0 && events.every(containsToken)
  },
  jwt: (verify, delivery, context) => verifyJwt(verify, entriesAt(verify, delivery)[0], context),
  address: () => true,
}

type SignatureManifest = VerifyOf<'hmac'> | VerifyOf<'public_key'>

/** Reads the signatures of a delivery. Hexadecimal digits are compared in lower case. */
function readSignatures({ signature }: SignatureManifest, delivery: IncomingDelivery): string[] {
  const all = entriesAt(signature, delivery)
  return (signature.encoding ?? 'hex') === 'hex' ? all.map((text) => text.toLowerCase()) : all
}

/** Decodes strictly: decoders of Node.js skip invalid characters, which a signature must not contain. */
function decodeStrictly(text: string, encoding: 'hex' | 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding).replace(/=+$/, '') === text.replace(/=+$/, '') ? bytes : undefined
}

const TOLERANCE_SECONDS = 300

/** Returns the signed bytes; undefined if a part is missing, or the timestamp is too far from now. */
function signedMessage(
  { message = '{body}', timestamp, values = {} }: SignatureManifest,
  delivery: IncomingDelivery,
  now: number,
): Buffer | undefined {
  const names = new Map<string, string>()
  if (timestamp) {
    const [text] = entriesAt(timestamp, delivery)
    const timestampMs =
      text === undefined ? undefined : parseTimestampMs(text, timestamp.unit ?? 'timestamp', now)
    if (
      text === undefined ||
      timestampMs === undefined ||
      Math.abs(now - timestampMs) > (timestamp.tolerance_seconds ?? TOLERANCE_SECONDS) * 1_000
    )
      return undefined
    names.set('timestamp', text)
  }
  for (const [name, path] of Object.entries(values)) {
    const text = plainText(readPath(path, delivery))
    if (text === undefined) return undefined
    names.set(name, text)
  }
  const { method, url, path, raw } = delivery
  const parts: Readonly<Record<string, () => string>> = {
    method: () => method,
    url: () => url,
    path: () => path,
    sorted_form: () => sortedForm(delivery),
  }
  return fillTemplateBytes(
    message,
    (name) => names.get(name) ?? (Object.hasOwn(parts, name) ? parts[name]!() : undefined),
    { body: raw },
  )
}

const sortedForm = ({ form }: IncomingDelivery): string =>
  form
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => name + value)
    .join('')

const HASHES: Readonly<Record<VerifyOf<'public_key'>['algorithm'], string | null>> = {
  ed25519: null,
  ecdsa_sha256: 'sha256',
  rsa_sha256: 'sha256',
  rsa_sha1: 'sha1',
}
const KEY_TYPES: Readonly<Record<VerifyOf<'public_key'>['algorithm'], string>> = {
  ed25519: 'ed25519',
  ecdsa_sha256: 'ec',
  rsa_sha256: 'rsa',
  rsa_sha1: 'rsa',
}
/** Prefix of the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410). */
const ED25519_SPKI = '302a300506032b6570032100'

/** Parses a public key. Returns undefined for a key of another type: the key must not select the algorithm. */
function parsePublicKey(
  { algorithm, key_encoding: encoding = 'pem' }: VerifyOf<'public_key'>,
  text: string,
): KeyObject | undefined {
  try {
    const key =
      encoding === 'pem'
        ? createPublicKey(text.replaceAll('\\n', '\n'))
        : createPublicKey({ key: publicKeyDer(encoding, text), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === KEY_TYPES[algorithm] ? key : undefined
  } catch {
    return undefined
  }
}

const publicKeyDer = (encoding: 'base64' | 'hex', text: string): Buffer =>
  encoding === 'hex' ? Buffer.from(ED25519_SPKI + text, 'hex') : Buffer.from(text, 'base64')

import { createPublicKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import {
  type Delivery,
  type Lookup,
  MissingValue,
  momentMs,
  UnsafeValue,
  type VerifyManifest,
  type VerifyOf,
} from '../../catalog/index.ts'
import { timingSafeEqualText } from '../../platform/crypto/index.ts'
import { fillBytes, fillText } from '../texts.ts'
import { hmacOf } from './digest.ts'
import { isJwtRight, type KeysAt } from './jwt.ts'
import { at, entriesAt, plainText } from './values.ts'

/** What a delivery is proven with. */
export interface Proof {
  /** Secrets and what else the templates of the manifest name. */
  lookup: Lookup
  /** Milliseconds since the epoch. */
  now: number
  keysAt: KeysAt
  /** The events of the delivery, each as paths of the manifest see it; asked for where each has to hold the token. */
  items(): readonly object[]
}

/**
 * Whether a delivery proves itself as its manifest describes. What is missing, malformed or not set up proves nothing; secrets are compared in constant time.
 * @throws ProviderTrouble when the application's public keys cannot be had
 */
export async function isProven(verify: VerifyManifest, delivery: Delivery, proof: Proof): Promise<boolean> {
  try {
    return await KINDS[verify.kind](verify as never, delivery, proof)
  } catch (error) {
    if (error instanceof MissingValue || error instanceof UnsafeValue) return false
    throw error
  }
}

type Check<K extends VerifyManifest['kind']> = (
  verify: VerifyOf<K>,
  delivery: Delivery,
  proof: Proof,
) => boolean | Promise<boolean>

const KINDS: { readonly [K in VerifyManifest['kind']]: Check<K> } = {
  hmac(verify, delivery, { lookup, now }) {
    const message = messageOf(verify, delivery, now)
    const expected = message && hmacOf(verify, lookup, message)
    const { encoding = 'hex' } = verify.signature
    return (
      expected !== undefined &&
      givenIn(verify, delivery).some((one) => timingSafeEqualText(one, expected.toString(encoding)))
    )
  },
  public_key(verify, delivery, { lookup, now }) {
    const message = messageOf(verify, delivery, now)
    const key = message && keyOf(verify, fillText(verify.key, lookup))
    if (!message || !key) return false
    const { encoding = 'hex' } = verify.signature
    return givenIn(verify, delivery).some((one) => {
      const bytes = strictly(one, encoding)
      return bytes !== undefined && verifySignature(HASHES[verify.algorithm], message, key, bytes)
    })
  },
  token(verify, delivery, { lookup, items }) {
    const text = fillText(verify.equals, lookup)
    if (text === '') return false
    const expected = verify.encoding ? Buffer.from(text).toString(verify.encoding) : text
    const isThere = (place: object) =>
      entriesAt(verify, place).some((one) => timingSafeEqualText(one, expected))
    if (!verify.each) return isThere(delivery)
    const all = items()
    return all.length > 0 && all.every(isThere)
  },
  jwt: (verify, delivery, proof) => isJwtRight(verify, entriesAt(verify, delivery)[0], proof),
  address: () => true,
}

type Signed = VerifyOf<'hmac'> | VerifyOf<'public_key'>

/** In hex, letters of either case are the same digits. */
function givenIn({ signature }: Signed, delivery: Delivery): string[] {
  const all = entriesAt(signature, delivery)
  return (signature.encoding ?? 'hex') === 'hex' ? all.map((one) => one.toLowerCase()) : all
}

/** Decoders pass over what does not belong there; a signature has no such thing. */
function strictly(text: string, encoding: 'hex' | 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding).replace(/=+$/, '') === text.replace(/=+$/, '') ? bytes : undefined
}

const TOLERANCE_SECONDS = 300

/** The bytes that are signed; undefined where a part is missing, or the moment of signing is not near enough. */
function messageOf(
  { message = '{body}', timestamp, values = {} }: Signed,
  delivery: Delivery,
  now: number,
): Buffer | undefined {
  const own = new Map<string, string>()
  if (timestamp) {
    const [text] = entriesAt(timestamp, delivery)
    const moment = text === undefined ? undefined : momentMs(text, timestamp.unit ?? 'timestamp', now)
    if (
      text === undefined ||
      moment === undefined ||
      Math.abs(now - moment) > (timestamp.tolerance_seconds ?? TOLERANCE_SECONDS) * 1_000
    )
      return undefined
    own.set('timestamp', text)
  }
  for (const [name, path] of Object.entries(values)) {
    const text = plainText(at(path, delivery))
    if (text === undefined) return undefined
    own.set(name, text)
  }
  const { method, url, path, raw } = delivery
  const parts: Readonly<Record<string, () => string>> = {
    method: () => method,
    url: () => url,
    path: () => path,
    sorted_form: () => sortedForm(delivery),
  }
  return fillBytes(
    message,
    (name) => own.get(name) ?? (Object.hasOwn(parts, name) ? parts[name]!() : undefined),
    { body: raw },
  )
}

const sortedForm = ({ form }: Delivery): string =>
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
const TYPES: Readonly<Record<VerifyOf<'public_key'>['algorithm'], string>> = {
  ed25519: 'ed25519',
  ecdsa_sha256: 'ec',
  rsa_sha256: 'rsa',
  rsa_sha1: 'rsa',
}
/** What stands before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410). */
const ED25519_SPKI = '302a300506032b6570032100'

/** A key of another kind than the algorithm's is none: it would choose the algorithm. */
function keyOf(
  { algorithm, key_encoding: encoding = 'pem' }: VerifyOf<'public_key'>,
  text: string,
): KeyObject | undefined {
  try {
    const key =
      encoding === 'pem'
        ? createPublicKey(text.replaceAll('\\n', '\n'))
        : createPublicKey({ key: derOf(encoding, text), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === TYPES[algorithm] ? key : undefined
  } catch {
    return undefined
  }
}

const derOf = (encoding: 'base64' | 'hex', text: string): Buffer =>
  encoding === 'hex' ? Buffer.from(ED25519_SPKI + text, 'hex') : Buffer.from(text, 'base64')

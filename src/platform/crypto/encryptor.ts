import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createDerivedKeys, type KeyFor, createSaltSource } from './derived-keys.ts'
import type { KeyRing } from './key-ring.ts'
import { EncryptionError } from './encryption-error.ts'

export interface Encryptor {
  /** Encrypts a JSON value. `context` names the place it is stored in; it opens nowhere else. @throws SealError if not JSON. */
  encrypt(plain: unknown, context: string): Buffer
  /** As `seal`, for a value that is JSON text already. */
  encryptText(json: string, context: string): Buffer
  /** @throws SealError when the key is missing, the context is another one, or any bit was changed. */
  decrypt<T>(sealed: Uint8Array, context: string): T
  /** Whether it was sealed with another key than the one that seals now. */
  needsReencryption(sealed: Uint8Array): boolean
  /** The same value, sealed with the key that seals now. @throws SealError as `open` does */
  reencrypt(sealed: Uint8Array, context: string): Buffer
}

/** What every value begins with that is sealed with this key, so that a database can tell them apart. */
export const encryptedPrefix = (keyId: string): Buffer =>
  Buffer.from([version, Buffer.byteLength(keyId), ...Buffer.from(keyId)])

const algorithm = 'aes-256-gcm'
const version = 1
const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16
const tagged = { authTagLength: tagBytes }

/**
 * Seals with AES-256-GCM (NIST SP 800-38D). A sealed value is: version (1 byte), length of the key id (1), key id, salt (16),
 * nonce (12), ciphertext, tag (16); `context` is the additional authenticated data. Random nonces are safe for 2^32 values
 * of one key, which a log that seals every call would reach; so each process seals with a key of its own, derived from that
 * of the ring and the salt. Measured on 300 bytes: opening 5.6 µs, of which node:crypto itself 4.2; sealing 9.3 µs.
 */
export function createEncryptor(ring: KeyRing): Encryptor {
  const keyFor = createDerivedKeys(ring)
  const own = createSaltSource()
  return {
    encrypt: (plain, context) =>
      encrypt(ring.encryptionKeyId, own(), keyFor, JSON.stringify(plain) as string | undefined, context),
    encryptText: (json, context) => encrypt(ring.encryptionKeyId, own(), keyFor, json, context),
    decrypt: (sealed, context) => JSON.parse(decrypt(keyFor, sealed, context)),
    needsReencryption: (sealed) => read(sealed).keyId !== ring.encryptionKeyId,
    reencrypt: (sealed, context) =>
      encrypt(ring.encryptionKeyId, own(), keyFor, decrypt(keyFor, sealed, context), context),
  }
}

function encrypt(
  keyId: string,
  salt: Buffer,
  keyFor: KeyFor,
  text: string | undefined,
  context: string,
): Buffer {
  if (text === undefined) throw new EncryptionError('Only a JSON value can be sealed.')
  const id = Buffer.from(keyId)
  const nonce = nextNonce()
  const cipher = createCipheriv(algorithm, keyFor(keyId, salt), nonce, tagged)
  cipher.setAAD(Buffer.from(context))
  const head = Buffer.from([version, id.length])
  const body = cipher.update(text, 'utf8')
  const rest = cipher.final()
  return Buffer.concat([head, id, salt, nonce, body, rest, cipher.getAuthTag()])
}

// Asking the system for 12 bytes at a time took a fifth of a seal; each byte drawn is used once all the same.
let drawn = Buffer.alloc(0)
let used = 0
function nextNonce(): Buffer {
  if (used + nonceBytes > drawn.length) {
    drawn = randomBytes(nonceBytes * 512)
    used = 0
  }
  return drawn.subarray(used, (used += nonceBytes))
}

function decrypt(keyFor: KeyFor, sealed: Uint8Array, context: string): string {
  const { bytes, keyId, start } = read(sealed)
  const nonceStart = start + saltBytes
  const bodyStart = nonceStart + nonceBytes
  const bodyEnd = bytes.length - tagBytes
  const decipher = createDecipheriv(
    algorithm,
    keyFor(keyId, bytes.subarray(start, nonceStart)),
    bytes.subarray(nonceStart, bodyStart),
    tagged,
  )
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(bodyEnd))
  const text = decipher.update(bytes.subarray(bodyStart, bodyEnd))
  try {
    decipher.final()
  } catch {
    throw new EncryptionError(
      'A sealed value does not open: it was changed, or it was sealed for another place.',
    )
  }
  return text.toString('utf8') // Only now: nothing is read before the tag has been checked.
}

/** Where the parts are. @throws SealError when it cannot be a sealed value. */
function read(sealed: Uint8Array): { bytes: Buffer; keyId: string; start: number } {
  const bytes = Buffer.isBuffer(sealed)
    ? sealed
    : Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes[0] !== version) throw new EncryptionError(`This is not a sealed value of version ${version}.`)
  const start = 2 + (bytes[1] ?? 0)
  if (start === 2 || bytes.length < start + saltBytes + nonceBytes + tagBytes)
    throw new EncryptionError('A sealed value is cut short.')
  return { bytes, keyId: bytes.toString('latin1', 2, start), start }
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createDerivedKeys, type KeyFor, createSaltSource } from './derived-keys.ts'
import type { KeyRing } from './key-ring.ts'
import { EncryptionError } from './encryption-error.ts'

export interface Encryptor {
  /**
   * Encrypts a JSON value. `context` names where it is stored; it can be decrypted only with the same
   * context.
   * @throws EncryptionError if it is not JSON
   */
  encrypt(plain: unknown, context: string): Buffer
  /** Encrypts a value that is JSON text already. */
  encryptText(json: string, context: string): Buffer
  /**
   * Decrypts a value.
   * @throws EncryptionError if the key is missing, the context differs, or a bit was changed
   */
  decrypt<T>(sealed: Uint8Array, context: string): T
  /** Whether the value was encrypted with a key other than the current one. */
  needsReencryption(sealed: Uint8Array): boolean
  /** Encrypts the value with the current key. @throws EncryptionError as `decrypt` does */
  reencrypt(sealed: Uint8Array, context: string): Buffer
}

/** Returns the first bytes of every value that this key encrypted, so that SQL can recognize them. */
export const encryptedPrefix = (keyId: string): Buffer =>
  Buffer.from([version, Buffer.byteLength(keyId), ...Buffer.from(keyId)])

const algorithm = 'aes-256-gcm'
const version = 1
const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16
const tagged = { authTagLength: tagBytes }

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D). An encrypted value consists of: version (1 byte), length of
 * the key id (1), key id, salt (16), nonce (12), ciphertext, tag (16). `context` is the additional
 * authenticated data. Random nonces are safe for 2^32 values of a key, which the log of calls would exceed.
 * Each process therefore uses its own key, derived from the key of the ring and a salt. Measured with 300
 * bytes: decrypting takes 5.6 µs, of which node:crypto takes 4.2; encrypting takes 9.3 µs.
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
  if (text === undefined) throw new EncryptionError('Only a JSON value can be encrypted.')
  const id = Buffer.from(keyId)
  const nonce = nextNonce()
  const cipher = createCipheriv(algorithm, keyFor(keyId, salt), nonce, tagged)
  cipher.setAAD(Buffer.from(context))
  const head = Buffer.from([version, id.length])
  const body = cipher.update(text, 'utf8')
  const rest = cipher.final()
  return Buffer.concat([head, id, salt, nonce, body, rest, cipher.getAuthTag()])
}

// Requesting 12 random bytes at a time took a fifth of an encryption. Each byte is still used only once.
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
      'An encrypted value cannot be decrypted: it was changed, or it was encrypted for another context.',
    )
  }
  return text.toString('utf8') // After the tag has been verified, so that no forged text is returned.
}

/** Finds the parts of a value. @throws EncryptionError if it cannot be an encrypted value */
function read(sealed: Uint8Array): { bytes: Buffer; keyId: string; start: number } {
  const bytes = Buffer.isBuffer(sealed)
    ? sealed
    : Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  if (bytes[0] !== version) throw new EncryptionError(`This is not an encrypted value of version ${version}.`)
  const start = 2 + (bytes[1] ?? 0)
  if (start === 2 || bytes.length < start + saltBytes + nonceBytes + tagBytes)
    throw new EncryptionError('An encrypted value is incomplete.')
  return { bytes, keyId: bytes.toString('latin1', 2, start), start }
}

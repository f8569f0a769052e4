import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import { EncryptionError } from './encryption-error.ts'

/** Values of the key ring. */
export const RING_VERSION = 1
/** Values of a data key. */
export const DATA_KEY_VERSION = 2

const prefixOf = (version: number, keyId: string): Buffer =>
  Buffer.from([version, Buffer.byteLength(keyId), ...Buffer.from(keyId)])

/** Returns the first bytes of every value that this key of the ring encrypted, so that SQL can recognize them. */
export const encryptedPrefix = (keyId: string): Buffer => prefixOf(RING_VERSION, keyId)

const algorithm = 'aes-256-gcm'
const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16
const tagged = { authTagLength: tagBytes }

/** Names a key of the ring or a data key. */
export interface KeyName {
  version: number
  keyId: string
}

/** What encrypts: a key derived from a stored key and a salt, and the bytes before the nonce of each value. */
export interface EncryptionKey {
  key: KeyObject
  head: Buffer
}

export const encryptionKey = ({ version, keyId }: KeyName, salt: Buffer, key: KeyObject): EncryptionKey => ({
  key,
  head: Buffer.concat([prefixOf(version, keyId), salt]),
})

/** Returns the key derived from a stored key and a salt. @throws EncryptionError if this process does not have the key */
export type KeyFor = (name: KeyName, salt: Buffer) => KeyObject

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D). An encrypted value consists of: version (1 byte: 1 for a key of the
 * ring, 2 for a data key), length of the key id (1), key id, salt (16), nonce (12), ciphertext, tag (16). `context` is
 * the additional authenticated data. Random nonces are safe for 2^32 values of a key, which the log of calls would
 * exceed. Each process therefore uses its own keys, derived from the stored key and a salt. Measured with 300
 * bytes: decrypting takes 5.6 µs, of which node:crypto takes 4.2; encrypting takes 9.3 µs.
 */
export function encryptText({ key, head }: EncryptionKey, text: string, context: string): Buffer {
  const nonce = nextNonce()
  const cipher = createCipheriv(algorithm, key, nonce, tagged)
  cipher.setAAD(Buffer.from(context))
  const body = cipher.update(text, 'utf8')
  cipher.final() // no bytes: the mode is a stream cipher
  return Buffer.concat([head, nonce, body, cipher.getAuthTag()])
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

/** @throws EncryptionError if the context differs, or a bit was changed */
export function decryptText(keyFor: KeyFor, encrypted: Uint8Array, context: string): string {
  const { bytes, version, keyId, start } = readEncrypted(encrypted)
  const nonceStart = start + saltBytes
  const bodyStart = nonceStart + nonceBytes
  const bodyEnd = bytes.length - tagBytes
  const decipher = createDecipheriv(
    algorithm,
    keyFor({ version, keyId }, bytes.subarray(start, nonceStart)),
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
export function readEncrypted(encrypted: Uint8Array): {
  bytes: Buffer
  version: number
  keyId: string
  start: number
} {
  const bytes = Buffer.isBuffer(encrypted)
    ? encrypted
    : Buffer.from(encrypted.buffer, encrypted.byteOffset, encrypted.byteLength)
  const version = bytes[0]
  if (version !== RING_VERSION && version !== DATA_KEY_VERSION)
    throw new EncryptionError(
      `This is not an encrypted value of version ${RING_VERSION} or ${DATA_KEY_VERSION}.`,
    )
  const start = 2 + (bytes[1] ?? 0)
  if (start === 2 || bytes.length < start + saltBytes + nonceBytes + tagBytes)
    throw new EncryptionError('An encrypted value is incomplete.')
  return { bytes, version, keyId: bytes.toString('latin1', 2, start), start }
}

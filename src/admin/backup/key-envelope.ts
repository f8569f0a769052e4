import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createEncryptor, EncryptionError, type KeyRing } from '../../platform/crypto/index.ts'
import { StartupError } from '../../platform/startup-error.ts'
import type { Manifest } from './manifest.ts'

const PASSPHRASE_LENGTH_MIN = 12
const ALGORITHM = 'aes-256-gcm'
/** OWASP Password Storage Cheat Sheet: scrypt with N = 2^17, r = 8, p = 1. It takes 128 MB for a moment. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }
const CHECK_CONTEXT = 'backup:key-check'

/** Encrypted with a key that scrypt derives from a passphrase. All values in base64. */
interface Envelope {
  salt: string
  nonce: string
  tag: string
  ciphertext: string
}

/** Reads the first line of the file. @throws StartupError */
export async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new StartupError(
      `The passphrase file ${file} cannot be read: ${cause.message}`,
      'Name a file whose first line is the passphrase.',
      { cause },
    )
  })
  const passphrase = text.split(/\r?\n/, 1)[0] ?? ''
  if (passphrase.length >= PASSPHRASE_LENGTH_MIN) return passphrase
  throw new StartupError(
    `The passphrase in ${file} has ${passphrase.length} characters; at least ${PASSPHRASE_LENGTH_MIN} are needed.`,
    'Generate one, for example with `openssl rand -base64 24`.',
  )
}

/** Encrypts the keys of a ring. */
export async function encryptKeys(ring: KeyRing, passphrase: string): Promise<Buffer> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv(ALGORITHM, await deriveKey(passphrase, salt), nonce)
  const ciphertext = Buffer.concat([cipher.update(keyLines(ring), 'utf8'), cipher.final()])
  const base64 = (bytes: Buffer) => bytes.toString('base64')
  const envelope: Envelope = {
    salt: base64(salt),
    nonce: base64(nonce),
    tag: base64(cipher.getAuthTag()),
    ciphertext: base64(ciphertext),
  }
  return Buffer.from(JSON.stringify(envelope))
}

/** Returns the lines of the key file. @throws StartupError if the passphrase is wrong */
export async function decryptKeys(bytes: Buffer, passphrase: string): Promise<string> {
  const { salt, nonce, tag, ciphertext } = JSON.parse(bytes.toString('utf8')) as Envelope
  const decode = (text: string) => Buffer.from(text, 'base64')
  const decipher = createDecipheriv(ALGORITHM, await deriveKey(passphrase, decode(salt)), decode(nonce))
  decipher.setAuthTag(decode(tag))
  try {
    return Buffer.concat([decipher.update(decode(ciphertext)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new StartupError(
      'The passphrase is not the one with which this backup was made.',
      'Use the passphrase of this backup.',
      { cause },
    )
  }
}

const deriveKey = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, 32, SCRYPT, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

const keyLines = (ring: KeyRing): string =>
  ring.ids.map((id) => `${id}:${ring.key(id)!.export().toString('base64')}\n`).join('')

/** Encrypts a value with each key, so that a restore can compare keys without having them. */
export const describeKeys = (ring: KeyRing): Manifest['keys'] =>
  ring.ids.map((id) => ({
    id,
    check: createEncryptor({ encryptionKeyId: id, ids: [id], key: (asked) => ring.key(asked) })
      .encryptWithRing(id, CHECK_CONTEXT)
      .toString('base64'),
  }))

/** Whether the ring has every key of the backup. @throws StartupError that names the missing keys */
export function assertHasKeys(ring: KeyRing, keys: Manifest['keys'], source: string): void {
  const encryptor = createEncryptor(ring)
  const missing = keys.filter(({ check }) => {
    try {
      encryptor.decrypt(Buffer.from(check, 'base64'), CHECK_CONTEXT)
      return false
    } catch (error) {
      if (!(error instanceof EncryptionError)) throw error
      return true
    }
  })
  if (missing.length)
    throw new StartupError(
      `${source} does not have the encryption keys of this backup: ${missing.map(({ id }) => id).join(', ')}.`,
      'Put the key file of that server there, set ENCRYPTION_KEYS, or use --passphrase-file with a backup that ' +
        'contains the keys.',
    )
}

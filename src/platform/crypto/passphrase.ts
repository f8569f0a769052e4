import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'

export const PASSPHRASE_LENGTH_MIN = 12

const ALGORITHM = 'aes-256-gcm'
/** OWASP Password Storage Cheat Sheet: scrypt with N = 2^17, r = 8, p = 1. It takes 128 MB for a moment. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }

/** A text that is encrypted with a key that scrypt derives from a passphrase. All values in base64. */
export interface PassphraseEnvelope {
  salt: string
  nonce: string
  tag: string
  ciphertext: string
}

/** A text cannot be decrypted. The message contains no part of it. */
export class PassphraseError extends Error {
  constructor(cause: unknown) {
    super('The passphrase is another one, or the content was changed.', { cause })
    this.name = 'PassphraseError'
  }
}

/** Encrypts a text with a passphrase. Each envelope has a salt and so a key of its own. */
export async function encryptWithPassphrase(plain: string, passphrase: string): Promise<PassphraseEnvelope> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv(ALGORITHM, await deriveKey(passphrase, salt), nonce)
  const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  const base64 = (bytes: Buffer) => bytes.toString('base64')
  return {
    salt: base64(salt),
    nonce: base64(nonce),
    tag: base64(cipher.getAuthTag()),
    ciphertext: base64(ciphertext),
  }
}

/** @throws PassphraseError if the passphrase is another one, or the envelope was changed */
export async function decryptWithPassphrase(
  envelope: PassphraseEnvelope,
  passphrase: string,
): Promise<string> {
  const [salt, nonce, tag, ciphertext] = [
    envelope.salt,
    envelope.nonce,
    envelope.tag,
    envelope.ciphertext,
  ].map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer, Buffer, Buffer]
  const key = await deriveKey(passphrase, salt)
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: 16 })
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new PassphraseError(cause)
  }
}

const deriveKey = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, 32, SCRYPT, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const secretLength = 32
const shownAtEnd = 4

/** Creates an API key: the prefix, `_`, and 32 random characters of A-Z, a-z and 0-9 (190 bits). */
export function newApiKey(prefix: 'ak' | 'oak'): string {
  const limit = 256 - (256 % alphabet.length) // Larger bytes would make the first letters more likely.
  let secret = ''
  while (secret.length < secretLength) {
    for (const byte of randomBytes(secretLength)) {
      if (byte < limit && secret.length < secretLength) secret += alphabet[byte % alphabet.length]
    }
  }
  return `${prefix}_${secret}`
}

/** Returns the SHA-256 that is stored of an API key. A key with 190 random bits needs no slow hash. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Masks a key: `ak_**UbOz`. Keys below 16 characters show no end. */
export function maskKey(key: string): string {
  const prefix = /^[a-z]{1,8}_/.exec(key)?.[0] ?? ''
  return `${prefix}**${key.length - prefix.length < 16 ? '' : key.slice(-shownAtEnd)}`
}

/** Compares two secrets in a time that does not depend on where they differ. */
export function timingSafeEqualText(a: string, b: string): boolean {
  return timingSafeEqual(hashKey(a), hashKey(b)) // Hashes have the same length, as timingSafeEqual requires.
}

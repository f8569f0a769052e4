import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const secretLength = 32
const shownAtEnd = 4

/** A new API key: the prefix, `_`, and 32 random characters of A-Z, a-z and 0-9 (190 bits). */
export function newApiKey(prefix: 'ak' | 'oak'): string {
  const limit = 256 - (256 % alphabet.length) // Bytes from here on would make the first letters likelier.
  let secret = ''
  while (secret.length < secretLength) {
    for (const byte of randomBytes(secretLength)) {
      if (byte < limit && secret.length < secretLength) secret += alphabet[byte % alphabet.length]
    }
  }
  return `${prefix}_${secret}`
}

/** What is stored of an API key: SHA-256. A key of 190 random bits needs no slow hash. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** How a key is shown once it was given out: `ak_**UbOz`. Short ones (below 16 characters) show no end. */
export function maskKey(key: string): string {
  const prefix = /^[a-z]{1,8}_/.exec(key)?.[0] ?? ''
  return `${prefix}**${key.length - prefix.length < 16 ? '' : key.slice(-shownAtEnd)}`
}

/** Whether two secrets are equal; the time taken tells nothing about where they differ. */
export function timingSafeEqualText(a: string, b: string): boolean {
  return timingSafeEqual(hashKey(a), hashKey(b)) // Hashes have one length; timingSafeEqual demands that.
}

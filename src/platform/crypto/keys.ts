import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 154 bits. */
const RANDOM_CHARACTERS = 26
const CHECKSUM_CHARACTERS = 6
const shownAtEnd = 4

/**
 * Creates an API key: the prefix, `_`, 26 random characters of 0-9, A-Z and a-z, and a checksum of six. With the
 * checksum, secret scanners distinguish keys from other texts without asking the server.
 */
export function newApiKey(prefix: 'ak' | 'oak'): string {
  const limit = 256 - (256 % ALPHABET.length) // Larger bytes would make the first letters more likely.
  let key = `${prefix}_`
  const length = key.length + RANDOM_CHARACTERS
  while (key.length < length) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      if (byte < limit && key.length < length) key += ALPHABET[byte % ALPHABET.length]
    }
  }
  return key + checksumOf(key)
}

/** Returns the CRC-32 of a key without its checksum, in base 62 with six digits, as GitHub's tokens have it. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < CHECKSUM_CHARACTERS; place++) {
    digits = (ALPHABET[rest % ALPHABET.length] as string) + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}

/** Whether a text is a key of this server by its checksum. Keys of earlier versions and of administrators have none. */
export function hasKeyChecksum(text: string): boolean {
  const at = text.length - CHECKSUM_CHARACTERS
  return /^o?ak_[0-9A-Za-z]{32}$/.test(text) && checksumOf(text.slice(0, at)) === text.slice(at)
}

/** Returns the SHA-256 that is stored of an API key. A key with 154 random bits needs no slow hash. */
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

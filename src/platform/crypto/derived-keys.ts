import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { createCache } from '../cache.ts'
import { type EncryptionKey, encryptionKey, type KeyName } from './cipher.ts'

/** A key that encrypts values through keys derived from it. */
export interface MasterKey {
  /** Unique among all keys of the process. */
  name: string
  /** How values name the key. */
  keyName: KeyName
  /** @throws EncryptionError if this process does not have the key */
  read(): KeyObject
}

const KEY_BYTES = 32
const SALT_BYTES = 16
/**
 * Each earlier process left one salt or a few for each project. If there are more than this, keys are derived again
 * (about 10 µs).
 */
const KEYS_MAX = 20_000
/** Far below 2^32, the number of values for which random nonces are safe (NIST SP 800-38D §8.3). */
const VALUES_A_SALT = 2 ** 30

/** Derives keys with HKDF-SHA-256 (RFC 5869), and caches them. */
export class DerivedKeys {
  readonly #known = createCache<string, KeyObject>({ max: KEYS_MAX })
  /** By the name of the master key: what this process encrypts with now. */
  readonly #encrypting = createCache<string, EncryptionKey & { salt: Buffer }>({ max: KEYS_MAX })

  of({ name, read }: MasterKey, salt: Buffer): KeyObject {
    const place = `${name}:${salt.toString('latin1')}`
    const found = this.#known.get(place)
    if (found) return found
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', read(), salt, 'patchbay seal', KEY_BYTES)))
    this.#known.set(place, key)
    return key
  }

  /** Returns what encrypts with a salt of `createSaltSource`. */
  forEncryption(master: MasterKey, salt: Buffer): EncryptionKey {
    const found = this.#encrypting.get(master.name)
    if (found?.salt === salt) return found
    const created = { salt, ...encryptionKey(master.keyName, salt, this.of(master, salt)) }
    this.#encrypting.set(master.name, created)
    return created
  }

  forget(name: string): void {
    this.#encrypting.delete(name)
    for (const place of this.#known.keys()) if (place.startsWith(`${name}:`)) this.#known.delete(place)
  }
}

/** Returns a salt for encryption: one for this process, replaced before it has been used too often. */
export function createSaltSource(most = VALUES_A_SALT): () => Buffer {
  let salt = randomBytes(SALT_BYTES)
  let used = 0
  return () => {
    if (++used > most) {
      salt = randomBytes(SALT_BYTES)
      used = 1
    }
    return salt
  }
}

import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { createCache } from '../cache.ts'
import type { KeyRing } from './key-ring.ts'
import { EncryptionError } from './encryption-error.ts'

/**
 * Returns the key derived from a key of the ring and a salt.
 * @throws EncryptionError if the ring does not have the key
 */
export type KeyFor = (keyId: string, salt: Buffer) => KeyObject

const KEY_BYTES = 32
const SALT_BYTES = 16
/**
 * Each earlier process left one salt or a few. If there are more than this, keys are derived again (about 10
 * µs).
 */
const KEYS_MAX = 1_000
/** Far below 2^32, the number of values for which random nonces are safe (NIST SP 800-38D §8.3). */
const VALUES_A_SALT = 2 ** 30

/** Derives keys with HKDF-SHA-256 (RFC 5869), and caches them. */
export function createDerivedKeys(ring: KeyRing): KeyFor {
  const known = createCache<string, KeyObject>({ max: KEYS_MAX })
  return (keyId, salt) => {
    const name = `${keyId}:${salt.toString('latin1')}`
    const found = known.get(name)
    if (found) return found
    const master = ring.key(keyId)
    // The id of a damaged value can contain anything, so it is quoted as JSON and shortened.
    if (!master)
      throw new EncryptionError(
        `The key ${JSON.stringify(keyId.slice(0, 32))} is not in the key ring. Add it to ENCRYPTION_KEYS ` +
          'or to the key file.',
      )
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', master, salt, 'patchbay seal', KEY_BYTES)))
    known.set(name, key)
    return key
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

import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { KeyRing } from './key-ring.ts'
import { EncryptionError } from './encryption-error.ts'

/** The key that a ring's key and a salt make. @throws SealError when the ring lacks the key */
export type KeyFor = (keyId: string, salt: Buffer) => KeyObject

const KEY_BYTES = 32
const SALT_BYTES = 16
/** Each process of the past left one salt or a few; more than this many at once are derived again (some 10 µs). */
const KEYS_MAX = 1_000
/** Far below the 2^32 values that random nonces are safe for (NIST SP 800-38D §8.3). */
const VALUES_A_SALT = 2 ** 30

/** HKDF-SHA-256 (RFC 5869), remembered. */
export function createDerivedKeys(ring: KeyRing): KeyFor {
  const known = new LRUCache<string, KeyObject>({ max: KEYS_MAX })
  return (keyId, salt) => {
    const name = `${keyId}:${salt.toString('latin1')}`
    const found = known.get(name)
    if (found) return found
    const master = ring.key(keyId)
    // The id of a damaged value may hold anything: shown as JSON, and cut.
    if (!master)
      throw new EncryptionError(
        `The key ${JSON.stringify(keyId.slice(0, 32))} is not in the key ring. Add it to ENCRYPTION_KEYS or to the key file.`,
      )
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', master, salt, 'patchbay seal', KEY_BYTES)))
    known.set(name, key)
    return key
  }
}

/** The salt to seal with: one for this process, and another before it has been used too often. */
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

import type { KeyObject } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'

/**
 * A source of keys. The key file and ENCRYPTION_KEYS are two. A key file whose keys a key management service has
 * encrypted is a third: its `load` decrypts them once, so that neither encryption nor decryption waits for a network.
 */
export interface KeySource {
  /** For messages: a path, a setting or a URL. */
  name: string
  /** Called once, at the start. */
  load(): Promise<KeyRing>
  /**
   * Returns the current keys if they differ from the last call, else undefined. It must not wait: it reads a
   * file, or what the source has fetched in the meantime. Absent if keys change with a restart only. If it
   * throws, the keys stay the same.
   */
  changed?(): KeyRing | undefined
}

/** How long a process may encrypt with a key that is no longer the first, in ms. */
export const KEY_CHECK_INTERVAL_MS = 1_000

/**
 * Loads the ring of a source and keeps it up to date. The first key is checked once a second while values are
 * encrypted, and an unknown key id causes a check at once. Each process can thus decrypt values of a new key
 * as soon as the source has it. A process remembers removed keys until it ends: it may decrypt values that it
 * read before a rotation.
 */
export async function loadKeyRing(source: KeySource): Promise<KeyRing> {
  let ring = await source.load()
  if (!source.changed) return ring
  const known = new Map<string, KeyObject | undefined>()
  const remember = (next: KeyRing) => {
    ring = next
    for (const id of next.ids) known.set(id, next.key(id))
  }
  const look = () => {
    lookedAt = performance.now()
    try {
      const next = source.changed!()
      if (next) remember(next)
    } catch {
      // The file is being edited. The previous keys still work.
    }
  }
  let lookedAt = performance.now()
  remember(ring)
  return {
    get encryptionKeyId() {
      if (performance.now() - lookedAt > KEY_CHECK_INTERVAL_MS) look()
      return ring.encryptionKeyId
    },
    get ids() {
      return ring.ids
    },
    key(id) {
      if (!known.has(id)) look()
      return known.get(id)
    },
  }
}

import type { KeyObject } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'

/**
 * Where the keys of the ring come from. The key file and ENCRYPTION_KEYS are two; a key management service is a third: its `load` unwraps the
 * keys that are stored wrapped beside the data, once, so that no seal and no read waits for a network.
 */
export interface KeySource {
  /** For messages: a path, a setting, an address. */
  name: string
  /** Asked once, at the start. */
  load(): Promise<KeyRing>
  /**
   * The keys of now if they are others than at the last call, else undefined. Answers at once from what is at hand (a file, or what a
   * source of its own fetched meanwhile); left out where keys change with a restart only. May throw: then the keys stay as they are.
   */
  changed?(): KeyRing | undefined
}

/** How long a process may go on sealing with a key that is no longer the first, in ms. */
export const KEY_CHECK_INTERVAL_MS = 1_000

/**
 * The ring that a source gives, kept up to date: the first key is looked for once a second while something is sealed, and a key that is not known
 * makes it look at once. So a value of a new key can be read by every process as soon as its source names that key. What a process has
 * known it knows until it ends: values that it read before a rotation may be opened after it.
 */
export async function loadKeyRing(source: KeySource): Promise<KeyRing> {
  let ring = await source.load()
  if (!source.changed) return ring
  const known = new Map<string, KeyObject | undefined>()
  const learn = (next: KeyRing) => {
    ring = next
    for (const id of next.ids) known.set(id, next.key(id))
  }
  const look = () => {
    lookedAt = performance.now()
    try {
      const next = source.changed!()
      if (next) learn(next)
    } catch {
      /* A file in the middle of being mended: the keys of before still work. */
    }
  }
  let lookedAt = performance.now()
  learn(ring)
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

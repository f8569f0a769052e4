import type { KeyObject } from 'node:crypto'

/** The keys that stored secrets are sealed with. The first seals, all of them open. */
export interface KeyRing {
  readonly sealingKeyId: string
  /** Undefined when the ring does not hold that key. */
  key(id: string): KeyObject | undefined
}

/**
 * Reads a comma list of `id:key`, the key being 32 bytes in base64. @throws Error with a message that names the entry by
 * its position and says the rule, never its text.
 */
export function keyRingFrom(text: string): KeyRing {
  throw new Error(`not built: ${text.length}`)
}

/**
 * The ring in `<dataDir>/encryption.keys`, one `id:key` a line; the file is made with one new key if it is missing.
 * @throws StartupError when others may read the file, or when it cannot be read or written.
 */
export async function loadOrCreateKeyFile(dataDir: string): Promise<KeyRing> {
  throw new Error(`not built: ${dataDir}`)
}

import { createSecretKey, type KeyObject } from 'node:crypto'

/** The keys that encrypt stored secrets. The first one encrypts, all of them decrypt. */
export interface KeyRing {
  readonly encryptionKeyId: string
  /** Ids of all keys, the encrypting one first. */
  readonly ids: readonly string[]
  /** Returns undefined if the ring does not have the key. */
  key(id: string): KeyObject | undefined
}

const wellFormed = /^([A-Za-z0-9][A-Za-z0-9_-]{0,31}):([A-Za-z0-9+/]{43}=?)$/

/**
 * Parses `id:key` entries, separated by commas or line ends; a key is 32 bytes in base64.
 * @throws Error that names the position of an invalid entry and the rule, never its text
 */
export function parseKeyRing(text: string): KeyRing {
  // KeyObjects: each use is faster, and printing a ring cannot print a key.
  const keys = new Map<string, KeyObject>()
  const entries = text
    .split(/[,\r\n]+/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  for (const [position, entry] of entries.entries()) {
    const [, id, key] = wellFormed.exec(entry) ?? []
    if (id === undefined || key === undefined) {
      throw new Error(
        `key ${position + 1} is not \`id:key\` with an id of 1 to 32 letters, digits, _ or - and a key ` +
          'of 32 bytes in base64',
      )
    }
    if (keys.has(id)) throw new Error(`key ${position + 1} has the id of an earlier one`)
    keys.set(id, createSecretKey(key, 'base64'))
  }
  const sealingKeyId = keys.keys().next().value
  if (sealingKeyId === undefined) throw new Error('there is no key in it')
  return { encryptionKeyId: sealingKeyId, ids: [...keys.keys()], key: (id) => keys.get(id) }
}

import { DATA_KEY_VERSION } from './cipher.ts'
import type {
  DataKey,
  DataKeyCache,
  DataKeyPurpose,
  DataKeyStore,
  NewDataKey,
  StoredDataKey,
} from './data-keys.ts'
import { EncryptionError } from './encryption-error.ts'

/** What reads data keys from a store into memory. */
export interface DataKeyLoads {
  readonly cache: DataKeyCache
  /** Reads of keys in progress, by purpose and project: concurrent calls share them. */
  readonly loads: Map<string, Promise<DataKey>>
  /** Decrypts a data key of the store. */
  open(stored: StoredDataKey): DataKey
  create(): NewDataKey
}

/**
 * A key that changes while it is read is read again: otherwise a process would continue to use a key that has been
 * replaced or destroyed, because the notification came before the key was in memory. More changes in a row do not
 * occur.
 */
const READS_MAX = 5

/** Reads the data key with which a project encrypts or computes hashes. @throws EncryptionError if it was erased */
export function loadCurrentKey(
  { cache, loads, open, create }: DataKeyLoads,
  store: DataKeyStore | undefined,
  projectId: string,
  purpose: DataKeyPurpose,
): Promise<DataKey> {
  const place = `${purpose} ${projectId}`
  const running = loads.get(place)
  if (running) return running
  const load = (async () => {
    for (let reads = 1; ; reads++) {
      const { changes } = cache
      const stored = await store?.findOrCreate(projectId, purpose, create)
      if (!stored)
        throw new EncryptionError(
          `The project ${projectId} has no data key: it does not exist or was deleted.`,
        )
      if (reads < READS_MAX && cache.hasChangedSince(changes, projectId)) continue
      const key = open(stored)
      if (purpose === 'hashing') cache.setHashing(key)
      else cache.setCurrent(key)
      return key
    }
  })().finally(() => loads.delete(place))
  loads.set(place, load)
  return load
}

/**
 * Reads the data keys of values that are not in memory; returns undefined if there are none. A value whose data key was
 * destroyed fails when it is decrypted.
 */
export function loadKeys(
  { cache, open }: DataKeyLoads,
  store: DataKeyStore | undefined,
  values: readonly Uint8Array[],
): Promise<void> | undefined {
  const missing = new Set<string>()
  for (const value of values) {
    if (value[0] !== DATA_KEY_VERSION) continue
    const keyId = Buffer.from(value.buffer, value.byteOffset + 2, Math.min(value[1] ?? 0, value.length - 2))
    const id = keyId.toString('latin1')
    if (!cache.key(id) && id.startsWith('dk_')) missing.add(id)
  }
  if (!store || !missing.size) return undefined
  return readKeys({ cache, open }, store, [...missing])
}

async function readKeys(
  { cache, open }: Pick<DataKeyLoads, 'cache' | 'open'>,
  store: DataKeyStore,
  ids: readonly string[],
): Promise<void> {
  for (let reads = 1, rest = ids; rest.length > 0; reads++) {
    const { changes } = cache
    const changed: string[] = []
    for (const stored of await store.find(rest)) {
      if (reads < READS_MAX && cache.hasChangedSince(changes, stored.project_id)) changed.push(stored.id)
      else if (stored.is_current) cache.setCurrent(open(stored))
      else cache.add(open(stored))
    }
    rest = changed
  }
}

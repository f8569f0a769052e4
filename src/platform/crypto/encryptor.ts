import { createHmac, type KeyObject } from 'node:crypto'
import { newId } from '../ids.ts'
import {
  DATA_KEY_VERSION,
  decryptText,
  encryptText,
  type KeyName,
  readEncrypted,
  RING_VERSION,
} from './cipher.ts'
import {
  type DataKey,
  DataKeyCache,
  dataKeyContext,
  type DataKeyStore,
  type NewDataKey,
  newDataKeyText,
  parseDataKey,
  type StoredDataKey,
} from './data-keys.ts'
import { createSaltSource, DerivedKeys, type MasterKey } from './derived-keys.ts'
import type { KeyRing } from './key-ring.ts'
import { type DataKeyLoads, loadCurrentKey, loadKeys } from './load-data-keys.ts'
import { EncryptionError } from './encryption-error.ts'

/** Encrypts values of one project with its data key. */
export interface ProjectEncryptor {
  /**
   * Encrypts a JSON value. `context` names where it is stored; it can be decrypted only with the same
   * context.
   * @throws EncryptionError if it is not JSON
   */
  encrypt(plain: unknown, context: string): Buffer
  /** Encrypts a value that is JSON text already. */
  encryptText(json: string, context: string): Buffer
}

export interface Encryptor {
  /**
   * Returns what encrypts values of a project. Reads its data key from the database once.
   * @throws EncryptionError if the project was erased
   */
  ofProject(projectId: string): Promise<ProjectEncryptor>
  /**
   * Returns what computes hashes for a project: HMAC-SHA-256 of a text, for columns that SQL compares. Equal texts have
   * equal hashes, which nobody can compute or guess without the key.
   * @throws EncryptionError if the project was erased
   */
  hasherOf(projectId: string): Promise<(text: string) => Buffer>
  /**
   * Encrypts with the key ring itself: values of no project, tokens that the server gives out and gets back, and API
   * keys, which are of the organization. @throws EncryptionError if `plain` is not JSON
   */
  encryptWithRing(plain: unknown, context: string): Buffer
  /**
   * Decrypts a value, whichever key encrypted it. The data keys of rows from the database are in memory already: see
   * `loadKeys`.
   * @throws EncryptionError if the key is missing, the context differs, or a bit was changed
   */
  decrypt<T>(encrypted: Uint8Array, context: string): T
  /**
   * Reads the data keys of these values that are not in memory; returns undefined if there are none. The connection
   * pool calls it for the rows of each statement, so that decryption never waits.
   */
  loadKeys(values: readonly Uint8Array[]): Promise<void> | undefined
  /** Creates a data key that no project has yet. */
  newDataKey(): NewDataKey
  /**
   * Follows a change of the data keys of a project: from now on it encrypts with the key that the store has then, and
   * keys that were destroyed are removed from memory. Former keys stay: values that were read before need them.
   */
  forgetProject(projectId: string): Promise<void>
  /** Compares the data keys in memory with the store, after notifications may have been missed. */
  recheckKeys(): Promise<void>
  /** Returns an encryptor with the same keys in memory that reads others from a store. */
  withStore(store: DataKeyStore): Encryptor
  /** Whether the key ring encrypted the value with a key other than its current one. */
  needsReencryption(encrypted: Uint8Array): boolean
  /** Encrypts a value of the key ring with its current key. @throws EncryptionError as `decrypt` does */
  reencrypt(encrypted: Uint8Array, context: string): Buffer
}

/** Creates an encryptor with a key ring. It has data keys only with a store: see `withStore`. */
export function createEncryptor(ring: KeyRing, cache = new DataKeyCache()): Encryptor {
  const keys: Keys = {
    ring,
    cache,
    derived: new DerivedKeys(),
    nextSalt: createSaltSource(),
    loads: new Map(),
    open: (stored) => openDataKey(keys, stored),
    create: () => createDataKey(keys),
  }
  return encryptorWith(keys)
}

interface Keys extends DataKeyLoads {
  readonly ring: KeyRing
  readonly derived: DerivedKeys
  readonly nextSalt: () => Buffer
}

function encryptorWith(keys: Keys, store?: DataKeyStore): Encryptor {
  const { ring, cache, derived } = keys
  const ringKey = () => ({ version: RING_VERSION, keyId: ring.encryptionKeyId })
  const encryptWithRing = (plain: unknown, context: string) =>
    encrypt(keys, ringKey(), toJson(plain), context)
  return {
    async ofProject(projectId) {
      const { id } = cache.current(projectId) ?? (await loadCurrentKey(keys, store, projectId, 'encryption'))
      const key = { version: DATA_KEY_VERSION, keyId: id }
      return {
        encrypt: (plain, context) => encrypt(keys, key, toJson(plain), context),
        encryptText: (json, context) => encrypt(keys, key, json, context),
      }
    },
    async hasherOf(projectId) {
      const { key } = cache.hashing(projectId) ?? (await loadCurrentKey(keys, store, projectId, 'hashing'))
      return (text) => createHmac('sha256', key).update(text).digest()
    },
    encryptWithRing,
    decrypt: (value, context) => JSON.parse(decrypt(keys, value, context)),
    loadKeys: (values) => loadKeys(keys, store, values),
    newDataKey: () => keys.create(),
    async forgetProject(projectId) {
      cache.forgetCurrentOf(projectId)
      const ids = cache.idsOf(projectId)
      await forgetDestroyed(ids).catch(() => ids.forEach(forget))
    },
    async recheckKeys() {
      cache.forgetCurrent()
      if (store) await forgetDestroyed(cache.ids())
    },
    withStore: (next) => encryptorWith(keys, next),
    needsReencryption(value) {
      const { version, keyId } = readEncrypted(value)
      return version === RING_VERSION && keyId !== ring.encryptionKeyId
    },
    reencrypt: (value, context) => encrypt(keys, ringKey(), decrypt(keys, value, context), context),
  }

  /** Removes keys that the store does not have. */
  async function forgetDestroyed(ids: readonly string[]): Promise<void> {
    const stored = store && ids.length > 0 ? await store.find(ids) : []
    const existing = new Set(stored.map(({ id }) => id))
    for (const id of ids) if (!existing.has(id)) forget(id)
  }

  function forget(id: string): void {
    cache.forget(id)
    derived.forget(masterName({ version: DATA_KEY_VERSION, keyId: id }))
  }
}

function createDataKey(keys: Keys): NewDataKey {
  const id = newId('dk')
  const key = { version: RING_VERSION, keyId: keys.ring.encryptionKeyId }
  return { id, encrypted_key: encrypt(keys, key, toJson(newDataKeyText()), dataKeyContext(id)) }
}

/** Decrypts a data key of the store. */
const openDataKey = (
  keys: Keys,
  { id, project_id: projectId, encrypted_key: value }: StoredDataKey,
): DataKey => ({
  id,
  projectId,
  key: parseDataKey(JSON.parse(decrypt(keys, value, dataKeyContext(id))) as string),
})

const keyFor =
  (keys: Keys) =>
  (name: KeyName, salt: Buffer): KeyObject =>
    keys.derived.of(masterKey(keys, name), salt)

const encrypt = (keys: Keys, name: KeyName, text: string, context: string): Buffer =>
  encryptText(keys.derived.forEncryption(masterKey(keys, name), keys.nextSalt()), text, context)

const decrypt = (keys: Keys, value: Uint8Array, context: string): string =>
  decryptText(keyFor(keys), value, context)

const masterName = ({ version, keyId }: KeyName): string => `${version}:${keyId}`

const masterKey = ({ ring, cache }: Keys, name: KeyName): MasterKey => ({
  name: masterName(name),
  keyName: name,
  read: () => (name.version === RING_VERSION ? keyOfRing(ring, name.keyId) : keyOfProject(cache, name.keyId)),
})

function keyOfRing(ring: KeyRing, keyId: string): KeyObject {
  const key = ring.key(keyId)
  // The id of a damaged value can contain anything, so it is quoted as JSON and shortened.
  if (!key)
    throw new EncryptionError(
      `The key ${JSON.stringify(keyId.slice(0, 32))} is not in the key ring. Add it to ENCRYPTION_KEYS ` +
        'or to the key file.',
    )
  return key
}

function keyOfProject(cache: DataKeyCache, keyId: string): KeyObject {
  const key = cache.key(keyId)
  if (!key)
    throw new EncryptionError(
      `The data key ${JSON.stringify(keyId.slice(0, 32))} does not exist: its project was deleted.`,
    )
  return key
}

function toJson(plain: unknown): string {
  const text = JSON.stringify(plain) as string | undefined
  if (text === undefined) throw new EncryptionError('Only a JSON value can be encrypted.')
  return text
}

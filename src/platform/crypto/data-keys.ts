import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { createCache } from '../cache.ts'

/** A data key of a project as the database has it: encrypted with a key of the ring. */
export interface StoredDataKey {
  id: string
  project_id: string
  encrypted_key: Buffer
  /** The project encrypts with it. */
  is_current: boolean
}

/** Keys that encrypt are renewed; the key of hashes stays, because everything would have to be hashed again. */
export type DataKeyPurpose = 'encryption' | 'hashing'

export type NewDataKey = Pick<StoredDataKey, 'id' | 'encrypted_key'>

/** Where data keys are stored. Its statements must not wait for the transaction of a caller. */
export interface DataKeyStore {
  /**
   * Returns the data key with which a project encrypts, or computes hashes. If it has none, stores that of `create`, or
   * returns what another process has stored meanwhile. Undefined: the project does not exist or was erased.
   */
  findOrCreate(
    projectId: string,
    purpose: DataKeyPurpose,
    create: () => NewDataKey,
  ): Promise<StoredDataKey | undefined>
  /** Returns those of these data keys that exist. */
  find(ids: readonly string[]): Promise<readonly StoredDataKey[]>
}

/** A decrypted data key. */
export interface DataKey {
  readonly id: string
  readonly projectId: string
  readonly key: KeyObject
}

/** About 10 MB. A process that reads rows of more projects at a time reads data keys again. */
const KEYS_MAX = 20_000
const KEY_BYTES = 32

type KeyMap = ReturnType<typeof createCache<string, DataKey>>

/** The data keys that this process has decrypted. */
export class DataKeyCache {
  readonly #byId: KeyMap
  readonly #byProject: KeyMap
  readonly #hashing: KeyMap
  /** Numbers of the last changes of projects, and of the last one that may be of any project. */
  readonly #changed: ReturnType<typeof createCache<string, number>>
  #allChanged = 0
  #changes = 0

  constructor(max = KEYS_MAX) {
    this.#changed = createCache<string, number>({ max })
    this.#byId = createCache<string, DataKey>({ max })
    this.#byProject = createCache<string, DataKey>({ max })
    this.#hashing = createCache<string, DataKey>({ max })
  }

  /** The number of changes of keys in the store that this process knows of. */
  get changes(): number {
    return this.#changes
  }

  /** The next value of a project, whose keys have changed, is encrypted with the key that the store has then. */
  forgetCurrentOf(projectId: string): void {
    this.#changed.set(projectId, ++this.#changes)
    this.#byProject.delete(projectId)
  }

  /** Whether keys of a project may have changed since a number of changes. */
  hasChangedSince(changes: number, projectId: string): boolean {
    return Math.max(this.#changed.get(projectId) ?? 0, this.#allChanged) > changes
  }

  key(id: string): KeyObject | undefined {
    return this.#byId.get(id)?.key
  }

  /** Returns the key with which a project encrypts. */
  current(projectId: string): DataKey | undefined {
    const known = this.#byProject.get(projectId)
    // Keeps it in both caches: what a process encrypts, it also decrypts.
    return known && this.#byId.get(known.id)
  }

  /** Returns the key with which a project computes hashes. */
  hashing(projectId: string): DataKey | undefined {
    return this.#hashing.get(projectId)
  }

  setHashing(key: DataKey): void {
    this.#hashing.set(key.projectId, key)
  }

  add(key: DataKey): void {
    this.#byId.set(key.id, key)
  }

  setCurrent(key: DataKey): void {
    this.add(key)
    this.#byProject.set(key.projectId, key)
  }

  /** The next value of each project is encrypted with the key that the store has then. */
  forgetCurrent(): void {
    this.#allChanged = ++this.#changes
    this.#byProject.clear()
  }

  forget(id: string): void {
    const known = this.#byId.get(id)
    this.#byId.delete(id)
    if (known && this.#byProject.get(known.projectId)?.id === id) this.#byProject.delete(known.projectId)
    for (const key of this.#hashing.values()) if (key.id === id) this.#hashing.delete(key.projectId)
  }

  ids(): string[] {
    return this.#all().map(({ id }) => id)
  }

  idsOf(projectId: string): string[] {
    return this.#all()
      .filter((key) => key.projectId === projectId)
      .map(({ id }) => id)
  }

  #all(): DataKey[] {
    return [...this.#byId.values(), ...this.#hashing.values()]
  }
}

/** Creates the bytes of a data key, in base64. */
export const newDataKeyText = (): string => randomBytes(KEY_BYTES).toString('base64')

export const parseDataKey = (text: string): KeyObject => createSecretKey(text, 'base64')

/** The place to which an encrypted data key is bound. */
export const dataKeyContext = (id: string): string => `project_data_keys:${id}:key`

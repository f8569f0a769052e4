import { setTimeout as wait } from 'node:timers/promises'
import {
  createDataKeyStore,
  destroyReplacedDataKeys,
  replaceDataKeys,
} from '../../features/projects/index.ts'
import {
  addKey,
  addWrappedKey,
  type Encryptor,
  type KeyRing,
  keepFirstKey,
  KEY_CHECK_INTERVAL_MS,
  createEncryptor,
} from '../../platform/crypto/index.ts'
import type { KeyWrapper } from '../../platform/crypto/kms/index.ts'
import { type Pool, sql } from '../../platform/db/sql.ts'
import { StartupError } from '../../platform/startup-error.ts'
import {
  countOutdated,
  hasValuesOf,
  reencryptColumn,
  type Reencryption,
  withDataKeys,
  withRing,
} from './reencrypt-column.ts'
import { countClear, encryptClearColumn, isClearTarget } from './encrypt-clear-column.ts'
import { ENCRYPTED_COLUMNS, type EncryptedColumn } from './encrypted-columns.ts'

export interface RotateOptions {
  db: Pool
  ring: KeyRing
  /** Directory of the key file; undefined with ENCRYPTION_KEYS. */
  keyFileDir: string | undefined
  /** Encrypts the new key in the key file. Default: the key is stored as it is. */
  wrapper?: KeyWrapper | undefined
  retire: boolean
  /** Gives each project another data key, and encrypts all values of projects again. */
  values?: boolean
  /** Rows that are read and written together. */
  portion: number
  /** How long a value that was encrypted before the rotation may take until it is stored, in ms. */
  settleMs?: number
  onProgress(column: string, done: number, all: number): void
  onStep(text: string): void
  signal?: AbortSignal
}

export interface Rotation {
  /** The current key. */
  key: string
  /** The key was created now; otherwise an earlier rotation was finished. */
  isNew: boolean
  resealed: number
  /** Values of earlier releases that were in clear. */
  encrypted: number
  /** Values in locked rows, which were skipped. */
  left: number
  /** Values that no key of the ring decrypts. */
  unreadable: string[]
  /** Keys of no remaining value. */
  old: string[]
  /** Keys that were removed. */
  retired: string[]
  /** Former data keys that were destroyed. */
  destroyed_data_keys: number
}

const newRotation = (isNew: boolean, key: string): Rotation => ({
  key,
  isNew,
  resealed: 0,
  encrypted: 0,
  left: 0,
  unreadable: [],
  old: [],
  retired: [],
  destroyed_data_keys: 0,
})

const SETTLE_MS = 30_000
const ROUNDS_MAX = 5
const BETWEEN_ROUNDS_MS = 1_000
// Any number that nothing else uses: of two rotations that start together, one creates the key.
const LOCK = 7_202_613

/**
 * Encrypts what the ring encrypts with its first key, while servers run: the data keys of the projects, and values from
 * before there were data keys. With `values`, the projects get new data keys too. No progress is stored: the first
 * bytes of each value show its key, so the next run finishes a run that was killed. @throws StartupError
 */
export async function rotate(options: RotateOptions): Promise<Rotation> {
  const { db, ring, onStep, settleMs = SETTLE_MS } = options
  const rotation = newRotation(await ensureNewKey(options), ring.encryptionKeyId)
  if (rotation.isNew) {
    onStep(`the new key ${rotation.key} is the first key`)
    await wait(KEY_CHECK_INTERVAL_MS + 200) // Every server encrypts with it after this time.
  }
  if (options.values) await renewDataKeys(options, rotation, settleMs)
  await reencryptRing(options, rotation)
  rotation.old = ring.ids.filter((id) => id !== rotation.key)
  if (!options.retire || rotation.left || rotation.unreadable.length || !rotation.old.length) return rotation
  if (options.keyFileDir === undefined) return rotation
  onStep(`waiting ${settleMs / 1_000} s for values that were encrypted before and are not stored yet`)
  await wait(settleMs)
  await reencryptRing(options, rotation)
  if (!rotation.left && !rotation.unreadable.length) rotation.retired = await keepFirstKey(options.keyFileDir)
  return rotation

  /** Creates a key, unless an unfinished rotation has created one. Returns whether it did. */
  async function ensureNewKey({ keyFileDir }: RotateOptions): Promise<boolean> {
    return db.begin(async (tx) => {
      await tx.rows(sql`select pg_advisory_xact_lock(${LOCK})`)
      const [key, ...others] = ring.ids
      // With `retire`, a finished rotation is not repeated.
      if (options.retire && others.length) return false
      for (const other of others)
        for (const column of ENCRYPTED_COLUMNS) if (await hasValuesOf(tx, column, other)) return false
      if (keyFileDir === undefined) {
        if (others.length) return false
        for (const column of ENCRYPTED_COLUMNS)
          // Values of a missing key are reported by name.
          if (await countOutdated(tx, column, withRing(createEncryptor(ring), key as string))) return false
        if (options.values) return false
        throw new StartupError(
          `All values are encrypted with ${key}, the only key in ENCRYPTION_KEYS.`,
          `Restart all servers with ENCRYPTION_KEYS=${key}:<its key>,<new id>:<new key>, then with the ` +
            'new key in front, then run this command with the same value.',
        )
      }
      if (options.wrapper) {
        onStep(
          'adding a key that the key management service encrypts, and waiting 20 s until every server has it',
        )
        await addWrappedKey(keyFileDir, options.wrapper)
      } else await addKey(keyFileDir)
      // The key ring of this process checks the file in this interval.
      await wait(KEY_CHECK_INTERVAL_MS + 100)
      return true
    })
  }
}

/** Encrypts what the ring encrypted with its first key: data keys, and values from before there were data keys. */
const reencryptRing = (options: RotateOptions, rotation: Rotation): Promise<void> =>
  reencryptAll(options, rotation, withRing(createEncryptor(options.ring), rotation.key), ENCRYPTED_COLUMNS)

/** Replaces the data keys of all projects, and destroys the former ones when no value needs them. */
async function renewDataKeys(options: RotateOptions, rotation: Rotation, settleMs: number): Promise<void> {
  const { db, ring, onStep } = options
  const encryptor = createEncryptor(ring).withStore(createDataKeyStore(db))
  const columns = ENCRYPTED_COLUMNS.filter(({ project }) => project !== null)
  onStep(`${await replaceDataKeys(db, encryptor.newDataKey)} projects have a new data key`)
  await wait(KEY_CHECK_INTERVAL_MS)
  const clear = await encryptClearValues(options, rotation, encryptor)
  await reencryptAll(options, rotation, withDataKeys(encryptor), columns)
  rotation.left += clear
  if (rotation.left || rotation.unreadable.length) return
  onStep(`waiting ${settleMs / 1_000} s for values that were encrypted before and are not stored yet`)
  await wait(settleMs)
  await reencryptAll(options, rotation, withDataKeys(encryptor), columns)
  if (!rotation.left && !rotation.unreadable.length)
    rotation.destroyed_data_keys = await destroyReplacedDataKeys(db)
}

/** Encrypts what earlier releases stored in clear. Returns how many values are left, in locked rows. */
async function encryptClearValues(
  { db, portion, onProgress, signal }: RotateOptions,
  rotation: Rotation,
  encryptor: Encryptor,
): Promise<number> {
  let left = 0
  for (const column of ENCRYPTED_COLUMNS.filter(isClearTarget)) {
    const clear = await countClear(db, column)
    if (!clear && !column.clear.prepare) continue
    const name = `${column.table}.${column.clear.column}`
    onProgress(name, 0, clear)
    rotation.encrypted += await encryptClearColumn(db, encryptor, column, {
      portion,
      onProgress: (count) => onProgress(name, count, clear),
      ...(signal ? { signal } : {}),
    })
    left += await countClear(db, column)
  }
  return left
}

/** Processes the columns until no value is left, in a few rounds. */
async function reencryptAll(
  { db, portion, onProgress, signal }: RotateOptions,
  rotation: Rotation,
  work: Reencryption,
  columns: readonly EncryptedColumn[],
): Promise<void> {
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    rotation.left = 0
    rotation.unreadable = []
    for (const column of columns) {
      const old = await countOutdated(db, column, work)
      if (!old) continue
      const name = `${column.table}.${column.column}`
      onProgress(name, 0, old)
      const { done, unreadable } = await reencryptColumn(db, work, column, {
        portion,
        onProgress: (count) => onProgress(name, count, old),
        ...(signal ? { signal } : {}),
      })
      rotation.resealed += done
      rotation.unreadable.push(...unreadable)
      rotation.left += Math.max(0, (await countOutdated(db, column, work)) - unreadable.length)
    }
    if (!rotation.left) return
    if (round < ROUNDS_MAX) await wait(BETWEEN_ROUNDS_MS)
  }
}

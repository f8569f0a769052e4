import { setTimeout as wait } from 'node:timers/promises'
import {
  addKey,
  type KeyRing,
  keepFirstKey,
  KEY_CHECK_INTERVAL_MS,
  createEncryptor,
} from '../../platform/crypto/index.ts'
import { type Pool, sql } from '../../platform/db/sql.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { countOutdated, hasValuesOf, reencryptColumn } from './reencrypt-column.ts'
import { ENCRYPTED_COLUMNS } from './encrypted-columns.ts'

export interface RotateOptions {
  db: Pool
  ring: KeyRing
  /** Where the key file is; undefined with ENCRYPTION_KEYS. */
  keyFileDir: string | undefined
  retire: boolean
  /** Rows that are read and written at once. */
  portion: number
  /** How long something that was sealed before the rotation may take until it is stored, in ms: waits in queues and the bounds of statements. */
  settleMs?: number
  onProgress(column: string, done: number, all: number): void
  onStep(text: string): void
  signal?: AbortSignal
}

export interface Rotation {
  /** The key that seals. */
  key: string
  /** It was made now; otherwise an earlier rotation was finished. */
  isNew: boolean
  resealed: number
  /** Values that could not be sealed anew because somebody held them. */
  left: number
  /** Values that no key of the ring opens. */
  unreadable: string[]
  /** Keys that nothing is sealed with any more. */
  old: string[]
  /** Those of them that were removed. */
  retired: string[]
}

const SETTLE_MS = 30_000
const ROUNDS_MAX = 5
const BETWEEN_ROUNDS_MS = 1_000
// Any number that nothing else uses: of two rotations that start together one makes the key.
const LOCK = 7_202_613

/**
 * Brings everything under the first key of the ring, while servers run. Nothing is stored about how far it came: the first bytes of every value tell
 * its key, so a run that was killed is finished by the next. @throws StartupError
 */
export async function rotate(options: RotateOptions): Promise<Rotation> {
  const { db, ring, onStep, settleMs = SETTLE_MS } = options
  const rotation: Rotation = {
    isNew: await ensureNewKey(options),
    key: ring.encryptionKeyId,
    resealed: 0,
    left: 0,
    unreadable: [],
    old: [],
    retired: [],
  }
  if (rotation.isNew) {
    onStep(`the new key ${rotation.key} stands in front`)
    await wait(KEY_CHECK_INTERVAL_MS + 200) // From then on every server seals with it.
  }
  await reencryptAll(options, rotation)
  rotation.old = ring.ids.filter((id) => id !== rotation.key)
  if (!options.retire || rotation.left || rotation.unreadable.length || !rotation.old.length) return rotation
  if (options.keyFileDir === undefined) return rotation
  onStep(`waiting ${settleMs / 1_000} s for what was sealed before and is still on its way`)
  await wait(settleMs)
  await reencryptAll(options, rotation)
  if (!rotation.left && !rotation.unreadable.length) rotation.retired = await keepFirstKey(options.keyFileDir)
  return rotation

  /** Whether a key was made. A rotation that was not finished goes on with the key that it made. */
  async function ensureNewKey({ keyFileDir }: RotateOptions): Promise<boolean> {
    return db.begin(async (tx) => {
      await tx.rows(sql`select pg_advisory_xact_lock(${LOCK})`)
      const [key, ...others] = ring.ids
      // Asked for the removal of old keys, a finished rotation is not begun anew.
      if (options.retire && others.length) return false
      for (const other of others)
        for (const column of ENCRYPTED_COLUMNS) if (await hasValuesOf(tx, column, other)) return false
      if (keyFileDir === undefined) {
        if (others.length) return false
        for (const column of ENCRYPTED_COLUMNS)
          if (await countOutdated(tx, column, key as string)) return false // No key opens it: that is told by name.
        throw new StartupError(
          `Everything is sealed with ${key}, the only key of ENCRYPTION_KEYS.`,
          `Give all servers ENCRYPTION_KEYS=${key}:<its key>,<new id>:<new key> and start them again, then all of them with the new one in front, then run this with the same value.`,
        )
      }
      await addKey(keyFileDir)
      await wait(KEY_CHECK_INTERVAL_MS + 100) // Our own ring looks no more often.
      return true
    })
  }
}

/** Every column until nothing is left, or what is left does not become less. */
async function reencryptAll(
  { db, ring, portion, onProgress, signal }: RotateOptions,
  rotation: Rotation,
): Promise<void> {
  const seal = createEncryptor(ring)
  const keyId = rotation.key
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    rotation.left = 0
    rotation.unreadable = []
    for (const column of ENCRYPTED_COLUMNS) {
      const old = await countOutdated(db, column, keyId)
      if (!old) continue
      const name = `${column.table}.${column.column}`
      onProgress(name, 0, old)
      const { done, unreadable } = await reencryptColumn(db, seal, column, {
        keyId,
        portion,
        onProgress: (count) => onProgress(name, count, old),
        ...(signal ? { signal } : {}),
      })
      rotation.resealed += done
      rotation.unreadable.push(...unreadable)
      rotation.left += Math.max(0, (await countOutdated(db, column, keyId)) - unreadable.length)
    }
    if (!rotation.left) return
    if (round < ROUNDS_MAX) await wait(BETWEEN_ROUNDS_MS)
  }
}

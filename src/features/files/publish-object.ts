import { DatabaseUnavailable } from '../../platform/db/errors.ts'
import type { SpooledFile } from '../../platform/storage/index.ts'
import type { FileContext } from './context.ts'
import { translateStorageErrors } from './storage-errors.ts'

interface NewObject {
  key: string
  file: SpooledFile
  /** Another upload may have published an equal object with the same key. */
  isShared?: boolean
}

/**
 * Stores the bytes of a file, then publishes them with `publish`, which returns undefined if the row of the file does
 * not exist any more. Bytes that are not published are removed, unless the database has not said whether they are.
 */
export async function publishObject<T>(
  { settings: { store } }: Pick<FileContext, 'settings'>,
  { key, file, isShared = false }: NewObject,
  publish: () => Promise<T>,
): Promise<T> {
  await translateStorageErrors(() => store.put(key, file))
  const published = await publish().catch(async (error: unknown) => {
    if (!isShared && !(error instanceof DatabaseUnavailable)) await store.remove(key).catch(() => {})
    throw error
  })
  if (published === undefined) await translateStorageErrors(() => store.remove(key))
  return published
}

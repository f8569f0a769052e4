import { newFileKey } from '../../../platform/storage/index.ts'
import type { FileContext } from '../context.ts'
import { keyColumn } from '../file-key.ts'
import { newMountKey } from './mount-files.ts'
import * as store from './store.ts'

const BATCH = 50

/**
 * Encrypts the files of mounts that earlier releases stored in clear; they stay as long as their session. Each is
 * stored again under another key of the object store, so that an interruption leaves it as it was.
 */
export async function encryptClearFiles(context: FileContext): Promise<void> {
  for (let after = ''; ;) {
    const rows = await store.listClearFiles(context.db, after, BATCH)
    for (const row of rows) await encryptFile(context, row)
    if (rows.length < BATCH) return
    after = rows.at(-1)!.id
  }
}

async function encryptFile(
  { db, settings: { store: bytes, spool } }: FileContext,
  row: store.ClearFile,
): Promise<void> {
  const { id, project_id: projectId, session_id: sessionId, object_key: former } = row
  const content = await bytes.read(former, row.size ?? 0)
  if (!content) return
  const key = newFileKey(id)
  const file = await spool.take(content, row.size ?? 0, key)
  try {
    if (file.size !== row.size) return
    const objectKey = newMountKey(projectId, sessionId as string)
    await bytes.put(objectKey, file)
    const isStored = await store.replaceObject(db, row, objectKey, keyColumn(projectId, key))
    // A file that was deleted meanwhile has no row any more.
    await bytes.remove(isStored ? former : objectKey)
  } finally {
    await spool.drop(file)
  }
}

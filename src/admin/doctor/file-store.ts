import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../../platform/config.ts'
import { type FileStore, spoolDirectory, StorageError } from '../../platform/storage/index.ts'
import { fileSettings } from '../../server/file-store.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { type Check, fail, ok } from './check.ts'

const FIX =
  'Check FILES_S3_BUCKET, FILES_S3_ENDPOINT, FILES_S3_REGION and the credentials, which need permission to put, get ' +
  'and delete objects.'

export const fileStoreChecks: Check[] = [
  {
    name: 'files',
    needsConfig: true,
    // The client of the object store repeats a request that gets no response.
    timeoutMs: 30_000,
    async run({ config }) {
      const { filesS3Bucket: bucket, dataDir } = config!
      if (bucket === undefined) return ok(`in ${join(dataDir, 'files')}`)
      const opened = await openStore(config!)
      if (opened instanceof StartupError) return fail(opened.message, opened.fix)
      try {
        await storeAndRemove(opened)
        return ok(`bucket ${bucket}: a test object was written, read and removed`)
      } catch (error) {
        if (!(error instanceof StorageError)) throw error
        const reason = error.cause instanceof Error ? ` (${error.cause.message})` : ''
        return fail(`bucket ${bucket}: ${error.message}${reason}`, FIX)
      } finally {
        await opened.close?.()
      }
    },
  },
]

async function openStore(config: Config): Promise<FileStore | StartupError> {
  try {
    return (await fileSettings(config)).store
  } catch (error) {
    if (error instanceof StartupError) return error
    throw error
  }
}

/** @throws StorageError */
async function storeAndRemove(store: FileStore): Promise<void> {
  const key = `doctor/${randomBytes(12).toString('hex')}`
  const bytes = randomBytes(64)
  const directory = await mkdtemp(join(tmpdir(), 'patchbay-doctor-'))
  try {
    await store.put(key, await spoolDirectory(directory).take(Readable.from([bytes]), bytes.length))
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
  try {
    const found = await store.read(key, bytes.length)
    if (!found || !bytes.equals(await buffer(found)))
      throw new StorageError('an object that was just written could not be read')
  } finally {
    await store.remove(key)
  }
}

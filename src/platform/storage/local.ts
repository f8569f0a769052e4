import { constants, createReadStream } from 'node:fs'
import { access, copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { renameFile } from '../rename-file.ts'
import { checkKey, type FileStore, StorageError } from './types.ts'

/** Stores files in a directory of this machine. */
export function localStore(directory: string): FileStore {
  const at = (key: string) => join(directory, ...checkKey(key).split('/'))
  return {
    async put(key, { path }) {
      const target = at(key)
      await writeOrFail(async () => {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await renameFile(path, target).catch(async (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EXDEV') throw error // The upload directory is on another disk.
          await copyFile(path, target)
          await rm(path, { force: true })
        })
      })
    },
    async read(key) {
      const path = at(key)
      const found = await access(path, constants.R_OK).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false
          throw new StorageError('a stored file cannot be read', { cause: error })
        },
      )
      return found ? createReadStream(path) : undefined
    },
    remove: (key) => writeOrFail(() => rm(at(key), { force: true })),
  }
}

async function writeOrFail(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new StorageError('the directory for files is not writable', { cause: error })
  }
}

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { randomText } from '../ids.ts'
import { encryptBytes, type FileKey } from './file-cipher.ts'
import { type SpooledFile, StorageError } from './types.ts'

/** An upload is larger than allowed. */
export class TooManyBytes extends Error {}

/** An upload that is this old has been abandoned. */
const ABANDONED_MS = 24 * 60 * 60 * 1_000

/** Stores uploads on the local disk until their size and digests are known. */
export function spoolDirectory(directory: string) {
  return {
    /**
     * Writes a stream to the disk, encrypted if there is a key.
     * @throws TooManyBytes, StorageError, or the error of the stream; then no file remains
     */
    async take(bytes: Readable, bytesMax: number, key?: FileKey): Promise<SpooledFile> {
      const path = join(directory, randomText(24))
      const [md5, sha256] = [createHash('md5'), createHash('sha256')]
      let size = 0
      const count = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          size += chunk.length
          if (size > bytesMax) return done(new TooManyBytes())
          md5.update(chunk)
          sha256.update(chunk)
          done(null, chunk)
        },
      })
      try {
        await mkdir(directory, { recursive: true })
        const target = createWriteStream(path, { flags: 'wx', mode: 0o600 })
        await (key ? pipeline(bytes, count, encryptBytes(key), target) : pipeline(bytes, count, target))
      } catch (error) {
        await rm(path, { force: true })
        throw isDisk(error)
          ? new StorageError('the server cannot write files: the disk is full or not writable', {
              cause: error,
            })
          : error
      }
      return { path, size, md5: md5.digest('hex'), sha256: sha256.digest('hex') }
    },

    /** Removes a file that was not stored. */
    drop: ({ path }: SpooledFile): Promise<void> => rm(path, { force: true }),

    /** Removes the files of processes that were killed. */
    async sweep(now: number): Promise<void> {
      for (const name of await readdir(directory).catch(() => [])) {
        const path = join(directory, name)
        const found = await stat(path).catch(() => undefined)
        if (found && now - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
      }
    },
  }
}

export type Spool = ReturnType<typeof spoolDirectory>

const isDisk = (error: unknown) =>
  ['ENOSPC', 'EACCES', 'EROFS', 'EDQUOT', 'EIO', 'EPERM', 'EMFILE'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { randomText } from '../ids.ts'
import { type SpooledFile, StorageError } from './types.ts'

/** More bytes than allowed arrived. */
export class TooManyBytes extends Error {}

/** An upload that still stands here after this long has been given up. */
const ABANDONED_MS = 24 * 60 * 60 * 1_000

/** Where bytes wait on the local disk until their size and digests are known. */
export function spoolDirectory(directory: string) {
  return {
    /** Writes a stream to the disk. @throws TooManyBytes, StorageError, or what the stream fails with; then nothing is left of it */
    async take(bytes: Readable, bytesMax: number): Promise<SpooledFile> {
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
        await pipeline(bytes, count, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      } catch (error) {
        await rm(path, { force: true })
        throw isDisk(error)
          ? new StorageError('the server has no room or no right to write files', { cause: error })
          : error
      }
      return { path, size, md5: md5.digest('hex'), sha256: sha256.digest('hex') }
    },

    /** Removes a file that no store took over. */
    drop: ({ path }: SpooledFile): Promise<void> => rm(path, { force: true }),

    /** Removes what processes that died have left. */
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

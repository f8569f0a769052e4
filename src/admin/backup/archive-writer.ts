import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { syncDirectory } from '../../platform/durable-file.ts'
import { renameFile } from '../../platform/rename-file.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { type Contents, ENTRIES } from './manifest.ts'

export interface ArchiveWriter {
  add(name: string, bytes: Buffer): Promise<void>
  /** @throws Error if the stream has another number of bytes */
  addStream(name: string, bytes: Readable, size: number): Promise<void>
  /** Writes the last entry, and gives the file its name. */
  finish(contents: Omit<Contents, 'entries'>): Promise<number>
  /** Removes what was written. */
  discard(): Promise<void>
}

/** Most bytes are encrypted, so more effort saves little. */
const GZIP_LEVEL = 3

/**
 * Writes a gzip-compressed tar archive that only this user can read. Until it is complete, its name ends in
 * `.partial`. @throws StartupError if the file exists
 */
export async function writeArchive(file: string): Promise<ArchiveWriter> {
  await assertAbsent(file)
  const draft = `${file}.partial`
  await rm(draft, { force: true })
  const tar = pack()
  const written = pipeline(
    tar,
    createGzip({ level: GZIP_LEVEL }),
    createWriteStream(draft, { flags: 'wx', mode: 0o600 }),
  )
  written.catch(() => {}) // also reported by each entry
  const entries: Contents['entries'][number][] = []
  const orFailure = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([work, written.then(() => Promise.reject<T>(new Error('the archive was closed')))])

  const addStream = async (name: string, chunks: AsyncIterable<Buffer>, size: number): Promise<void> => {
    const entry = tar.entry({ name, size, mode: 0o600 })
    const hash = createHash('sha256')
    const closed = once(entry, 'finish')
    closed.catch(() => {})
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > size) break
      hash.update(chunk)
      if (!entry.write(chunk)) await orFailure(once(entry, 'drain'))
    }
    if (bytes !== size) throw new Error(`${name} does not have ${size} bytes`)
    entry.end(undefined)
    await orFailure(closed)
    entries.push({ name, bytes: size, sha256: hash.digest('hex') })
  }
  const add = (name: string, bytes: Buffer) => addStream(name, oneChunk(bytes), bytes.length)
  return {
    add,
    addStream,
    async finish(contents) {
      const all: Contents = { entries: [...entries], ...contents }
      await add(ENTRIES.contents, Buffer.from(JSON.stringify(all)))
      tar.finalize()
      await written
      return giveName(draft, file)
    },
    async discard() {
      tar.destroy()
      await written.catch(() => {})
      await rm(draft, { force: true })
    },
  }
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes
}

/** Returns the size of the file. */
async function giveName(draft: string, file: string): Promise<number> {
  const handle = await open(draft, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  await assertAbsent(file)
  await renameFile(draft, file)
  await syncDirectory(dirname(file))
  return (await stat(file)).size
}

async function assertAbsent(file: string): Promise<void> {
  if (
    await stat(file).then(
      () => true,
      () => false,
    )
  )
    throw new StartupError(`${file} exists already.`, 'Name a new file: a backup is never overwritten.')
}

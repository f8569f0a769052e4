import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { StartupError } from '../../platform/startup-error.ts'
import { type Contents, damaged, ENTRIES, type Manifest, noBackup, parseManifest } from './manifest.ts'

export interface VerifiedBackup {
  manifest: Manifest
  contents: Contents
  /** The entry with the keys, still encrypted. */
  keys: Buffer | undefined
}

/** Entries of this program that are read at once. Files are streams. */
const ENTRY_BYTES_MAX = 2 ** 30

/**
 * Reads the whole backup, and compares each entry with its checksum. A file that was cut short, changed, or
 * written by another program is rejected before anything is restored.
 * @throws StartupError that says what is wrong
 */
export async function verifyBackup(file: string): Promise<VerifiedBackup> {
  const seen: Contents['entries'][number][] = []
  let manifest: Manifest | undefined
  let contents: Contents | undefined
  let keys: Buffer | undefined
  await readEntries(file, async (name, entry) => {
    if (contents) throw damaged(file, `${name} follows the last entry`)
    if (!manifest && name !== ENTRIES.manifest) throw noBackup(file)
    const chunks: Buffer[] = []
    const hash = createHash('sha256')
    let bytes = 0
    const isSmall = !name.includes('/')
    for await (const chunk of entry as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
      if (isSmall) chunks.push(chunk)
    }
    if (name === ENTRIES.manifest) manifest = parseManifest(Buffer.concat(chunks), file)
    else if (name === ENTRIES.keys) keys = Buffer.concat(chunks)
    else if (name === ENTRIES.contents) contents = JSON.parse(String(Buffer.concat(chunks))) as Contents
    if (!contents) seen.push({ name, bytes, sha256: hash.digest('hex') })
  })
  if (!manifest) throw noBackup(file)
  if (!contents) throw damaged(file, 'its end is missing')
  compareEntries(file, contents.entries, seen)
  return { manifest, contents, keys }
}

function compareEntries(file: string, listed: Contents['entries'], seen: Contents['entries']): void {
  for (const [index, { name, bytes, sha256 }] of listed.entries()) {
    const found = seen[index]
    if (found?.name !== name) throw damaged(file, `${name} is missing`)
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw damaged(file, `${name} does not have the checksum that was recorded for it`)
  }
  const extra = seen[listed.length]
  if (extra) throw damaged(file, `${extra.name} is not in its list of entries`)
}

/** Reads the entries in order. `onEntry` must read each stream to its end. @throws StartupError */
export async function readEntries(
  file: string,
  onEntry: (name: string, entry: Readable) => Promise<void>,
): Promise<void> {
  if (!(await stat(file).catch(() => undefined))?.isFile())
    throw new StartupError(
      `There is no file ${file}.`,
      'Name a file that `patchbay backup <file>` has written.',
    )
  const entries = extract()
  let failure: unknown
  const read = async () => {
    for await (const entry of entries) {
      try {
        await onEntry(entry.header.name, entry as unknown as Readable)
      } catch (error) {
        failure = error
        throw error
      }
    }
  }
  try {
    await Promise.all([pipeline(createReadStream(file), createGunzip(), entries), read()])
  } catch (error) {
    const cause = failure ?? error
    throw cause instanceof StartupError || !isArchiveError(cause) ? cause : toDamaged(file, cause as Error)
  }
}

/** Reads an entry of this program. @throws Error if it is too large for memory */
export async function readBytes(name: string, entry: Readable, size: number): Promise<Buffer> {
  if (size > ENTRY_BYTES_MAX) throw new Error(`${name} is too large`)
  return buffer(entry)
}

const ARCHIVE_ERRORS = /^Z_|^ERR_STREAM_PREMATURE_CLOSE$/
const TAR_ERRORS = /Unexpected end of data|Invalid tar header|unexpected end of file|incorrect header/

const isArchiveError = (error: unknown): boolean => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return ARCHIVE_ERRORS.test(code) || TAR_ERRORS.test(message) || error instanceof SyntaxError
}

function toDamaged(file: string, cause: Error): StartupError {
  const { code = '', message } = cause as NodeJS.ErrnoException
  if (code === 'Z_DATA_ERROR' && /incorrect header/.test(message)) return noBackup(file)
  if (code === 'Z_BUF_ERROR' || /end of/.test(message)) return damaged(file, 'its end is missing', cause)
  return damaged(file, message, cause)
}

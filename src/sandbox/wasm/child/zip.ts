import type { Buffer } from 'node:buffer'
import { inflateRawSync } from 'node:zlib'

// Reads ZIP archives (APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12 and 4.3.16), which Python wheels are. Archives with
// 64-bit sizes, encryption and other methods than "stored" and "deflate" are rejected.

export interface ZipEntry {
  readonly name: string
  readonly size: number
  readonly compressedSize: number
  readonly isCompressed: boolean
  /** Of the local header. */
  readonly offset: number
}

const END_SIGNATURE = 0x06054b50
const END_BYTES = 22
const COMMENT_BYTES_MAX = 65_535
const ENTRY_SIGNATURE = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const DEFLATE = 8
const ENTRIES_MAX = 20_000
const BYTES_MAX = 400_000_000

/** Lists the files of an archive. @throws Error if it is no archive that can be read, or its names leave its folder */
export function listZip(archive: Buffer): ZipEntry[] {
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  if (count > ENTRIES_MAX)
    throw new Error(`the archive has ${count} files, and at most ${ENTRIES_MAX} are read`)
  const entries: ZipEntry[] = []
  let bytes = 0
  for (let at = archive.readUInt32LE(end + 16), index = 0; index < count; index++) {
    if (archive.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new Error('the list of files is damaged')
    const nameBytes = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes)
    const size = archive.readUInt32LE(at + 24)
    bytes += size
    if (bytes > BYTES_MAX) throw new Error(`the files of the archive are larger than ${BYTES_MAX} bytes`)
    if (!name.endsWith('/')) entries.push(readEntry(archive, at, checkedName(name), size))
    at += ENTRY_BYTES + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return entries
}

/** Returns the content of a file. @throws Error if it is damaged, or larger than the archive says */
export function readZipEntry(
  archive: Buffer,
  { offset, isCompressed, size, compressedSize }: ZipEntry,
): Buffer {
  const start = offset + LOCAL_BYTES + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
  const content = archive.subarray(start, start + compressedSize)
  if (size === 0) return archive.subarray(0, 0)
  const bytes = isCompressed ? inflateRawSync(content, { maxOutputLength: size }) : content
  if (bytes.length !== size) throw new Error('a file of the archive is damaged')
  return bytes
}

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_BYTES - COMMENT_BYTES_MAX)
  for (let at = archive.length - END_BYTES; at >= first; at--)
    if (archive.readUInt32LE(at) === END_SIGNATURE) return at
  throw new Error('it is no ZIP archive')
}

function readEntry(archive: Buffer, at: number, name: string, size: number): ZipEntry {
  const flags = archive.readUInt16LE(at + 8)
  const method = archive.readUInt16LE(at + 10)
  if ((flags & 1) !== 0 || (method !== 0 && method !== DEFLATE))
    throw new Error(`${name} is encrypted, or compressed with a method that is not supported`)
  return {
    name,
    size,
    compressedSize: archive.readUInt32LE(at + 20),
    isCompressed: method === DEFLATE,
    offset: archive.readUInt32LE(at + 42),
  }
}

function checkedName(name: string): string {
  if (name.startsWith('/') || name.includes('\\') || name.includes('\0') || name.split('/').includes('..'))
    throw new Error(`${name} is no path below the archive`)
  return name
}

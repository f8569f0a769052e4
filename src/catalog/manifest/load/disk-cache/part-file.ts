import fs from 'node:fs'
import { crc32 } from 'node:zlib'
import { decompressJson, type PartLocation, PREFIX_BYTES } from './file-format.ts'

// Reads single parts of a file of parts: four letters, the length and the checksum of the header, the header as
// JSON, then the parts.

const HEADER_BYTES_MAX = 64 * 1024
/** JSON of one part: far more than an import makes, and little enough for the memory. */
const PART_BYTES_MAX = 64 * 1024 * 1024

/**
 * Reads the header of a file. Returns undefined for a file of another kind, and for a file whose size is not
 * that of its header and its parts.
 */
export function readHeader<Header extends { readonly size: number }>(
  file: string,
  magic: string,
): { header: Header; partsOffset: number } | undefined {
  return withFileOpen(file, (fd) => {
    const prefix = readBytes(fd, 0, PREFIX_BYTES)
    const length = prefix.readUInt32LE(4)
    if (prefix.toString('latin1', 0, 4) !== magic || length > HEADER_BYTES_MAX) return undefined
    const text = readBytes(fd, PREFIX_BYTES, length)
    if (crc32(text) !== prefix.readUInt32LE(8)) return undefined
    const header = JSON.parse(text.toString('utf8')) as Header
    const partsOffset = PREFIX_BYTES + length
    return fs.fstatSync(fd).size === partsOffset + header.size ? { header, partsOffset } : undefined
  })
}

/** Reads one part. @throws for bytes that differ from their checksum */
export function readPart<T>(file: string, partsOffset: number, [offset, length, checksum]: PartLocation): T {
  const bytes = withFileOpen(file, (fd) => readBytes(fd, partsOffset + offset, length))
  if (crc32(bytes) !== checksum) throw new Error('The checksum differs.')
  return decompressJson<T>(bytes, PART_BYTES_MAX)
}

function withFileOpen<T>(file: string, read: (fd: number) => T): T {
  const fd = fs.openSync(file, 'r')
  try {
    return read(fd)
  } finally {
    fs.closeSync(fd)
  }
}

function readBytes(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const count = fs.readSync(fd, bytes, read, length - read, offset + read)
    if (count === 0) throw new Error('The file is shorter than its header says.')
    read += count
  }
  return bytes
}

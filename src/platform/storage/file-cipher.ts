import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { EncryptionError } from '../crypto/index.ts'

/** The random key of one file. The id is bound to the bytes, so that a file cannot be stored in the place of another. */
export interface FileKey {
  id: string
  /** 32 bytes. */
  key: Buffer
}

const KEY_BYTES = 32
const SALT_BYTES = 32
const VERSION = 1
const HEADER_BYTES = 1 + SALT_BYTES
const SEGMENT_BYTES = 65_536
const TAG_BYTES = 16
const NONCE_BYTES = 12
/** A file has as many segments at most. */
const SEGMENTS_MAX = 2 ** 32
const ALGORITHM = 'aes-256-gcm'

export const newFileKey = (id: string): FileKey => ({ id, key: randomBytes(KEY_BYTES) })

/** Returns how many bytes `size` bytes have when they are encrypted. */
export const encryptedSize = (size: number): number =>
  HEADER_BYTES + size + TAG_BYTES * Math.max(1, Math.ceil(size / SEGMENT_BYTES))

/**
 * Encrypts the bytes of a file in segments of 64 KiB with AES-256-GCM, so that no more than a segment is in memory. The
 * stored bytes are: version (1 byte), salt (32), and for each segment its ciphertext and tag (16). The key of the
 * segments is derived from the key of the file and the salt (HKDF-SHA-256), so that writing a file again uses another
 * one. The nonce of a segment is its number and whether it is the last: none can be moved, removed or added.
 */
export function encryptBytes(file: FileKey): Transform {
  const salt = randomBytes(SALT_BYTES)
  const key = segmentKey(file, salt)
  const stream = segmentTransform({
    segmentBytes: SEGMENT_BYTES,
    change(segment, number, isLast) {
      const cipher = createCipheriv(ALGORITHM, key, nonceOf(number, isLast), { authTagLength: TAG_BYTES })
      return Buffer.concat([cipher.update(segment), cipher.final(), cipher.getAuthTag()])
    },
  })
  stream.push(Buffer.concat([Buffer.from([VERSION]), salt]))
  return stream
}

/**
 * Decrypts what `encryptBytes` returned. Each segment is verified before it is returned, and the end when it is
 * reached. The stream fails with an EncryptionError if a bit was changed, segments are missing, or it is another file.
 */
export function decryptBytes(file: FileKey): Transform {
  let key: Buffer | undefined
  return segmentTransform({
    header: Buffer.alloc(HEADER_BYTES),
    readHeader(header) {
      if (header[0] !== VERSION) throw changed()
      key = segmentKey(file, header.subarray(1))
    },
    segmentBytes: SEGMENT_BYTES + TAG_BYTES,
    change(segment, number, isLast) {
      if (!key || segment.length < TAG_BYTES) throw changed()
      const decipher = createDecipheriv(ALGORITHM, key, nonceOf(number, isLast), { authTagLength: TAG_BYTES })
      const end = segment.length - TAG_BYTES
      decipher.setAuthTag(segment.subarray(end))
      const bytes = decipher.update(segment.subarray(0, end))
      try {
        decipher.final()
      } catch {
        throw changed()
      }
      return bytes
    },
  })
}

const changed = () =>
  new EncryptionError(
    'A stored file cannot be decrypted: it was changed, it is incomplete, or it is another file.',
  )

const segmentKey = ({ id, key }: FileKey, salt: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `patchbay file:${id}`, KEY_BYTES))

/** Each number is used once with a key, which belongs to one writing of one file. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUInt32BE(number, NONCE_BYTES - 5)
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0
  return nonce
}

interface SegmentChange {
  /** Filled with the first bytes of the stream. Default: there are none in front of the segments. */
  header?: Buffer
  readHeader?(header: Buffer): void
  segmentBytes: number
  /** Returns the bytes for a segment. The last one can be shorter, and is empty only if the stream is. */
  change(segment: Buffer, number: number, isLast: boolean): Buffer
}

/** Changes a stream segment by segment. A full segment is the last one, unless bytes follow. */
function segmentTransform({
  header = Buffer.alloc(0),
  readHeader,
  segmentBytes,
  change,
}: SegmentChange): Transform {
  const segment = Buffer.allocUnsafe(segmentBytes)
  let [headerFilled, filled, number] = [0, 0, 0]
  const readFrom = (chunk: Buffer): number => {
    if (headerFilled === header.length) return 0
    const copied = chunk.copy(header, headerFilled)
    headerFilled += copied
    if (headerFilled === header.length) readHeader?.(header)
    return copied
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      attempt(done, () => {
        for (let start = readFrom(chunk); start < chunk.length;) {
          if (filled === segmentBytes) {
            if (number === SEGMENTS_MAX - 1) throw new EncryptionError('A file is too large to be encrypted.')
            this.push(change(segment, number++, false))
            filled = 0
          }
          const copied = chunk.copy(segment, filled, start)
          filled += copied
          start += copied
        }
      })
    },
    flush(done) {
      attempt(done, () => this.push(change(segment.subarray(0, filled), number, true)))
    },
  })
}

function attempt(done: TransformCallback, work: () => unknown): void {
  try {
    work()
  } catch (error) {
    return done(error as Error)
  }
  done()
}

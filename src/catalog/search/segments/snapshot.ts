import { crc32 } from 'node:zlib'
import type { Segment, SegmentToolkit } from './segment.ts'
import { EncodedTexts, encodeTexts } from './texts.ts'

// A segment as bytes: `PBSG`, the length of the head, the head as JSON, then its parts one after the other,
// each at a multiple of eight, so that arrays and texts are views of what was read and nothing is copied.

const MAGIC = 'PBSG'
/**
 * Raised when the arrays or the way texts become words change; a snapshot of another number is built anew.
 */
export const FORMAT = 6
export const PREFIX_BYTES = 8
const ALIGN = 8

const ARRAYS = {
  postingStart: Uint32Array,
  postingTool: Uint32Array,
  postingImpact: Uint16Array,
  toolkitOf: Uint32Array,
  nameStart: Uint32Array,
  nameTerm: Uint32Array,
  headTerm: Uint32Array,
  verbs: Uint16Array,
  depth: Uint8Array,
  curated: Uint8Array,
  likeness: Uint32Array,
  vectors: Int8Array,
  textDigests: Uint8Array,
  neededStart: Uint32Array,
  needed: Uint32Array,
} as const
type ArrayName = keyof typeof ARRAYS
const ARRAY_NAMES = Object.keys(ARRAYS) as ArrayName[]
/** Slugs and terms are the first parts. */
const TEXT_PARTS = 2

/** The first part of a snapshot. */
export interface Head {
  readonly format: number
  readonly key: string
  readonly crc: number
  readonly bytes: readonly number[]
  readonly toolkits: readonly SegmentToolkit[]
}

/** The bytes of a segment under a key that says what it was built from. */
export function encodeSegment(segment: Segment, key: string): Buffer {
  const parts = [
    encodeTexts(segment.slugs),
    encodeTexts(segment.terms),
    ...ARRAY_NAMES.map((name) => {
      const { buffer, byteOffset, byteLength } = segment[name]
      return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
    }),
  ]
  const body = Buffer.concat(parts.flatMap((part) => [part, Buffer.alloc(padding(part.length))]))
  const head: Head = {
    format: FORMAT,
    key,
    crc: crc32(body),
    bytes: parts.map(({ length }) => length),
    toolkits: segment.toolkits,
  }
  const text = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.write(MAGIC, 'latin1')
  prefix.writeUInt32LE(text.length, 4)
  return Buffer.concat([prefix, text, Buffer.alloc(padding(PREFIX_BYTES + text.length)), body])
}

/**
 * The segment of a snapshot; undefined when it has another key or format, is cut short or damaged: then it is
 * built anew.
 */
export function decodeSegment(file: Uint8Array, key: string): Segment | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const headBytes = headBytesOf(bytes)
  if (headBytes === undefined) return undefined
  const headEnd = PREFIX_BYTES + headBytes
  const head =
    headEnd <= bytes.length ? readHead(bytes.toString('utf8', PREFIX_BYTES, headEnd), key) : undefined
  if (!head) return undefined
  const start = headEnd + padding(headEnd)
  if (
    bytes.length !== start + head.bytes.reduce((sum, length) => sum + length + padding(length), 0) ||
    crc32(bytes.subarray(start)) !== head.crc
  )
    return undefined
  // A view needs the beginning of its buffer at a multiple of eight; a small file is read into the middle of
  // a larger buffer.
  const body =
    (bytes.byteOffset + start) % ALIGN === 0
      ? bytes.subarray(start)
      : Buffer.from(new Uint8Array(bytes.subarray(start)).buffer)
  let at = 0
  const parts = head.bytes.map((length) => {
    const part = body.subarray(at, at + length)
    at += length + padding(length)
    return part
  })
  const terms = new EncodedTexts(parts[1]!)
  const arrays = Object.fromEntries(
    ARRAY_NAMES.map((name, number) => {
      const part = parts[number + TEXT_PARTS]!
      return [
        name,
        new ARRAYS[name](
          part.buffer as ArrayBuffer,
          part.byteOffset,
          part.length / ARRAYS[name].BYTES_PER_ELEMENT,
        ),
      ]
    }),
  ) as unknown as Pick<Segment, ArrayName>
  return {
    toolkits: head.toolkits,
    slugs: new EncodedTexts(parts[0]!),
    terms,
    termNumber: terms.numbers(),
    ...arrays,
  }
}

const padding = (length: number): number => (ALIGN - (length % ALIGN)) % ALIGN

/** The length of the head of a snapshot, from its first `PREFIX_BYTES`; undefined for any other file. */
export function headBytesOf(prefix: Buffer): number | undefined {
  return prefix.length >= PREFIX_BYTES && prefix.toString('latin1', 0, 4) === MAGIC
    ? prefix.readUInt32LE(4)
    : undefined
}

/** The head of a snapshot; undefined when it has another key or format. */
export function readHead(text: string, key: string): Head | undefined {
  try {
    const head = JSON.parse(text) as Head
    const isWhole =
      Array.isArray(head?.bytes) &&
      head.bytes.length === TEXT_PARTS + ARRAY_NAMES.length &&
      Array.isArray(head.toolkits)
    return isWhole && head.format === FORMAT && head.key === key ? head : undefined
  } catch {
    return undefined
  }
}

/** Meanings of words as vectors: what is near is meant alike. */
export interface Vectors {
  readonly dimensions: number
  /** The direction of a text's words in signed bytes; all zero when no word is known. */
  bytesOf(words: readonly string[]): Int8Array
  /** Whether it has a vector for a stem. */
  knows(word: string): boolean
}

export const EMPTY_VECTORS: Vectors = { dimensions: 0, bytesOf: () => new Int8Array(0), knows: () => false }

const MAGIC = 'PBWV'
const HEAD_BYTES = 12

/**
 * Reads a model: `PBWV`, dimensions and number of words (32 bits each, little endian), the words (one byte of
 * length each), then for each word its factor (32-bit float) and after those a row of signed bytes for each.
 * @throws when it is not such a file.
 */
export function readVectors(file: Uint8Array): Vectors {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.length < HEAD_BYTES || Buffer.from(file.subarray(0, 4)).toString('latin1') !== MAGIC)
    throw new Error('This is no file of word vectors.')
  const dimensions = view.getUint32(4, true)
  const count = view.getUint32(8, true)
  const number = new Map<string, number>()
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  let at = HEAD_BYTES
  for (let word = 0; word < count; word++) {
    const length = bytes[at]!
    number.set(bytes.toString('utf8', at + 1, at + 1 + length), word)
    at += 1 + length
  }
  if (file.length !== at + count * (4 + dimensions))
    throw new Error('This file of word vectors is cut short or damaged.')
  const factors = Float32Array.from({ length: count }, (_, word) => view.getFloat32(at + 4 * word, true))
  const rows = new Int8Array(bytes.buffer, bytes.byteOffset + at + 4 * count, count * dimensions)
  return {
    dimensions,
    knows: (word) => number.has(word),
    bytesOf(words) {
      const sum = new Float32Array(dimensions)
      for (const word of new Set(words)) {
        const row = number.get(word)
        if (row === undefined) continue
        for (let one = 0; one < dimensions; one++) sum[one]! += factors[row]! * rows[row * dimensions + one]!
      }
      return quantized(sum).row
    },
  }
}

/** The file of a model; `values` holds a row for each word. */
export function writeVectors({
  words,
  dimensions,
  values,
}: {
  words: readonly string[]
  dimensions: number
  values: Float32Array
}): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(MAGIC, 'latin1')
  head.writeUInt32LE(dimensions, 4)
  head.writeUInt32LE(words.length, 8)
  const names = words.map((word) => Buffer.concat([Buffer.of(Buffer.byteLength(word)), Buffer.from(word)]))
  const factors = Buffer.alloc(4 * words.length)
  const rows = words.map((_, word) => {
    const { row, factor } = quantized(values.subarray(word * dimensions, (word + 1) * dimensions))
    factors.writeFloatLE(factor, 4 * word)
    return Buffer.from(row.buffer)
  })
  return Buffer.concat([head, ...names, factors, ...rows])
}

/** A row in signed bytes whose length is 127, or all zero; times the factor it is the row that was. */
function quantized(values: Float32Array): { row: Int8Array; factor: number } {
  let square = 0
  for (const value of values) square += value * value
  const length = Math.sqrt(square)
  const row = new Int8Array(values.length)
  if (length > 0)
    for (let at = 0; at < values.length; at++) row[at] = Math.round((values[at]! / length) * 127)
  return { row, factor: length / 127 }
}

import { unparsedMember } from './json-outline/index.ts'

/** Longer lists and wider objects are divided. The parts of others are read one by one, a few levels deep. */
const WIDE_MIN = 64
const LEVELS_MAX = 8
/** Characters of a piece: about a fifth of a millisecond. A longer one is followed by pieces of half as many items. */
const PIECE_MAX = 64 * 1_024
/** Bytes that are copied at once. */
const COPY_BYTES = 256 * 1_024

/**
 * Returns the JSON of a value as JSON.stringify writes it, in UTF-8. Yields between pieces, so that a caller can let
 * other work run: five megabytes in one piece take 16 ms, and as long again to encode.
 */
export function* jsonBytesInPieces(value: unknown): Generator<void, Buffer> {
  const writer = new BytesWriter()
  yield* write(writer, value, LEVELS_MAX)
  return yield* writer.join()
}

class BytesWriter {
  readonly #pieces: Buffer[] = []
  #text = ''

  add(text: string): void {
    this.#text += text
    if (this.#text.length >= PIECE_MAX) this.#encode()
  }

  /** Adds bytes that are JSON already. */
  addBytes(bytes: Buffer): void {
    this.#encode()
    for (let at = 0; at < bytes.length; at += COPY_BYTES)
      this.#pieces.push(bytes.subarray(at, at + COPY_BYTES))
  }

  /** Returns all that was added. Copies a piece at a time: new memory takes a millisecond a megabyte. */
  *join(): Generator<void, Buffer> {
    this.#encode()
    const bytes = Buffer.allocUnsafe(this.#pieces.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of this.#pieces) {
      at += piece.copy(bytes, at)
      yield
    }
    return bytes
  }

  #encode(): void {
    this.#pieces.push(Buffer.from(this.#text))
    this.#text = ''
  }
}

function* write(writer: BytesWriter, value: unknown, levels: number): Generator<void, void> {
  if (levels === 0 || typeof value !== 'object' || value === null || 'toJSON' in value) {
    writer.add(JSON.stringify(value) ?? 'null')
    yield
  } else if (Array.isArray(value)) yield* writeList(writer, value, levels)
  else yield* writeObject(writer, value as Record<string, unknown>, levels)
}

function* writeList(writer: BytesWriter, list: readonly unknown[], levels: number): Generator<void, void> {
  writer.add('[')
  if (list.length >= WIDE_MIN) yield* writeItems(writer, list)
  else
    for (const [at, item] of list.entries()) {
      if (at > 0) writer.add(',')
      yield* write(writer, item, levels - 1)
    }
  writer.add(']')
}

/** Writes the items of a long list, many at a time if they are short. */
function* writeItems(writer: BytesWriter, list: readonly unknown[]): Generator<void, void> {
  for (let from = 0, size = 1; from < list.length;) {
    const piece = JSON.stringify(list.slice(from, from + size)).slice(1, -1)
    writer.add(from === 0 ? piece : `,${piece}`)
    yield
    from += size
    size = piece.length > PIECE_MAX ? Math.max(1, size >> 1) : size * 2
  }
}

function* writeObject(
  writer: BytesWriter,
  object: Record<string, unknown>,
  levels: number,
): Generator<void, void> {
  const names = Object.keys(object)
  let separator = '{'
  for (const name of names) {
    const bytes = unparsedMember(object, name)
    const value = bytes ? undefined : object[name]
    if (!bytes && isOmitted(value)) continue
    writer.add(`${separator}${JSON.stringify(name)}:`)
    separator = ','
    if (bytes) writer.addBytes(bytes)
    else yield* write(writer, value, names.length < WIDE_MIN ? levels - 1 : 0)
  }
  writer.add(separator === '{' ? '{}' : '}')
}

/** Whether JSON.stringify leaves out a property with the value. */
const isOmitted = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol'

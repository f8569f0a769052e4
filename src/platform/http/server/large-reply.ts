import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { bytesOfConstant, isConstantJson } from '../../constant-json.ts'
import { currentTurn, isLargeBody, type RequestTurn } from '../turns/request-turns.ts'
import { nextPortion } from '../turns/run-in-slices.ts'
import { schemaCompilers } from './schema-compilers.ts'
import { aroundJsonSource } from './json-source-reply.ts'

/** A shorter list is serialized in one piece, in less than a slice, unless it has items that are JSON already. */
const LONG_LIST_MIN = 50
/** Bytes that are written to the connection at once: copying them takes a tenth of a millisecond. */
const CHUNK_BYTES = 128 * 1_024
/** Serialized items become a buffer at this length: thousands of small buffers would wait for a slow client. */
const TEXT_CHARACTERS = 16 * 1_024
/** A longer item that is JSON already is a part of its own: it is copied once, to its chunk. */
const JOINED_BYTES_MAX = 1_024
/** Takes the place of a list while the rest of a response is serialized. Callers cannot know it. */
const PLACEHOLDER = `list-${randomUUID()}`

/** Yields between parts of the work, and returns the JSON. Undefined: the response is small. */
export type SerializeLarge = (reply: unknown) => Generator<void, Buffer[]> | undefined

interface ReplySchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, ReplySchema>>
  readonly items?: object
}

/**
 * Returns a function that serializes large responses of an operation part by part: one with a long list, and one
 * with the large response of an application. Undefined if the operation has neither.
 */
export function largeReplySerializer(schema: object): SerializeLarge | undefined {
  const { properties = {} } = schema as ReplySchema
  const list = Object.keys(properties).find(
    (name) => properties[name]!.type === 'array' && properties[name]!.items,
  )
  if (list !== undefined) return longListSerializer(schema as ReplySchema, list)
  if (properties['data']?.type !== 'object') return undefined
  const { serializer } = schemaCompilers()
  return (reply) => {
    const parts = aroundJsonSource(serializer(schema) as (reply: unknown) => string, reply)
    return parts && isLargeBody(parts[1]!.length) ? inOnePart(parts) : undefined
  }
}

// eslint-disable-next-line require-yield -- the parts exist already
function* inOnePart(parts: Buffer[]): Generator<void, Buffer[]> {
  return parts
}

function longListSerializer(schema: ReplySchema, name: string): SerializeLarge {
  const { properties = {} } = schema
  const { serializer } = schemaCompilers()
  const serializeRest = serializer({ ...schema, properties: { ...properties, [name]: { type: 'string' } } })
  const serializeItem = serializer(properties[name]!.items!) as (item: unknown) => string
  return (reply) => {
    const items = (reply as Readonly<Record<string, unknown>> | null)?.[name]
    if (!Array.isArray(items) || (items.length < LONG_LIST_MIN && !items.some(isConstantJson)))
      return undefined
    return serializeList(items, serializeItem, () =>
      String(serializeRest({ ...(reply as object), [name]: PLACEHOLDER })).split(`"${PLACEHOLDER}"`),
    )
  }
}

function* serializeList(
  items: readonly unknown[],
  serializeItem: (item: unknown) => string,
  serializeAround: () => string[],
): Generator<void, Buffer[]> {
  const [before = '', after = ''] = serializeAround()
  const joiner = new PartJoiner()
  joiner.addText(`${before}[`)
  for (const [at, item] of items.entries()) {
    if (at > 0) joiner.addText(',')
    const bytes = bytesOfConstant(item)
    if (bytes) joiner.addBytes(bytes)
    else joiner.addText(serializeItem(item))
    yield
  }
  joiner.addText(`]${after}`)
  return joiner.end()
}

/** Joins texts and small buffers to parts of a body, at most a chunk of several, so that none is copied again. */
class PartJoiner {
  readonly #parts: Buffer[] = []
  #text = ''
  /** Buffers before the text that are not a part yet. */
  #small: Buffer[] = []
  #smallBytes = 0

  addText(text: string): void {
    this.#text += text
    if (this.#text.length >= TEXT_CHARACTERS) this.#endText()
  }

  addBytes(bytes: Buffer): void {
    this.#endText()
    if (bytes.length <= JOINED_BYTES_MAX) return this.#addSmall(bytes)
    this.#endPart()
    this.#parts.push(bytes)
  }

  end(): Buffer[] {
    this.#endText()
    this.#endPart()
    return this.#parts
  }

  #endText(): void {
    if (this.#text !== '') this.#addSmall(this.#text === ',' ? COMMA : Buffer.from(this.#text))
    this.#text = ''
  }

  #addSmall(bytes: Buffer): void {
    if (this.#smallBytes + bytes.length > CHUNK_BYTES) this.#endPart()
    this.#small.push(bytes)
    this.#smallBytes += bytes.length
  }

  #endPart(): void {
    if (this.#small.length === 0) return
    this.#parts.push(joinPieces(this.#small, this.#smallBytes))
    this.#small = []
    this.#smallBytes = 0
  }
}

const COMMA = Buffer.from(',')

/** Returns the body of a response: a stream of chunks, between which the process handles other requests. */
export function toBody(parts: readonly Buffer[], bytes: number): Buffer | Readable {
  return bytes <= CHUNK_BYTES
    ? Buffer.concat(parts, bytes)
    : Readable.from(chunksOf(parts, currentTurn()), { objectMode: false, highWaterMark: CHUNK_BYTES })
}

/** Joins small parts, and divides large ones. */
async function* chunksOf(parts: readonly Buffer[], turn: RequestTurn | undefined): AsyncGenerator<Buffer> {
  let small: Buffer[] = []
  let bytes = 0
  for (const part of parts) {
    for (let from = 0; from < part.length; from += CHUNK_BYTES) {
      const piece = part.subarray(from, from + CHUNK_BYTES)
      if (bytes + piece.length > CHUNK_BYTES) {
        yield joinPieces(small, bytes)
        await (nextPortion(turn) ?? nextTurn())
        small = []
        bytes = 0
      }
      small.push(piece)
      bytes += piece.length
    }
  }
  if (bytes > 0) yield joinPieces(small, bytes)
}

const joinPieces = (pieces: readonly Buffer[], bytes: number): Buffer =>
  pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, bytes)

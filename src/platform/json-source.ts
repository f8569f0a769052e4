import { isUtf8 } from 'node:buffer'

/** The JSON from which an object was parsed. */
export interface JsonSource {
  /** The text. That of an object that was not parsed is decoded when it is read. */
  readonly text: string
  /** Characters of the text, or bytes if it was not decoded. */
  readonly length: number
  /** The same of a large one, in UTF-8. */
  readonly bytes: Buffer | undefined
  /** Returns so many characters of the text. */
  beginning(characters: number): string
}

/** For smaller objects, serializing again is as cheap as remembering. */
const TEXT_MIN = 256
/** Bytes are sent without encoding them again. Checking fewer costs as much as encoding them. */
const BYTES_MIN = 4_096
/** A character of JavaScript takes at most so many bytes in UTF-8. */
const BYTES_PER_CHARACTER = 3

const known = new WeakMap<object, JsonSource>()

/** The text from which an object was parsed. `received`: the same as received, in any encoding. */
export class JsonText implements JsonSource {
  readonly text: string
  readonly bytes: Buffer | undefined

  constructor(text: string, received: Buffer) {
    this.text = text
    this.bytes = received.length >= BYTES_MIN && isUtf8(received) ? received : undefined
  }

  get length(): number {
    return this.text.length
  }

  beginning(characters: number): string {
    return this.text.slice(0, characters)
  }
}

/** The JSON of an object that was not parsed as a whole, in valid UTF-8. */
export class JsonBytes implements JsonSource {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get text(): string {
    return this.bytes.toString('utf8')
  }

  get length(): number {
    return this.bytes.length
  }

  beginning(characters: number): string {
    return this.bytes.toString('utf8', 0, characters * BYTES_PER_CHARACTER).slice(0, characters)
  }
}

/**
 * Remembers the JSON from which an object was parsed, so that it can be sent and logged without serializing it again.
 * The object must not be changed afterwards.
 */
export function rememberJsonSource(value: object, source: JsonSource): void {
  if (source.length >= TEXT_MIN) known.set(value, source)
}

/** Returns the JSON of an object that was not changed. */
export const jsonSourceOf = (value: unknown): JsonSource | undefined =>
  typeof value === 'object' && value !== null ? known.get(value) : undefined

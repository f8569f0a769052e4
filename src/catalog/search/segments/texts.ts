import { isAscii } from 'node:buffer'

// Texts of an index as the bytes of its file. As strings and a Map they take several times the memory.

const LINE_FEED = 10
const ASCII_END = 128
/** UTF-8 has at most so many bytes for a UTF-16 code unit. */
const UNIT_BYTES_MAX = 3
const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Texts by their numbers. An array of strings is one. */
export interface Texts {
  readonly length: number
  at(number: number): string | undefined
}

/** Numbers of texts. A Map is one. */
export interface TextNumbers {
  get(text: string): number | undefined
  has(text: string): boolean
}

/** The bytes of texts, one on each line. */
export const encodeTexts = (texts: Texts): Buffer =>
  Buffer.from(Array.from({ length: texts.length }, (_, number) => texts.at(number)!).join('\n'))

/** Texts in their bytes, which must not change. */
export class EncodedTexts implements Texts {
  readonly length: number
  readonly #bytes: Buffer
  readonly #encoding: 'latin1' | 'utf8'
  /** Where each line begins, and where one after the last would. */
  readonly #starts: Uint32Array

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#encoding = isAscii(bytes) ? 'latin1' : 'utf8'
    this.#starts = startsOfLines(bytes)
    this.length = this.#starts.length - 1
  }

  /** Makes a string at each call. */
  at(number: number): string | undefined {
    return number >= 0 && number < this.length
      ? this.#bytes.toString(this.#encoding, this.#starts[number]!, this.#starts[number + 1]! - 1)
      : undefined
  }

  /** Returns the numbers of the texts, which differ from each other. */
  numbers(): TextNumbers {
    const bytes = this.#bytes
    const starts = this.#starts
    const mask = 2 ** Math.ceil(Math.log2(Math.max(2, this.length * 2))) - 1
    /** A hash table with open addressing: a number plus 1; 0 for a free slot. */
    const table = new Uint32Array(mask + 1)
    for (let number = 0; number < this.length; number++) {
      let slot = hashOf(bytes, starts[number]!, starts[number + 1]! - 1) & mask
      while (table[slot] !== 0) slot = (slot + 1) & mask
      table[slot] = number + 1
    }
    const get = (text: string): number | undefined => {
      const length = encode(text)
      let slot = hashOf(encoded, 0, length) & mask
      for (let entry = table[slot]!; entry !== 0; entry = table[slot]!) {
        const start = starts[entry - 1]!
        if (starts[entry]! - 1 - start === length && isEncodedAt(bytes, start, length)) return entry - 1
        slot = (slot + 1) & mask
      }
      return undefined
    }
    return { get, has: (text) => get(text) !== undefined }
  }
}

function startsOfLines(bytes: Buffer): Uint32Array {
  let lines = bytes.length > 0 ? 1 : 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) lines++
  const starts = new Uint32Array(lines + 1)
  let line = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) starts[++line] = at + 1
  if (lines > 0) starts[lines] = bytes.length + 1
  return starts
}

const encoder = new TextEncoder()
/** The text that is looked up, in UTF-8. */
let encoded = new Uint8Array(256)

/** Writes a text to `encoded` and returns its length in bytes. */
function encode(text: string): number {
  if (text.length * UNIT_BYTES_MAX > encoded.length) encoded = new Uint8Array(text.length * UNIT_BYTES_MAX)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= ASCII_END) return encoder.encodeInto(text, encoded).written
    encoded[at] = code
  }
  return text.length
}

function isEncodedAt(bytes: Uint8Array, start: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (bytes[start + at] !== encoded[at]) return false
  return true
}

/** FNV-1a, 32 bits. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let value = FNV_START
  for (let at = start; at < end; at++) value = Math.imul(value ^ bytes[at]!, FNV_PRIME)
  return (value ^ (value >>> 15)) >>> 0
}

import { unparsedMember } from './json-outline/index.ts'

/** A character of JavaScript takes at most so many bytes in UTF-8. */
const BYTES_PER_CHARACTER = 3

/** The beginning of the JSON of a value. */
export interface JsonBeginning {
  readonly text: string
  /** Whether the text is all of the JSON. */
  readonly isWhole: boolean
}

/**
 * Returns the JSON of a value, and of a long one only the beginning, of about so many characters. JSON.stringify takes
 * 15 ms for five megabytes, of which a log needs a few kilobytes.
 */
export function jsonBeginning(value: unknown, charactersMax: number): JsonBeginning {
  if (!isLongJson(value, charactersMax)) return { text: JSON.stringify(value) ?? 'null', isWhole: true }
  const writer = new BeginningWriter(charactersMax)
  const isWhole = writer.write(value, '')
  return { text: writer.text, isWhole }
}

/** Whether the JSON of a value has more than about so many characters. Reads no more of the value than these. */
export const isLongJson = (value: unknown, max: number): boolean => charactersLeft(value, max) < 0

/** Returns how many of so many characters the JSON of a value leaves; less than zero if it is longer. */
function charactersLeft(value: unknown, max: number): number {
  if (typeof value === 'string') return max - value.length - 2
  if (typeof value !== 'object' || value === null) return max - 1
  let left = max - 2
  if (Array.isArray(value))
    for (let at = 0; at < value.length && left >= 0; at++) left = charactersLeft(value[at], left - 1)
  else
    for (const name in value) {
      left -= name.length + 4
      const bytes = unparsedMember(value, name)
      left = bytes ? left - bytes.length : charactersLeft((value as Record<string, unknown>)[name], left)
      if (left < 0) break
    }
  return left
}

class BeginningWriter {
  text = ''
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** Adds the JSON of a value. Returns false once the text is long enough. */
  write(value: unknown, name: string): boolean {
    const plain = hasOwnJson(value) ? value.toJSON(name) : value
    if (typeof plain === 'string') return this.#add(JSON.stringify(plain.slice(0, this.#max)))
    if (typeof plain !== 'object' || plain === null) return this.#add(JSON.stringify(plain) ?? 'null')
    return Array.isArray(plain) ? this.#writeList(plain) : this.#writeObject(plain)
  }

  #add(text: string): boolean {
    this.text += text
    return this.text.length <= this.#max
  }

  /** Adds JSON that has not been parsed. Only its beginning is decoded. */
  #addBytes(bytes: Buffer): boolean {
    return this.#add(bytes.toString('utf8', 0, this.#max * BYTES_PER_CHARACTER))
  }

  #writeList(list: readonly unknown[]): boolean {
    if (!this.#add('[')) return false
    for (const [at, item] of list.entries()) {
      if (at > 0) this.#add(',')
      if (!this.write(item, String(at))) return false
    }
    return this.#add(']')
  }

  #writeObject(object: object): boolean {
    if (!this.#add('{')) return false
    let separator = ''
    for (const name of Object.keys(object)) {
      const bytes = unparsedMember(object, name)
      const value = bytes ? '' : (object as Record<string, unknown>)[name]
      if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue
      this.#add(`${separator}${JSON.stringify(name)}:`)
      separator = ','
      if (!(bytes ? this.#addBytes(bytes) : this.write(value, name))) return false
    }
    return this.#add('}')
  }
}

const hasOwnJson = (value: unknown): value is { toJSON(name: string): unknown } =>
  typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON === 'function'

import { type JsonMember, LAZY_BYTES_MIN } from './outline.ts'

/** The bytes of properties that have not been parsed, of each object that has some. */
const unparsedMembers = new WeakMap<object, Map<string, Buffer>>()
/** Objects that had such properties when they were made, or have an object that had some. */
const partlyUnparsed = new WeakSet()

/**
 * Returns the object that JSON.parse returns for the bytes of an outline. Its long properties are parsed when they are
 * read for the first time. Until then they take no memory but that of the bytes.
 */
export function objectFromOutline(bytes: Buffer, members: readonly JsonMember[]): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const { name, start, end, members: inner } of members) {
    if (inner) {
      const value = objectFromOutline(bytes, inner)
      if (partlyUnparsed.has(value)) partlyUnparsed.add(object)
      defineMember(object, name, value)
    } else if (end - start < LAZY_BYTES_MIN) defineMember(object, name, parse(bytes.subarray(start, end)))
    else addUnparsed(object, name, bytes.subarray(start, end))
  }
  return object
}

const parse = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'))

function addUnparsed(object: Record<string, unknown>, name: string, bytes: Buffer): void {
  partlyUnparsed.add(object)
  const unparsed = unparsedMembers.get(object) ?? new Map<string, Buffer>()
  unparsedMembers.set(object, unparsed.set(name, bytes))
  Object.defineProperty(object, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value = parse(bytes)
      defineMember(object, name, value)
      return value
    },
    set(value) {
      defineMember(object, name, value)
    },
  })
}

/** Sets a property of an object, also one that has not been parsed. */
export function defineMember(object: object, name: string, value: unknown): void {
  unparsedMembers.get(object)?.delete(name)
  Object.defineProperty(object, name, { configurable: true, enumerable: true, writable: true, value })
}

/** Returns the JSON of a property that has not been parsed. Reading the property would parse it. */
export const unparsedMember = (object: object, name: string): Buffer | undefined =>
  unparsedMembers.get(object)?.get(name)

/** Whether an object may have properties that have not been parsed, or has such objects in it. */
export const isPartlyUnparsed = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && partlyUnparsed.has(value)

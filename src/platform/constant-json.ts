type Serialize = (value: unknown) => string

/** The JSON of an object, once a list has been serialized that contains it. */
interface Serialized {
  serialize: Serialize | undefined
  bytes: Buffer | undefined
}

const constants = new WeakMap<object, Serialized>()

/** Remembers the JSON of an object from its first use, for objects that many responses contain. Freezes the object. */
export function markConstant<T extends object>(value: T): T {
  constants.set(Object.freeze(value), { serialize: undefined, bytes: undefined })
  return value
}

/** Returns the JSON of an object that was marked as constant; undefined for any other value. */
export function bytesOfConstant(value: unknown, serialize: Serialize): Buffer | undefined {
  const known = typeof value === 'object' && value !== null ? constants.get(value) : undefined
  if (!known) return undefined
  if (known.serialize !== serialize || !known.bytes) {
    known.serialize = serialize
    known.bytes = Buffer.from(serialize(value))
  }
  return known.bytes
}

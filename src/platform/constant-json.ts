/** A part of a response that exists as JSON only. */
class ConstantJson {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Returns the value, for a response that is serialized in one piece. */
  toJSON(): unknown {
    return JSON.parse(this.bytes.toString('utf8'))
  }
}

/**
 * Returns JSON as an item of the list of a response, for items that many responses contain. Bytes need a fifth of the
 * memory of the object, and none of the heap.
 * @param json as the schema of the item serializes it; it must not have names that a brand replaces
 */
export const constantJson = <T>(json: string | Buffer): T =>
  new ConstantJson(exactBuffer(json)) as unknown as T

export const isConstantJson = (value: unknown): boolean => value instanceof ConstantJson

/** Returns the bytes of an item that `constantJson` returned; undefined for any other value. */
export const bytesOfConstant = (value: unknown): Buffer | undefined =>
  value instanceof ConstantJson ? value.bytes : undefined

/**
 * Returns JSON as an item of the list of one response. Thousands of items that wait to be sent are few objects then:
 * the collector of young objects copies all that exist.
 * @param json as for `constantJson`
 */
export const serializedItem = <T>(json: string): T => new ConstantJson(Buffer.from(json)) as unknown as T

/** Returns the bytes in memory of their own: a small buffer is usually a part of one that other objects share. */
function exactBuffer(json: string | Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json))
  if (typeof json === 'string') bytes.write(json)
  else json.copy(bytes)
  return bytes
}

import type { JsonMember } from './outline.ts'

/** Shorter values are parsed at once. */
const LAZY_BYTES_MIN = 4_096

/**
 * Returns the object that JSON.parse returns for the bytes of an outline. Its long properties are parsed when they are
 * read for the first time. Until then they take no memory but that of the bytes.
 */
export function objectFromOutline(bytes: Buffer, members: readonly JsonMember[]): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const { name, start, end } of members) {
    const parse = (): unknown => JSON.parse(bytes.toString('utf8', start, end))
    if (end - start < LAZY_BYTES_MIN) defineValue(object, name, parse())
    else
      Object.defineProperty(object, name, {
        configurable: true,
        enumerable: true,
        get() {
          const value = parse()
          defineValue(object, name, value)
          return value
        },
        set(value) {
          defineValue(object, name, value)
        },
      })
  }
  return object
}

const defineValue = (object: object, name: string, value: unknown): void => {
  Object.defineProperty(object, name, { configurable: true, enumerable: true, writable: true, value })
}

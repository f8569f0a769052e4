import { isUtf8 } from 'node:buffer'

/** For smaller objects, serializing again is cheaper than checking whether it can be avoided. */
const BYTES_MIN = 4_096

const known = new WeakMap<object, Buffer>()

/**
 * Remembers the JSON from which an object was parsed, so that it can be sent unchanged. The object must not
 * be changed afterwards.
 */
export function rememberJsonBytes(value: object, bytes: Buffer): void {
  if (bytes.length >= BYTES_MIN && isUtf8(bytes)) known.set(value, bytes)
}

/** Returns the JSON of an object that is sent unchanged. */
export const jsonBytesOf = (value: unknown): Buffer | undefined =>
  typeof value === 'object' && value !== null ? known.get(value) : undefined

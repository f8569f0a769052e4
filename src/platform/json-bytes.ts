import { isUtf8 } from 'node:buffer'

/** Below this, writing JSON anew costs less than finding out that it need not be. */
const BYTES_MIN = 4_096

const known = new WeakMap<object, Buffer>()

/** Remembers the JSON that an object was read from, so that it can be passed on as it came. From now on nobody may change the object. */
export function rememberJsonBytes(value: object, bytes: Buffer): void {
  if (bytes.length >= BYTES_MIN && isUtf8(bytes)) known.set(value, bytes)
}

/** The JSON of an object that is passed on unchanged. */
export const jsonBytesOf = (value: unknown): Buffer | undefined =>
  typeof value === 'object' && value !== null ? known.get(value) : undefined

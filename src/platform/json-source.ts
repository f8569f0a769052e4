import { isUtf8 } from 'node:buffer'

/** The JSON from which an object was parsed. `bytes`: the same of a large one, in UTF-8. */
export interface JsonSource {
  readonly text: string
  readonly bytes: Buffer | undefined
}

/** For smaller objects, serializing again is as cheap as remembering. */
const TEXT_MIN = 256
/** Bytes are sent without encoding them again. Checking fewer costs as much as encoding them. */
const BYTES_MIN = 4_096

const known = new WeakMap<object, JsonSource>()

/**
 * Remembers the JSON from which an object was parsed, so that it can be sent and logged without serializing it again.
 * The object must not be changed afterwards.
 */
export function rememberJsonSource(value: object, text: string, bytes: Buffer): void {
  if (text.length < TEXT_MIN) return
  known.set(value, { text, bytes: bytes.length >= BYTES_MIN && isUtf8(bytes) ? bytes : undefined })
}

/** Returns the JSON of an object that was not changed. */
export const jsonSourceOf = (value: unknown): JsonSource | undefined =>
  typeof value === 'object' && value !== null ? known.get(value) : undefined

/** Returns the JSON text of a value. */
export const jsonTextOf = (value: unknown): string => jsonSourceOf(value)?.text ?? JSON.stringify(value)

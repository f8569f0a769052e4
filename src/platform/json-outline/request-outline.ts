import { isUtf8 } from 'node:buffer'
import { exceededBound, JsonTooComplex } from '../bounded-json.ts'
import { findFaultInPieces, REQUEST_BOUNDS } from '../request-json.ts'
import { runToEnd } from '../run-to-end.ts'
import { type JsonMember, outlineLevels } from './outline.ts'

/** The result of checking the body of a request. `other`: no object with a few properties, or too unusual. */
export type RequestOutline =
  | {
      readonly kind: 'object'
      readonly members: readonly JsonMember[]
      /** The body as JSON.stringify writes it, to which the outline refers. Undefined: it was written so already. */
      readonly bytes: Uint8Array<ArrayBuffer> | undefined
    }
  | { readonly kind: 'other' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'rejected'; readonly reason: string; readonly isTooComplex: boolean }

/** A number that may be too large for JavaScript. Tests of schemas reject it, and JSON.stringify writes null. */
const HUGE_NUMBER = /[eE]\+?0*\d{3}|\d{40}/

/**
 * Checks the body of a request as the parser of small bodies does, and finds its properties. The bytes of a property
 * are those of JSON.stringify, so that forwarding them sends what forwarding the parsed value would send: of two
 * properties with one name only the last one, for example.
 * @param mayHavePrototypeKeys default: a body with such a key is invalid
 */
export function outlineRequest(received: Buffer, mayHavePrototypeKeys = false): RequestOutline {
  const text = received.toString('utf8')
  const bound = exceededBound(text, REQUEST_BOUNDS)
  if (bound)
    return {
      kind: 'rejected',
      reason: new JsonTooComplex(bound, REQUEST_BOUNDS).message,
      isTooComplex: true,
    }
  let value: unknown
  let fault: string | undefined
  try {
    value = JSON.parse(text)
    fault = runToEnd(findFaultInPieces(text, value, mayHavePrototypeKeys))
  } catch {
    return { kind: 'invalid' }
  }
  if (fault !== undefined) return { kind: 'rejected', reason: fault, isTooComplex: false }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || HUGE_NUMBER.test(text))
    return { kind: 'other' }
  const written = JSON.stringify(value)
  const bytes = written === text && isUtf8(received) ? undefined : new TextEncoder().encode(written)
  const members = outlineLevels(bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : received)
  return members ? { kind: 'object', members, bytes } : { kind: 'other' }
}

import { JSON_BOUNDS, type JsonBounds } from './bounded-json.ts'

/**
 * Bounds for the JSON of a request. The number of values is not limited: the body is at most 6 MB, its sender has a
 * key, and long lists of numbers are common arguments.
 */
export const REQUEST_BOUNDS: JsonBounds = { ...JSON_BOUNDS, values: Infinity }

/** A text without any of these has no NUL, no unpaired surrogate and no prototype key. */
const SUSPICIOUS_TEXTS = ['\\u', '__proto__', 'constructor']
const VALUES_PER_PIECE = 1_000

/**
 * Returns why a parsed text cannot be stored: PostgreSQL stores neither NUL nor unpaired surrogates. Yields between
 * parts of a large value.
 * @param mayHavePrototypeKeys default: false
 * @throws SyntaxError for a prototype key, because no field has such a name
 */
export function* findFaultInPieces(
  text: string,
  parsed: unknown,
  mayHavePrototypeKeys = false,
): Generator<void, string | undefined> {
  if (!SUSPICIOUS_TEXTS.some((one) => text.includes(one))) return undefined
  const rest = [parsed]
  let count = 0
  while (rest.length > 0) {
    const value = rest.pop()
    const fault = typeof value === 'string' ? faultOfText(value) : undefined
    if (fault) return fault
    if (typeof value !== 'object' || value === null) continue
    if (!mayHavePrototypeKeys && hasPrototypeKey(value))
      throw new SyntaxError('The body has a prototype key.')
    for (const name in value) {
      const faultOfName = faultOfText(name)
      if (faultOfName) return faultOfName
      rest.push((value as Record<string, unknown>)[name])
      if (++count % VALUES_PER_PIECE === 0) yield
    }
  }
  return undefined
}

function hasPrototypeKey(value: object): boolean {
  if (Object.hasOwn(value, '__proto__')) return true
  const inner = Object.hasOwn(value, 'constructor')
    ? (value as Record<string, unknown>)['constructor']
    : undefined
  return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype')
}

/** Returns why a text cannot be stored. */
export function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'texts must not hold NUL'
  return text.isWellFormed() ? undefined : 'texts must be well-formed Unicode'
}

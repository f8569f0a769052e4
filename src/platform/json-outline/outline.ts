import { JsonTooComplex, parseBoundedJson } from '../bounded-json.ts'

/** A property of an object in a JSON text: its name, and where its value is in the bytes of the text. */
export interface JsonMember {
  readonly name: string
  readonly start: number
  readonly end: number
  /** The properties of the value, if it is a long object. */
  readonly members?: readonly JsonMember[] | undefined
}

/** The result of checking a JSON text. `other`: valid, but no object with a few properties in UTF-8. */
export type JsonOutline =
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'other' }
  | { readonly kind: 'too complex' }
  | { readonly kind: 'invalid' }

/** An object with more properties gains nothing: most of them are small. */
const MEMBERS_MAX = 200
/** Shorter values are parsed at once. */
export const LAZY_BYTES_MIN = 4_096

const QUOTE = 34,
  COMMA = 44,
  COLON = 58,
  LEFT_BRACKET = 91,
  BACKSLASH = 92,
  RIGHT_BRACKET = 93,
  LEFT_BRACE = 123,
  RIGHT_BRACE = 125

/** Checks that bytes are the JSON of an object within the bounds, and finds its properties. */
export function outlineJson(bytes: Buffer, isWellFormed: boolean): JsonOutline {
  let value: unknown
  try {
    value = parseBoundedJson(bytes.toString('utf8'))
  } catch (error) {
    return { kind: error instanceof JsonTooComplex ? 'too complex' : 'invalid' }
  }
  if (!isWellFormed || typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'other' }
  const members = membersOf(bytes, { start: 0, levels: 1, left: MEMBERS_MAX })
  return members ? { kind: 'object', members } : { kind: 'other' }
}

/** Levels of objects whose properties are found in a request: the body, its arguments, and objects in them. */
const REQUEST_LEVELS = 4

/** Finds the properties of an object in valid JSON, and those of long objects in it. Undefined if there are too many. */
export const outlineLevels = (bytes: Buffer): JsonMember[] | undefined =>
  membersOf(bytes, { start: 0, levels: REQUEST_LEVELS, left: MEMBERS_MAX })

/** `left`: how many more properties may be found, in all objects together. */
interface Place {
  start: number
  readonly levels: number
  left: number
}

/** Returns the properties of an object whose JSON is valid; undefined if there are too many. */
function membersOf(bytes: Buffer, place: Place): JsonMember[] | undefined {
  const members: JsonMember[] = []
  let at = bytes.indexOf(LEFT_BRACE, place.start) + 1
  for (;;) {
    while (bytes[at] !== QUOTE && bytes[at] !== RIGHT_BRACE) at++
    if (bytes[at] === RIGHT_BRACE) break
    if (place.left-- === 0) return undefined
    const nameEnd = endOfString(bytes, at) + 1
    const name = JSON.parse(bytes.toString('utf8', at, nameEnd)) as string
    const start = bytes.indexOf(COLON, nameEnd) + 1
    const end = endOfValue(bytes, start)
    members.push({ name, start, end })
    at = end
  }
  return place.levels === 1 ? members : members.map((member) => withMembers(bytes, member, place))
}

/** Blanks before a value. JSON.stringify writes none. */
const BLANK_MAX = 8

/** Adds the properties of a long object, unless there are too many. */
function withMembers(bytes: Buffer, member: JsonMember, place: Place): JsonMember {
  const { start, end } = member
  if (end - start < LAZY_BYTES_MIN || !/^\s*\{/.test(bytes.toString('latin1', start, start + BLANK_MAX)))
    return member
  const inner = { start, levels: place.levels - 1, left: place.left }
  const members = membersOf(bytes, inner)
  if (members) place.left = inner.left
  return { ...member, members }
}

/** Returns where the comma or bracket after a value is. */
function endOfValue(bytes: Buffer, start: number): number {
  let depth = 0
  for (let at = start; ; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (byte === LEFT_BRACE || byte === LEFT_BRACKET) depth++
    else if (byte === COMMA && depth === 0) return at
    else if (byte === RIGHT_BRACE || byte === RIGHT_BRACKET) {
      if (depth === 0) return at
      depth--
    }
  }
}

function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); ; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslashes = 0
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
}

/** Limits of a JSON text from another server. */
export interface JsonBounds {
  /** Nesting of objects and lists. Recursive functions overflow the stack at about ten thousand levels. */
  readonly depth: number
  /** Values, counting every object, list and member of them. */
  readonly values: number
}

/**
 * Bounds for every JSON text that this server did not write. JSON.parse blocks the event loop: 10 MB take 2 s as
 * brackets, and 0.9 s as objects with distinct keys. Within these bounds 10 MB take at most about 0.2 s.
 */
export const JSON_BOUNDS: JsonBounds = { depth: 100, values: 250_000 }

/**
 * A JSON text that would cost too much to parse; a SyntaxError, so that code that rejects invalid JSON rejects it, too.
 * `message` has the bound and no part of the text.
 */
export class JsonTooComplex extends SyntaxError {
  readonly bound: keyof JsonBounds
  constructor(bound: keyof JsonBounds, bounds: JsonBounds) {
    super(
      bound === 'depth'
        ? `is nested deeper than ${bounds.depth} levels`
        : `has more than ${bounds.values} values`,
    )
    this.name = 'JsonTooComplex'
    this.bound = bound
  }
}

/**
 * Parses JSON that another server wrote: a response, a message, a token, a webhook. Use this instead of JSON.parse
 * for such texts. The caller bounds the number of bytes while it reads them.
 * @throws SyntaxError for a text that is not JSON, JsonTooComplex for one that exceeds the bounds
 */
export function parseBoundedJson(text: string, bounds: JsonBounds = JSON_BOUNDS): unknown {
  const exceeded = exceededBound(text, bounds)
  if (exceeded) throw new JsonTooComplex(exceeded, bounds)
  return JSON.parse(text)
}

/** Returns the parsed JSON; undefined for a text that is not JSON or exceeds the bounds. */
export function parseBoundedJsonOrUndefined(text: string, bounds: JsonBounds = JSON_BOUNDS): unknown {
  try {
    return parseBoundedJson(text, bounds)
  } catch {
    return undefined
  }
}

const QUOTE = 34,
  COMMA = 44,
  LEFT_BRACKET = 91,
  BACKSLASH = 92,
  RIGHT_BRACKET = 93,
  LEFT_BRACE = 123,
  RIGHT_BRACE = 125

/**
 * Returns the bound that a JSON text exceeds. Counts brackets and commas outside of strings, and stops at the bound,
 * so hostile texts cost less than others. A text that is shorter than both bounds cannot exceed one.
 */
export function exceededBound(text: string, { depth, values }: JsonBounds): keyof JsonBounds | undefined {
  if (text.length <= Math.min(depth, values)) return undefined
  // A search for few brackets is faster than a full scan, and a text has fewer values than characters.
  if (text.length < values && hasAtMostOpenings(text, depth)) return undefined
  let level = 0
  let count = 1
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (code === COMMA) count++
    else if (code === LEFT_BRACKET || code === LEFT_BRACE) {
      if (++level > depth) return 'depth'
      count++
    } else if (code === RIGHT_BRACKET || code === RIGHT_BRACE) level--
    if (count > values) return 'values'
  }
  return undefined
}

/** Returns whether a text has at most `max` opening brackets, those in strings included. */
function hasAtMostOpenings(text: string, max: number): boolean {
  let found = 0
  for (const bracket of ['{', '['])
    for (let i = text.indexOf(bracket); i >= 0; i = text.indexOf(bracket, i + 1))
      if (++found > max) return false
  return true
}

/** Returns the end of the string that starts at `start`: the next quote that is not escaped. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

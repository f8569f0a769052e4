import { createCache } from '../cache.ts'
import { countWays } from './ambiguity.ts'
import { parsePattern, UnsafePattern } from './parse.ts'

export { UnsafePattern } from './parse.ts'

/** Longest pattern, in characters. */
export const PATTERN_CHARACTERS_MAX = 200
/**
 * Longest text, in characters, for a pattern whose number of ways grows with the text; a longer one does not
 * match. The other patterns have no limit.
 */
export const PATTERN_TEXT_MAX = 500

/** At most this many ways per character of the text: one loop that overlaps with what follows it. */
const WAYS_PER_CHARACTER_MAX = 16
const CACHED_MAX = 1_000

export interface PatternOptions {
  /** Whether the whole text must match. Default false: some part of it must. */
  readonly whole?: boolean
  readonly ignoreCase?: boolean
}

/** A regular expression of a manifest or an import, for texts of other people. */
export interface SafePattern {
  /** Number of capturing groups. */
  readonly groups: number
  matches(text: string): boolean
  /** Returns the first group of the first match. */
  firstGroup(text: string): string | undefined
}

const cache = createCache<string, SafePattern>({ max: CACHED_MAX })

/**
 * Compiles a regular expression of a manifest, an import or a session. JavaScript engines backtrack: `^(a|a)*$` takes
 * hours for forty characters, and all other requests wait. So only patterns are compiled whose number of ways
 * to match is bounded by the length of the text; see docs/decisions/0055-safe-patterns.md.
 * @throws UnsafePattern with the reason as the rest of a sentence
 */
export function compileSafePattern(source: string, options: PatternOptions = {}): SafePattern {
  const { whole = false, ignoreCase = false } = options
  const key = `${Number(whole)}${Number(ignoreCase)}${source}`
  const cached = cache.get(key)
  if (cached) return cached
  const compiled = compile(source, whole, ignoreCase)
  cache.set(key, compiled)
  return compiled
}

/** Returns why a pattern is not supported, as the rest of a sentence; undefined when it is. */
export function findPatternFault(source: string, options?: PatternOptions): string | undefined {
  try {
    compileSafePattern(source, options)
    return undefined
  } catch (error) {
    if (error instanceof UnsafePattern) return error.message
    throw error
  }
}

/** Returns a compiled pattern; undefined for one that is not supported, which then matches nothing. */
export function trySafePattern(source: string, options?: PatternOptions): SafePattern | undefined {
  try {
    return compileSafePattern(source, options)
  } catch (error) {
    if (error instanceof UnsafePattern) return undefined
    throw error
  }
}

/** Returns whether a text matches; false for a pattern that is not supported, and for a text that is too long. */
export const matchesPattern = (source: string, text: string, options?: PatternOptions): boolean =>
  trySafePattern(source, options)?.matches(text) ?? false

/** Returns the first group of the first match; undefined for a pattern or a text as in `matchesPattern`. */
export const findFirstGroup = (source: string, text: string, options?: PatternOptions): string | undefined =>
  trySafePattern(source, options)?.firstGroup(text)

function compile(source: string, whole: boolean, ignoreCase: boolean): SafePattern {
  if (source.length > PATTERN_CHARACTERS_MAX)
    throw new UnsafePattern(`is longer than ${PATTERN_CHARACTERS_MAX} characters`)
  const { node, groups, startsAtBeginning } = parsePattern(source, ignoreCase)
  const ways = countWays(node, PATTERN_TEXT_MAX)
  // A search starts again at every character.
  const total = startsAtBeginning || whole ? ways : ways * PATTERN_TEXT_MAX
  if (total > PATTERN_TEXT_MAX * WAYS_PER_CHARACTER_MAX)
    throw new UnsafePattern(
      'has several repeated parts that overlap with what follows them: exclude the next character from the ' +
        'class, as in [^/]+/, or begin with ^',
    )
  const expression = new RegExp(whole ? `^(?:${source})$` : source, ignoreCase ? 'iu' : 'u')
  const textMax = total > WAYS_PER_CHARACTER_MAX ? PATTERN_TEXT_MAX : Infinity
  const exec = (text: string) => (text.length > textMax ? null : expression.exec(text))
  return { groups, matches: (text) => exec(text) !== null, firstGroup: (text) => exec(text)?.[1] }
}

/**
 * Set of characters as one bit per ASCII code, and one bit for all other characters together: two sets may
 * then count as overlapping that are not, never the other way round.
 */
export type CharacterSet = bigint

const OTHER_CODE = 128
export const OTHER_CHARACTERS: CharacterSet = 1n << BigInt(OTHER_CODE)
const ALL: CharacterSet = (1n << BigInt(OTHER_CODE + 1)) - 1n
/** With the flags `i` and `u`, `K` and `S` also match U+212A and U+017F (ECMA-262, "Canonicalize"). */
const FOLDED_FROM_OTHERS = charactersOf('kKsS')

/** Returns the set that contains one character. */
export function characterSet(character: string): CharacterSet {
  return 1n << BigInt(Math.min(character.codePointAt(0)!, OTHER_CODE))
}

export function charactersOf(text: string): CharacterSet {
  return [...text].reduce((set, character) => set | characterSet(character), 0n)
}

/** Returns the set from one character to another; undefined when they are in the wrong order. */
export function characterRange(from: string, to: string): CharacterSet | undefined {
  const [first, last] = [from.codePointAt(0)!, to.codePointAt(0)!]
  if (first > last) return undefined
  let set: CharacterSet = last >= OTHER_CODE ? OTHER_CHARACTERS : 0n
  for (let code = first; code <= last && code < OTHER_CODE; code++) set |= 1n << BigInt(code)
  return set
}

/** Returns the complement. A set cannot exclude all other characters, so they always belong to it. */
export function complement(set: CharacterSet): CharacterSet {
  return (ALL & ~set) | OTHER_CHARACTERS
}

/** Returns the set with the characters that the flag `i` adds. */
export function ignoringCase(set: CharacterSet): CharacterSet {
  let folded = set
  for (let code = 65; code <= 90; code++) {
    const both = (1n << BigInt(code)) | (1n << BigInt(code + 32))
    if (folded & both) folded |= both
  }
  return folded & FOLDED_FROM_OTHERS ? folded | OTHER_CHARACTERS : folded
}

const DIGITS = charactersOf('0123456789')
const LOWER_CASE = 'abcdefghijklmnopqrstuvwxyz'
const WORDS = DIGITS | charactersOf(`${LOWER_CASE}${LOWER_CASE.toUpperCase()}_`)
const SPACES = charactersOf(' \t\n\v\f\r') | OTHER_CHARACTERS
/** The sets of `.`, `\d`, `\s` and so on; line separators other than `\n` and `\r` are not ASCII. */
export const CLASS_ESCAPES: Readonly<Record<string, CharacterSet>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORDS,
  W: complement(WORDS),
  s: SPACES,
  S: complement(SPACES),
}
export const ANY_CHARACTER = complement(charactersOf('\n\r'))

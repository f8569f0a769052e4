import porter2 from 'wink-porter2-stemmer'
import { STOP_WORDS } from './stop-words.ts'

/** A longer text is read this far; it is a document, and its beginning says what it is about. */
const TEXT_CHARS_MAX = 20_000
/** No word that anyone looks for is longer; what is longer is a key or a blob. */
const WORD_CHARS_MAX = 40
/** `GitHub` is also a word as a whole; `getUser` and `ListUsersById` are not. */
const JOINED_PARTS = 2
/** Runs whose words are remembered, since a catalogue repeats itself; about 10 MB. */
const KNOWN_MAX = 50_000

/** Stems that are remembered: a search stems each word of its text several times. About 0.5 MB. */
const STEMS_MAX = 5_000
/** A longer word may be a slice, which would hold the text that it is from. */
const REMEMBERED_CHARS_MAX = 12

const stems = new Map<string, string>()

/** The Porter 2 stem of a lower-case word. */
export function stem(word: string): string {
  if (word.length <= 2) return word
  if (word.length > REMEMBERED_CHARS_MAX) return porter2(word)
  let found = stems.get(word)
  if (found === undefined) {
    if (stems.size >= STEMS_MAX) stems.clear()
    stems.set(word, (found = porter2(word)))
  }
  return found
}

/**
 * A text as stems without stop words, in their order: NFKC without accents, `camelCase` and `snake_case`
 * taken apart, `CamelCase` of two parts also joined, scripts without spaces in pairs of characters.
 */
export function wordsOf(text: string): string[] {
  const out: string[] = []
  for (const run of plainText(text).match(RUN) ?? []) {
    let words = known.get(run)
    if (!words) {
      if (known.size >= KNOWN_MAX) known.clear()
      // A copy, so that what is remembered does not hold the whole text.
      known.set(
        Buffer.from(run).toString(),
        (words = tokensOf(run)
          .filter(({ word }) => !STOP_WORDS.has(word))
          .map(({ word }) => stem(word))),
      )
    }
    for (const word of words) out.push(word)
  }
  return out
}

const known = new Map<string, readonly string[]>()

/** A word of a text. `isJoined`: the whole of a `camelCase` name whose parts are also words. */
export interface Token {
  readonly word: string
  readonly start: number
  readonly capital: boolean
  readonly isJoined: boolean
}

const UNSPACED_SCRIPTS =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{Script=Thai}\\p{Script=Khmer}\\p{Script=Lao}]&&\\p{L}'
/** A run of a script that puts no spaces between words. A Latin word next to it is another run. */
export const UNSPACED_RUN = new RegExp(`[${UNSPACED_SCRIPTS}]+`, 'v')
/** Every such run of a text. */
export const UNSPACED_RUNS = new RegExp(`[${UNSPACED_SCRIPTS}]+`, 'gv')
const RUN = new RegExp(`[${UNSPACED_SCRIPTS}]+|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED_SCRIPTS}]]+`, 'gv')
const HUMP = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u
const HUMPS = /\p{Lu}+(?!\p{Ll})[\p{N}\p{M}]*|\p{Lu}?[\p{Ll}\p{N}\p{M}]+|[\p{L}\p{N}\p{M}]/gu
/** `PRs`, `URLs`: an abbreviation in the plural. */
const PLURAL_ABBREVIATION = /^\p{Lu}{2,}s$/u
const NOT_ASCII = /[^\0-\x7f]/
/** The end of `what's`, `don't`, `I'll`: no word of its own. */
const CONTRACTION = /(?<=\p{L})(?:n['’]t|['’](?:s|t|re|ve|ll|d|m))(?![\p{L}\p{N}])/giu

/** The words of a text, lower case, not stemmed, stop words included. */
export function tokensOf(text: string): Token[] {
  const out: Token[] = []
  for (const { 0: run, index: start } of plainText(text).matchAll(RUN)) {
    if (NOT_ASCII.test(run) && UNSPACED_RUN.test(run)) addPairs(run.toLowerCase(), start, out)
    else addRun(run, start, out)
  }
  return out
}

const IDENTIFIER_SIGN = /[_@/#\\:=\p{N}]/u

/** Whether a word is a part of a slug, a path, a URL or an address. */
export const isInIdentifier = (text: string, { word, start }: Token): boolean =>
  IDENTIFIER_SIGN.test(text[start - 1] ?? '') || IDENTIFIER_SIGN.test(text[start + word.length] ?? '')

/** The beginning of a text in compatibility form (NFKC), without accents and without the ends of contractions. */
export function plainText(text: string): string {
  const cut = (text.length > TEXT_CHARS_MAX ? text.slice(0, TEXT_CHARS_MAX) : text).replace(CONTRACTION, ' ')
  return NOT_ASCII.test(cut)
    ? cut
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .normalize('NFKC')
    : cut
}

function addRun(run: string, start: number, out: Token[]): void {
  const capital = run[0] !== run[0]!.toLowerCase()
  const lower = run.toLowerCase()
  if (PLURAL_ABBREVIATION.test(run)) {
    out.push({ word: lower.slice(0, -1), start, capital, isJoined: false })
    return
  }
  if (!HUMP.test(run)) {
    if (lower.length <= WORD_CHARS_MAX) out.push({ word: lower, start, capital, isJoined: false })
    return
  }
  const parts = run.match(HUMPS) ?? []
  for (const part of parts)
    if (part.length <= WORD_CHARS_MAX) out.push({ word: part.toLowerCase(), start, capital, isJoined: false })
  if (capital && parts.length === JOINED_PARTS && lower.length <= WORD_CHARS_MAX)
    out.push({ word: lower, start, capital, isJoined: true })
}

function addPairs(run: string, start: number, out: Token[]): void {
  const characters = [...run]
  if (characters.length === 1) out.push({ word: run, start, capital: false, isJoined: false })
  for (let at = 1; at < characters.length; at++)
    out.push({ word: characters[at - 1]! + characters[at]!, start, capital: false, isJoined: false })
}

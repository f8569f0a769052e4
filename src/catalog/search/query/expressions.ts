import data from '../data/expressions.json' with { type: 'json' }
import { isInIdentifier, plainText, type Token, tokensOf } from './tokens.ts'

// What people say in words that no tool has: abbreviations ("tz") and idioms ("money back"). The dictionary is general
// English. `pass-*-on` allows up to four words between.

/** A sequence of words that is replaced. An undefined word stands for some words that stay. */
interface Expression {
  readonly words: readonly (string | undefined)[]
  readonly replacement: readonly string[]
}

/** Expressions by their first word, the longest first. */
export type Expressions = ReadonlyMap<string, readonly Expression[]>

const GAP_WORDS_MAX = 4

/** Prepares expressions: each replacement with its forms, separated by spaces. */
export function compileExpressions(lists: readonly (readonly [string, string])[]): Expressions {
  const byFirstWord = new Map<string, Expression[]>()
  for (const [replacement, forms] of lists)
    for (const form of forms.split(' ')) {
      const words = form.split('-').map((word) => (word === '*' ? undefined : word))
      const first = words[0]!
      byFirstWord.set(first, [
        ...(byFirstWord.get(first) ?? []),
        { words, replacement: replacement.split(' ') },
      ])
    }
  for (const list of byFirstWord.values()) list.sort((a, b) => b.words.length - a.words.length)
  return byFirstWord
}

const english = compileExpressions([
  ...Object.entries(data.abbreviations),
  ...Object.entries(data.expressions),
])

/** Replaces abbreviations and idioms by words that tools have. */
function replaceExpressions(text: string, tokens: readonly Token[]): Token[] {
  const out: Token[] = []
  const used = new Set<number>()
  const words = tokens.map(({ word }) => word)
  tokens.forEach((token, at) => {
    if (used.has(at)) return
    const found = isInIdentifier(text, token) ? undefined : expressionAt(english, words, at)
    if (!found) return void out.push(token)
    for (const place of found.places) used.add(place)
    for (const word of found.replacement)
      out.push({ word, start: token.start, capital: false, isJoined: false })
  })
  return out
}

/** The expression that begins at a word, and where its words are. */
export function expressionAt(
  expressions: Expressions,
  text: readonly string[],
  at: number,
): { readonly places: readonly number[]; readonly replacement: readonly string[] } | undefined {
  for (const { words, replacement } of expressions.get(text[at]!) ?? []) {
    const places = placesOf(text, at, words)
    if (places) return { places, replacement }
  }
  return undefined
}

/** Where the words of an expression are; undefined if it is not there. */
function placesOf(
  text: readonly string[],
  from: number,
  words: readonly (string | undefined)[],
): readonly number[] | undefined {
  const places: number[] = []
  let at = from
  let gap = 0
  for (const word of words) {
    if (word === undefined) {
      gap = GAP_WORDS_MAX
      continue
    }
    // A gap has at least one word.
    const first = gap > 0 ? at + 1 : at
    let place = first
    while (place < text.length && place - first < Math.max(1, gap) && text[place] !== word) place++
    if (text[place] !== word || place - first >= Math.max(1, gap)) return undefined
    places.push(place)
    at = place + 1
    gap = 0
  }
  return places
}

/** The words of an English sentence, without abbreviations and idioms. */
export const englishTokens = (sentence: string): Token[] =>
  replaceExpressions(plainText(sentence), tokensOf(sentence))

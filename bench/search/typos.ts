import { createHash } from 'node:crypto'
import type { Search } from './baselines.ts'
import type { Question } from './data-sets.ts'
import { quality } from './metrics.ts'

// Misspellings made by a program: what each search still finds when one word of a question is misspelt.

const WORD = /[A-Za-z]{5,}/g
/** Neighbours on a keyboard, for the commonest letters. */
const NEIGHBOURS: Readonly<Record<string, string>> = {
  a: 's',
  e: 'r',
  i: 'o',
  l: 'k',
  n: 'm',
  o: 'p',
  r: 't',
  s: 'd',
  t: 'y',
  u: 'i',
}
const EDITS: readonly ((word: string, at: number) => string)[] = [
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => word.slice(0, at) + word[at]! + word.slice(at),
  (word, at) => word.slice(0, at - 1) + word[at]! + word[at - 1]! + word.slice(at + 1),
  (word, at) => word.slice(0, at) + (NEIGHBOURS[word[at]!.toLowerCase()] ?? 'x') + word.slice(at + 1),
]

/**
 * The query with one of its words of five or more letters misspelt by one edit (a letter left out, doubled, swapped
 * with the one before, or replaced), the same in every run; undefined when it has no such word. The first letter stays.
 */
export function misspell(query: string): string | undefined {
  const words = [...query.matchAll(WORD)]
  if (words.length === 0) return undefined
  const seed = createHash('sha256').update(query).digest()
  const { 0: word, index } = words[seed[0]! % words.length]!
  const at = 2 + (seed[1]! % (word.length - 2))
  const made = EDITS[seed[2]! % EDITS.length]!(word, at)
  // Two equal letters were swapped: one of them is left out instead.
  const changed = made === word ? EDITS[0]!(word, at) : made
  return query.slice(0, index) + changed + query.slice(index + word.length)
}

/** nDCG@10 of a search with the questions as they are and misspelt. */
export interface TypoQuality {
  readonly questions: number
  readonly correct: number
  readonly misspelt: number
}

/** Measures a search with the questions that have a word to misspell. */
export function typoQuality(search: Search, questions: readonly Question[], limit: number): TypoQuality {
  const pairs = questions.flatMap((question) => {
    const misspelt = misspell(question.query)
    return misspelt === undefined ? [] : [{ question, misspelt }]
  })
  const asked = pairs.map(({ question }) => question)
  const ndcg = (texts: readonly string[]) =>
    quality(
      asked,
      texts.map((text) => search.ask(text, limit)),
    ).ndcg10
  return {
    questions: pairs.length,
    correct: ndcg(asked.map(({ query }) => query)),
    misspelt: ndcg(pairs.map(({ misspelt }) => misspelt)),
  }
}

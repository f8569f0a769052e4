import { runToEnd } from '../../../platform/run-to-end.ts'
import { isLexiconWord } from './lexicon.ts'
import type { Said, Vocabulary } from './query.ts'
import { createSpellingInPieces, type Spelling, type SpellingTarget } from './spelling.ts'
import { STOP_WORDS } from './stop-words.ts'
import { stem, tokensOf } from './tokens.ts'
import { weightOfWord } from './word-weights.ts'
import { VERB_CHARS_MIN, verbSpelling } from './written-verbs.ts'
import type { Segment } from '../segments/segment.ts'
import type { Vectors } from '../ranking/vectors.ts'

/** The words of one index as targets of corrections. */
interface SegmentSpelling {
  readonly names: Spelling
  readonly nameWords: ReadonlySet<string>
  readonly words: Spelling
}

/** Only the commonest words of an index are targets: a rare word is rarely what a misspelt one stands for. */
const WORDS_MAX = 20_000
const WORD = /^[a-z]+$/
/** A target is in at least one of so many tools. */
const TOOLS_FOR_ONE = 5_000
const NAME_CHARS_MIN = 3
const WORD_CHARS_MIN = 4
/** Two edits are allowed from this length on. */
const TWO_EDITS_CHARS = 6
const NAME_BONUS = 0.35
/** A request has a verb; of equally near words that is likelier. */
const VERB_BONUS = 0.2
/** `unstar` is no misspelt `star`: it is the opposite. */
const NEGATION = /^(?:un|dis)(?=[a-z]{3})/

const spellings = new WeakMap<Segment, SegmentSpelling>()

/** The words of some indexes and of the language model. `count`: how many tools contain a stem. */
export function vocabularyOf(
  segments: readonly Segment[],
  count: (stem: string) => number,
  model: Vectors,
): Vocabulary {
  const isKnown = (word: string) => {
    const base = stem(word)
    return (
      STOP_WORDS.has(word) ||
      weightOfWord(base) < 1 ||
      isLexiconWord(base) ||
      count(base) > 0 ||
      model.knows(base) ||
      segments.some((segment) => spellingOf(segment).nameWords.has(word))
    )
  }
  return {
    correct(token) {
      const { word } = token
      if (word.length < NAME_CHARS_MIN || !WORD.test(word) || isKnown(word)) return undefined
      const positive = word.replace(NEGATION, '')
      if (positive !== word && isKnown(positive)) return undefined
      return nearestOf(segments.map(spellingOf), token)
    },
  }
}

/** A capital in mid-sentence begins a name, which is corrected to the name of an application only. */
function nearestOf(all: readonly SegmentSpelling[], { word, capital, first }: Said): string | undefined {
  const edits = word.length >= TWO_EDITS_CHARS ? 2 : 1
  const isName = capital && !first
  const base = stem(word)
  const verb = isName || word.length < VERB_CHARS_MIN ? undefined : verbSpelling().nearest(word, edits)
  let best = verb && { ...verb, cost: verb.cost - VERB_BONUS }
  for (const { names, words } of all) {
    const name = names.nearest(word, edits)
    const other = isName || word.length < WORD_CHARS_MIN ? undefined : words.nearest(base, edits)
    for (const found of [name && { ...name, cost: name.cost - NAME_BONUS }, other])
      if (found && (!best || found.cost < best.cost)) best = found
  }
  return best?.word
}

function spellingOf(segment: Segment): SegmentSpelling {
  const known = spellings.get(segment)
  if (known) return known
  runToEnd(prepareSpelling(segment))
  return spellings.get(segment)!
}

/** Prepares the corrections of an index, so that the first misspelt word does not wait for it. Yields between parts. */
export function* prepareSpelling(segment: Segment): Generator<void, void> {
  if (spellings.has(segment)) return
  const nameWords = new Set(
    segment.toolkits.flatMap(({ name, slug }) => [
      ...tokensOf(name).map(({ word }) => word),
      ...slug.toLowerCase().split(/[^a-z0-9]+/),
    ]),
  )
  yield
  const names = [...nameWords].filter((word) => WORD.test(word) && word.length > NAME_CHARS_MIN)
  const words = commonWords(segment)
  yield
  spellings.set(segment, {
    nameWords,
    names: yield* createSpellingInPieces(
      names.map((word) => ({ word, weight: 0 })),
      2,
    ),
    words: yield* createSpellingInPieces(words, 2),
  })
}

function commonWords({ terms, postingStart, slugs }: Segment): SpellingTarget[] {
  const words: SpellingTarget[] = []
  for (let term = 0; term < terms.length; term++) {
    const weight = postingStart[term + 1]! - postingStart[term]!
    if (weight <= slugs.length / TOOLS_FOR_ONE) continue
    const word = terms.at(term)!
    if (WORD.test(word) && word.length >= WORD_CHARS_MIN) words.push({ word, weight })
  }
  return words.length > WORDS_MAX ? words.sort((a, b) => b.weight - a.weight).slice(0, WORDS_MAX) : words
}

import type { Part } from '../query/query.ts'
import { weightOfWord } from '../query/word-weights.ts'
import { firstFrom } from '../segments/postings.ts'
import { IMPACT_SCALE, K1, type Segment } from '../segments/segment.ts'

/** What speaks for a tool doing what a request asks for. Shares are 0 to 1. */
export interface Evidence {
  /** Share of the request that the tool has, by the rarity of its words and where the tool has them. */
  readonly coverage: number
  /** The same, each word counting alike. */
  readonly words: number
  /** How alike the meaning of the request and of the tool are, 0 to 1. */
  readonly likeness: number
  /** How sure it is that the request names the application of the tool. */
  readonly application: number
  /** How far its score is ahead of that of the fifth tool; scores are relative to the best match of words. */
  readonly lead: number
  /** Share of the tool's name that the request says. */
  readonly name: number
}

/**
 * Weights of the evidence; from `FITS_FROM` on a tool fits. Logistic regression on the tuning halves of
 * `bench/search/agents` and `bench/search/blind` and on `bench/search/agents/impossible.txt`, both classes counting
 * alike (docs/decisions/0089).
 */
const WEIGHT: Evidence = {
  coverage: 0.36,
  words: 0.36,
  likeness: 0.22,
  application: 0.31,
  lead: 0.48,
  name: 0.31,
}
export const FITS_FROM = 1

/** From this sureness on, the request names the application. */
export const APPLICATION_FROM = 0.6

/** The sum of the evidence: `FITS_FROM` or more if the tool likely does what was asked. */
export const weigh = (evidence: Evidence): number =>
  (Object.keys(WEIGHT) as (keyof Evidence)[]).reduce((sum, name) => sum + WEIGHT[name] * evidence[name], 0)

/** The impact of a word that is in the name or the description; less, if only parameters have it. */
const FULL_IMPACT = 0.5
const THROUGH_LEXICON = 0.7

/** What the coverage of a request is read from. */
export interface Reading {
  readonly idf: (word: string) => number
  /** Stems that only name an application. */
  readonly names: ReadonlySet<string>
  readonly isTranslated: boolean
}

/** The shares of a part of a request that a tool has. */
export function coverageOf(
  part: Part,
  segment: Segment,
  tool: number,
  { idf, names, isTranslated }: Reading,
): Pick<Evidence, 'coverage' | 'words'> {
  let [rarities, coveredRarities, words, coveredWords] = [0, 0, 0, 0]
  for (const { words: alternatives } of part.concepts) {
    const { word, weight } = alternatives[0]!
    // A word that no dictionary has is a value in another language: it says nothing about the tool.
    if (weight < 1 || names.has(word) || (isTranslated && !segment.termNumber.has(word))) continue
    const covered = Math.max(
      ...alternatives.map(
        (one) => impactOf(segment, one.word, tool) * (one.weight === 1 ? 1 : THROUGH_LEXICON),
      ),
    )
    const counts = weightOfWord(word)
    rarities += idf(word) * counts
    coveredRarities += idf(word) * counts * covered
    if (counts < 1) continue
    words++
    coveredWords += covered
  }
  const namesOnly = part.concepts.length > 0 ? 1 : 0
  return {
    coverage: rarities > 0 ? coveredRarities / rarities : namesOnly,
    words: words > 0 ? coveredWords / words : 0,
  }
}

/** 0 to 1: how much a word counts in a tool. */
export const impactOf = (segment: Segment, word: string, tool: number): number =>
  Math.min(1, strengthOf(segment, word, tool))

/** How much a word counts in a tool: 1 in its name or description, up to 2 in several of its texts, 0 in none. */
export function strengthOf(segment: Segment, word: string, tool: number): number {
  const term = segment.termNumber.get(word)
  if (term === undefined) return 0
  const at = firstFrom(segment, term, tool)
  if (at >= segment.postingStart[term + 1]! || segment.postingTool[at] !== tool) return 0
  return strengthAt(segment, at)
}

/** 0 to 1: how much the word of a posting counts in its tool. */
export const impactAt = (segment: Segment, at: number): number => Math.min(1, strengthAt(segment, at))

const strengthAt = ({ postingImpact }: Segment, at: number): number =>
  postingImpact[at]! / IMPACT_SCALE / (K1 + 1) / FULL_IMPACT

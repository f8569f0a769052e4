import type { Concept } from '../query/query.ts'
import type { Searched } from './rank.ts'
import { IMPACT_SCALE, type Segment } from '../segments/segment.ts'

/** Scores of one segment for one part of a query. Reused by the next one: read it before that. */
export interface Scores {
  readonly of: Float32Array
  /** Tools with a score, in no order. */
  readonly touched: Uint32Array
  count: number
  /** The concept that a tool scored for last, so that it scores once for each. */
  readonly concept: Uint8Array
}

/**
 * Once rarer words found so many tools, the commoner ones add to those and find no more: what has none of the
 * rarer words would not be among the best.
 */
const PLENTY = 2_000
/** Alternatives that would add less are not looked up. */
const ALTERNATIVE_IDF_MIN = 1
/** Scores of more than one in so many tools are cleared all at once. */
const DENSE = 16

const spareScores = new WeakMap<Segment, Scores>()
const spareSums = new WeakMap<Segment, Scores>()

/**
 * BM25 of every tool that has words of the concepts, one answer for each index. `idf` is over everything that
 * is searched, and so is whether a word found anything: it does not matter how tools are spread over indexes.
 */
export function accumulate(
  searched: readonly Searched[],
  concepts: readonly Concept[],
  idf: (word: string) => number,
): Scores[] {
  const scores = searched.map(({ segment }) => cleared(segment))
  const rated = concepts
    .map(({ words, weight: share }) => ({ words, share, idf: idf(words[0]!.word) }))
    .sort((a, b) => b.share * b.idf - a.share * a.idf)
  for (let number = 0; number < rated.length; number++) {
    const { words, share, idf: main } = rated[number]!
    for (const { word, weight } of words) {
      const own = word === words[0]!.word ? main : Math.min(idf(word), main)
      if (weight < 1 && own < ALTERNATIVE_IDF_MIN) continue
      const known = scores.reduce((sum, { count }) => sum + count, 0) >= PLENTY
      searched.forEach(({ segment, mask }, at) => {
        const term = segment.termNumber.get(word)
        if (term !== undefined)
          addPostings(
            segment,
            scores[at]!,
            term,
            (share * weight * own) / IMPACT_SCALE,
            number + 1,
            known,
            mask,
          )
      })
    }
  }
  return scores
}

function addPostings(
  segment: Segment,
  scores: Scores,
  term: number,
  factor: number,
  concept: number,
  known: boolean,
  mask: Uint8Array | undefined,
): void {
  const { postingTool, postingImpact, postingStart, toolkitOf } = segment
  const { of, touched, concept: last } = scores
  let { count } = scores
  for (let at = postingStart[term]!, end = postingStart[term + 1]!; at < end; at++) {
    const tool = postingTool[at]!
    const score = of[tool]!
    if (score === 0) {
      if (known || last[tool] === concept || (mask && mask[toolkitOf[tool]!] === 0)) continue
      touched[count++] = tool
    } else if (last[tool] === concept) continue
    last[tool] = concept
    of[tool] = score + factor * postingImpact[at]!
  }
  scores.count = count
}

/**
 * The sum of the scores of steps, which is nearly that of the whole query: its words are not looked up again.
 */
export class Sum {
  readonly #scores: readonly Scores[]

  constructor(searched: readonly Searched[]) {
    this.#scores = searched.map(({ segment }) => cleared(segment, spareSums))
  }

  add(step: readonly Scores[]): void {
    step.forEach((scores, at) => {
      const sum = this.#scores[at]!
      for (let index = 0; index < scores.count; index++) {
        const tool = scores.touched[index]!
        if (sum.of[tool] === 0) sum.touched[sum.count++] = tool
        sum.of[tool]! += scores.of[tool]!
      }
    })
  }

  get scores(): readonly Scores[] {
    return this.#scores
  }
}

function cleared(segment: Segment, spare = spareScores): Scores {
  let scores = spare.get(segment)
  if (!scores) {
    const tools = segment.slugs.length
    spare.set(
      segment,
      (scores = {
        of: new Float32Array(tools),
        touched: new Uint32Array(tools),
        count: 0,
        concept: new Uint8Array(tools),
      }),
    )
  }
  if (scores.count > scores.of.length / DENSE) {
    scores.of.fill(0)
    scores.concept.fill(0)
  } else
    for (let at = 0; at < scores.count; at++) {
      const tool = scores.touched[at]!
      scores.of[tool] = 0
      scores.concept[tool] = 0
    }
  scores.count = 0
  return scores
}

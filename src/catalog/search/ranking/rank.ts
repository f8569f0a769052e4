import { accumulate, type Scores, Sum } from './score-segment.ts'
import { agreement } from '../query/lexicon.ts'
import { type Part, type Query } from '../query/query.ts'
import type { Segment } from '../segments/segment.ts'
import { Top } from './top-hits.ts'
import type { Vectors } from './vectors.ts'

/** A segment with what is known of it for one query. */
export interface Searched {
  readonly segment: Segment
  /** Sureness that a toolkit is meant, by its number in the segment. */
  readonly meant: ReadonlyMap<number, number>
  /** 1 for toolkits that may be found; undefined: all. */
  readonly mask: Uint8Array | undefined
  /** Added to the score of a tool: curated tools, applications that are connected, tools used lately. */
  readonly prior: (tool: number) => number
  /** Asked only for tools that would be among the best. */
  readonly allows: ((tool: number) => boolean) | undefined
}

export interface Hit {
  readonly segment: number
  readonly tool: number
  score: number
}

export interface RankOptions {
  readonly limit: number
  readonly idf: (word: string) => number
  readonly model: Vectors
  /** Stems that only name a toolkit. */ readonly toolkitStems: ReadonlySet<string>
}

/**
 * Weights relative to the best BM25 score. Tuned on the training halves of the data sets, not on the test
 * halves.
 */
export const WEIGHT = { cosine: 0.6, name: 0.2, verb: 0.1, toolkit: 0.5, depth: 0.03, step: 0.6, again: 0.2 }
const DEPTH_MAX = 6
const CANDIDATES = 200
const NAME_THROUGH_LEXICON = 0.6
/** What the whole query still counts for a tool that one of its steps found. */
const STEP_KEEPS = 0.5
const STEP_CANDIDATES = 60
const NEAR_CANDIDATES = 50
/**
 * So many tools are looked through in all; more than that only those of the toolkits that are meant, and
 * fewer.
 */
const NEAR_SCAN_MAX = 5_000
const NEAR_SCAN_MEANT_MAX = 2_000
const NEAR_SURE_MIN = 0.5
/** What is less near is not meant. */
const NEAR_MIN = 0.35

/** How alike the meaning of a request and of a tool are, −1 to 1; 0 without a model. */
export function likenessOf(
  { segment }: Searched,
  tool: number,
  part: Part,
  { model, toolkitStems }: Pick<RankOptions, 'model' | 'toolkitStems'>,
): number {
  if (model.dimensions === 0) return 0
  const meaning = model.bytesOf(meaningOf(part, toolkitStems))
  return cosine(meaning, segment.vectors, tool * meaning.length)
}

/** The best tools for a query, best first; equal ones in the order of the segments. */
export function rank(searched: readonly Searched[], query: Query, options: RankOptions): Hit[] {
  const count = Math.max(CANDIDATES, options.limit)
  const found =
    query.steps.length > 0
      ? rankSteps(searched, query, options, count)
      : rankPart(
          searched,
          query.whole,
          options,
          bestOf(searched, accumulate(searched, query.whole.concepts, options.idf), count),
        )
  return spread(searched, sorted(found)).slice(0, options.limit)
}

/** A tool counts for the whole query, or for the step that it fits best. */
function rankSteps(searched: readonly Searched[], query: Query, options: RankOptions, count: number): Hit[] {
  const sum = new Sum(searched)
  const bySteps = query.steps.map((step) => {
    const scores = accumulate(searched, step.concepts, options.idf)
    sum.add(scores)
    return rankPart(searched, step, options, bestOf(searched, scores, STEP_CANDIDATES))
  })
  const byKey = new Map(
    rankPart(searched, query.whole, options, bestOf(searched, sum.scores, count)).map((hit) => [
      keyOf(hit),
      hit,
    ]),
  )
  for (const hit of bySteps.flat()) {
    const known = byKey.get(keyOf(hit))
    if (!known) byKey.set(keyOf(hit), { ...hit, score: hit.score * WEIGHT.step })
    else known.score = Math.max(known.score, known.score * STEP_KEEPS + hit.score * WEIGHT.step)
  }
  return [...byKey.values()]
}

const sorted = (hits: Hit[]): Hit[] =>
  hits.sort((a, b) => b.score - a.score || a.segment - b.segment || a.tool - b.tool)

function bestOf(searched: readonly Searched[], all: readonly Scores[], count: number): Hit[] {
  const top = new Top(count)
  all.forEach((scores, number) => {
    const { allows } = searched[number]!
    let { floor } = top
    for (let at = 0; at < scores.count; at++) {
      const tool = scores.touched[at]!
      const score = scores.of[tool]!
      if (score < floor || !top.takes(score, number, tool) || (allows && !allows(tool))) continue
      top.add(score, number, tool)
      floor = top.floor
    }
  })
  return top.best()
}

/** Orders candidates by everything that counts; those after the first are left behind these. */
function rankPart(searched: readonly Searched[], part: Part, options: RankOptions, hits: Hit[]): Hit[] {
  const best = hits[0]?.score ?? 1
  const meaning =
    options.model.dimensions > 0 ? options.model.bytesOf(meaningOf(part, options.toolkitStems)) : undefined
  if (meaning) addNear(searched, meaning, hits)
  const raters = searched.map((one) => rater(one, part, options.idf, meaning))
  hits.forEach((hit, at) => {
    hit.score = hit.score / best + (at < CANDIDATES + NEAR_CANDIDATES ? raters[hit.segment]!(hit.tool) : -1)
  })
  return hits
}

/**
 * The name of an application is in the meaning of all of its tools alike, so it tells none of them apart, and
 * hides what does.
 */
function meaningOf({ words }: Part, named: ReadonlySet<string>): readonly string[] {
  const others = words.filter((word) => !named.has(word))
  return others.length > 0 ? others : words
}

/** Scores the tools of one segment by criteria other than shared words. */
function rater(
  { segment, meant, prior }: Searched,
  part: Part,
  idf: (word: string) => number,
  meaning: Int8Array | undefined,
): (tool: number) => number {
  const said = new Map<number, number>()
  for (const { words } of part.concepts) {
    for (const { word, weight } of words) {
      const term = segment.termNumber.get(word)
      const share = weight === 1 ? 1 : NAME_THROUGH_LEXICON
      if (term !== undefined && (said.get(term) ?? 0) < share) said.set(term, share)
    }
  }
  const known = new Map<number, number>()
  const idfOf = (term: number): number => {
    let found = known.get(term)
    if (found === undefined) known.set(term, (found = idf(segment.terms[term]!)))
    return found
  }
  return (tool) => {
    let covered = 0
    let whole = 0
    for (let at = segment.nameStart[tool]!; at < segment.nameStart[tool + 1]!; at++) {
      const weight = idfOf(segment.nameTerm[at]!)
      whole += weight
      covered += weight * (said.get(segment.nameTerm[at]!) ?? 0)
    }
    return (
      WEIGHT.name * (whole > 0 ? covered / whole : 0) +
      prior(tool) +
      WEIGHT.verb * agreement(part.verbs, segment.verbs[tool]!) +
      WEIGHT.toolkit * (meant.get(segment.toolkitOf[tool]!) ?? 0) -
      WEIGHT.depth * Math.min(DEPTH_MAX, segment.depth[tool]!) +
      (meaning ? WEIGHT.cosine * cosine(meaning, segment.vectors, tool * meaning.length) : 0)
    )
  }
}

/**
 * The nearest by meaning of few tools: of the toolkits that are meant, or of all when there are few. They may
 * share no word with the query.
 */
function addNear(searched: readonly Searched[], meaning: Int8Array, hits: Hit[]): void {
  const top = new Top(NEAR_CANDIDATES)
  const known = new Set(hits.map(keyOf))
  const all = searched.reduce((sum, { segment }) => sum + segment.slugs.length, 0) <= NEAR_SCAN_MAX
  let left = all ? NEAR_SCAN_MAX : NEAR_SCAN_MEANT_MAX
  const scan = (number: number, from: number, to: number) => {
    const { segment, mask, allows } = searched[number]!
    for (let tool = from; tool < to && left > 0; tool++, left--) {
      if (mask && mask[segment.toolkitOf[tool]!] === 0) continue
      const score = cosine(meaning, segment.vectors, tool * meaning.length)
      if (score >= NEAR_MIN && top.takes(score, number, tool) && (!allows || allows(tool)))
        top.add(score, number, tool)
    }
  }
  searched.forEach(({ segment, meant }, number) => {
    if (all) scan(number, 0, segment.slugs.length)
    else
      for (const [toolkit, sure] of meant)
        if (sure >= NEAR_SURE_MIN)
          scan(number, segment.toolkits[toolkit]!.from, segment.toolkits[toolkit]!.to)
  })
  for (const hit of top.best())
    if (!known.has(keyOf(hit))) hits.splice(Math.min(hits.length, CANDIDATES), 0, { ...hit, score: 0 })
}

const keyOf = ({ segment, tool }: Hit): number => segment * 2 ** 32 + tool

/** Of two directions in signed bytes of equal length, −1 to 1. */
function cosine(one: Int8Array, others: Int8Array, from: number): number {
  let dot = 0
  for (let at = 0; at < one.length; at++) dot += one[at]! * others[from + at]!
  return dot / (127 * 127)
}

/**
 * A tool that is like one before it, such as the same operation in another edition of an API, stands further
 * down.
 */
function spread(searched: readonly Searched[], hits: Hit[]): Hit[] {
  const seen = new Map<number, number>()
  for (const hit of hits) {
    const likeness = searched[hit.segment]!.segment.likeness[hit.tool]!
    const times = seen.get(likeness) ?? 0
    seen.set(likeness, times + 1)
    hit.score -= WEIGHT.again * Math.min(times, 10)
  }
  return sorted(hits)
}

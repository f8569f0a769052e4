import { accumulate, type Scores, Sum } from './score-segment.ts'
import type { Part, Query } from '../query/query.ts'
import type { Segment } from '../segments/segment.ts'
import type { Prior } from './prior.ts'
import { cosine, meaningOf, mixSignals, rater, type Signals, sumOf, WEIGHT } from './rater.ts'
import { Top } from './top-hits.ts'
import { mostSimilar, similarityRater } from './similar-tools.ts'
import type { RequestVector, ToolVectors } from './tool-vectors.ts'
import type { Vectors } from './vectors.ts'

/** A segment with what is known of it for one query. */
export interface Searched {
  readonly segment: Segment
  /** Sureness that a toolkit is meant, by its number in the segment. */
  readonly meant: ReadonlyMap<number, number>
  /** 1 for toolkits that are left out, as if the index did not have them. */
  readonly hidden?: Uint8Array | undefined
  /** 1 for toolkits that may be found; undefined: all. */
  readonly mask: Uint8Array | undefined
  /** Added to the score of a tool: curated tools, applications that are connected, tools used lately. */
  readonly prior: Prior
  /** Vectors of an embedding model, if there is one. */
  readonly vectors?: ToolVectors | undefined
  /** Asked only for tools that would be among the best. */
  readonly allows: ((tool: number) => boolean) | undefined
}

export interface Hit {
  readonly segment: number
  readonly tool: number
  score: number
  /** What the score consists of, once the hit is rated. */
  signals?: Signals
}

export interface RankOptions {
  readonly limit: number
  readonly idf: (word: string) => number
  readonly model: Vectors
  /** The vector of the whole query, if there is an embedding model. */
  readonly request?: RequestVector | undefined
  /** Stems that only name a toolkit. */ readonly toolkitStems: ReadonlySet<string>
}

const CANDIDATES = 200
/** What the whole query still counts for a tool that one of its steps found. */
const STEP_KEEPS = 0.5
const STEP_CANDIDATES = 60
const NEAR_CANDIDATES = 50
const RATED_MAX = CANDIDATES + 2 * NEAR_CANDIDATES
/**
 * So many tools are looked through in all; more than that only those of the toolkits that are meant, and
 * fewer.
 */
const NEAR_SCAN_MAX = 5_000
const NEAR_SCAN_MEANT_MAX = 2_000
const NEAR_SURE_MIN = 0.5
/** What is less near is not meant. */
const NEAR_MIN = 0.35
/** So many tools before it that are like it count. */
const REPEATED_MAX = 10

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
    // The vector is that of the whole query.
    return rankPart(
      searched,
      step,
      { ...options, request: undefined },
      bestOf(searched, scores, STEP_CANDIDATES),
    )
  })
  const byKey = new Map(
    rankPart(searched, query.whole, options, bestOf(searched, sum.scores, count)).map((hit) => [
      keyOf(hit),
      hit,
    ]),
  )
  for (const hit of bySteps.flat()) {
    const known = byKey.get(keyOf(hit))
    const own = hit.signals!
    if (!known) {
      byKey.set(keyOf(hit), rated(hit, mixSignals(own, WEIGHT.step, own, 0)))
    } else if (known.score * STEP_KEEPS + hit.score * WEIGHT.step > known.score) {
      byKey.set(keyOf(hit), rated(hit, mixSignals(known.signals!, STEP_KEEPS, own, WEIGHT.step)))
    }
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
  const { request } = options
  if (request) addCandidates(hits, mostSimilar(searched, request, NEAR_CANDIDATES))
  const rateSimilarity = request && similarityRater(searched, hits.slice(0, RATED_MAX), request)
  const raters = searched.map((one) => rater(one, part, options.idf, meaning))
  hits.forEach((hit, at) => {
    hit.signals = {
      words: hit.score / best,
      ...(at < RATED_MAX ? raters[hit.segment]!(hit.tool) : { unrated: -1 }),
      ...(rateSimilarity && at < RATED_MAX ? { similarity: WEIGHT.similarity * rateSimilarity(hit) } : {}),
    }
    hit.score = sumOf(hit.signals)
  })
  return hits
}

const rated = ({ segment, tool }: Hit, signals: Signals): Hit => ({
  segment,
  tool,
  score: sumOf(signals),
  signals,
})

/**
 * The nearest by meaning of few tools: of the toolkits that are meant, or of all when there are few. They may
 * share no word with the query.
 */
function addNear(searched: readonly Searched[], meaning: Int8Array, hits: Hit[]): void {
  const top = new Top(NEAR_CANDIDATES)
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
  addCandidates(hits, top.best())
}

/** Adds tools that share no word with the query after the best candidates, so that they are rated. */
function addCandidates(hits: Hit[], near: readonly Hit[]): void {
  const known = new Set(hits.map(keyOf))
  for (const hit of near)
    if (!known.has(keyOf(hit))) hits.splice(Math.min(hits.length, CANDIDATES), 0, { ...hit, score: 0 })
}

const keyOf = ({ segment, tool }: Hit): number => segment * 2 ** 32 + tool

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
    if (times === 0) continue
    const repeated = -WEIGHT.again * Math.min(times, REPEATED_MAX)
    hit.signals = { ...hit.signals, repeated }
    hit.score += repeated
  }
  return sorted(hits)
}
